// BatchWriteItem (docs/service/07-batch.md, section 2): up to 25 puts and deletes, each committed
// alone.
#include <algorithm>
#include <string>
#include <vector>

#include "operation/batch/batch_write.h"
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_collection_metrics.h"
#include "operation/parameter/item_key.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct BatchWriteItemRequest {
  std::vector<BatchWriteTable> tables;
  ReturnConsumedCapacity capacity;
  bool metrics;
};

BatchWriteItemRequest ReadBatchWriteItemRequest(const RequestObject& request) {
  BatchWriteItemRequest batch{
      {}, ReadReturnConsumedCapacity(request), ReadReturnItemCollectionMetrics(request)};
  for (const JsonMember& entry : request.Find("RequestItems")->members()) {
    BatchWriteTable table;
    table.name = entry.name;
    table.json = entry.value.elements();
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

void WriteUnprocessedItems(const BatchWriteItemRequest& batch, JsonWriter& answer) {
  answer.Name("UnprocessedItems");
  answer.BeginObject();
  for (const BatchWriteTable& table : batch.tables) {
    if (std::ranges::none_of(table.writes, &BatchWrite::is_unprocessed)) continue;
    answer.Name(table.name);
    answer.BeginArray();
    for (const BatchWrite& write : table.writes) {
      if (!write.is_unprocessed) continue;
      answer.BeginObject();
      answer.Name(write.is_put ? "PutRequest" : "DeleteRequest");
      answer.BeginObject();
      answer.Name(write.is_put ? "Item" : "Key");
      WriteAttributes(write.attributes, answer);
      answer.EndObject();
      answer.EndObject();
    }
    answer.EndArray();
  }
  answer.EndObject();
}

// Writes an empty object when no table has a local index.
void WriteMetrics(const BatchWriteItemRequest& batch, JsonWriter& answer) {
  if (!batch.metrics) return;
  answer.Name("ItemCollectionMetrics");
  answer.BeginObject();
  for (const BatchWriteTable& table : batch.tables) {
    if (!HasLocalIndex(*table.table)) continue;
    answer.Name(table.name);
    answer.BeginArray();
    for (const BatchWrite& write : table.writes) {
      const TableVersion& version = TargetVersion(table, write);
      if (write.is_unprocessed || !HasLocalIndex(version)) continue;
      const std::string& hash = version.key.hash[0].name;
      WriteItemCollectionMetrics(hash, *FindAttribute(write.attributes, hash), answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void WriteBatchWriteItemAnswer(const BatchWriteItemRequest& batch, Arena& arena,
                               JsonWriter& answer) {
  answer.BeginObject();
  WriteUnprocessedItems(batch, answer);
  WriteMetrics(batch, answer);
  if (batch.capacity != ReturnConsumedCapacity::kNone) {
    std::vector<CapacityMeter> meters;
    for (const BatchWriteTable& table : batch.tables) {
      meters.push_back(CapacityOfBatchWrite(table, arena));
    }
    WriteConsumedCapacityList(meters, batch.capacity, CapacityTwin::kNone, answer);
  }
  answer.EndObject();
}

}  // namespace

Status BatchWriteItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchWriteItemRequest request = ReadBatchWriteItemRequest(json);
  // This check is made here and not by the binder, because the service reports the constraints that
  // the binder checks before it reports an empty RequestItems.
  if (request.tables.empty()) {
    return ValidationError("The requestItems parameter is required for BatchWriteItem");
  }
  HR_RETURN_IF_ERROR(CheckBatchWrites(context, request.tables));
  HR_RETURN_IF_ERROR(CommitBatchWrites(context, request.tables));
  WriteBatchWriteItemAnswer(request, context.arena, answer);
  return {};
}

}  // namespace hashrange
