// BatchGetItem (docs/service/07-batch.md, section 1): one read of up to 100 keys.
#include <algorithm>
#include <vector>

#include "operation/batch/batch_read.h"
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxAnswerBytes = 16 << 20;

struct BatchGetItemRequest {
  std::vector<BatchReadTable> tables;
  ReturnConsumedCapacity capacity;
};

BatchGetItemRequest ReadBatchGetItemRequest(const RequestObject& request) {
  BatchGetItemRequest batch{{}, ReadReturnConsumedCapacity(request)};
  for (const JsonMember& entry : request.Find("RequestItems")->members()) {
    BatchReadTable table;
    table.name = entry.name;
    table.json = &entry.value;
    table.consistent = RequestObject(entry.value).Boolean("ConsistentRead").value_or(false);
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

void WriteResponses(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  std::size_t size_bytes = 0;
  answer.Name("Responses");
  answer.BeginObject();
  for (BatchReadTable& table : batch->tables) {
    answer.Name(table.name);
    answer.BeginArray();
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      if (!table.admitted[i]) continue;
      const ItemRef& item = table.items[i];
      if (item && size_bytes + item->size_bytes() > kMaxAnswerBytes) break;
      table.answered[i] = true;
      if (!item) continue;
      size_bytes += item->size_bytes();
      WriteProjected({table.table->key, item.get()}, table.projection, context.arena, answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void WriteUnprocessedTable(const BatchReadTable& table, JsonWriter& answer) {
  answer.Name(table.name);
  answer.BeginObject();
  answer.Name("Keys");
  answer.BeginArray();
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    if (!table.answered[i]) WriteAttributes(table.keys[i], answer);
  }
  answer.EndArray();
  for (const JsonMember& member : table.json->members()) {
    if (member.name == "Keys" || member.value.is_null()) continue;
    answer.Name(member.name);
    WriteJson(member.value, answer);
  }
  answer.EndObject();
}

void WriteBatchGetItemAnswer(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  answer.BeginObject();
  WriteResponses(context, batch, answer);
  answer.Name("UnprocessedKeys");
  answer.BeginObject();
  for (const BatchReadTable& table : batch->tables) {
    if (std::ranges::find(table.answered, false) == table.answered.end()) continue;
    WriteUnprocessedTable(table, answer);
  }
  answer.EndObject();
  if (batch->capacity != ReturnConsumedCapacity::kNone || context.gate) {
    std::vector<CapacityMeter> meters;
    for (const BatchReadTable& table : batch->tables)
      meters.push_back(ChargeBatchRead(context, table));
    WriteConsumedCapacityList(meters, batch->capacity, CapacityTwin::kNone, answer);
  }
  answer.EndObject();
}

}  // namespace

Status BatchGetItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchGetItemRequest request = ReadBatchGetItemRequest(json);
  HR_RETURN_IF_ERROR(CheckBatchReads(context, request.tables));
  std::vector<ItemRef> items;
  HR_RETURN_IF_ERROR(ReadBatch(context, request.tables, &items));
  WriteBatchGetItemAnswer(context, &request, answer);
  return {};
}

}  // namespace hashrange
