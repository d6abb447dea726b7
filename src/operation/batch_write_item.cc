// BatchWriteItem (reference 07, section 2): up to 25 commits of one.
#include <algorithm>
#include <string>
#include <vector>

#include "operation/batch_gate.h"
#include "operation/consumed_capacity.h"
#include "operation/duplicate_keys.h"
#include "operation/item_collection_metrics.h"
#include "operation/item_key.h"
#include "operation/operations.h"
#include "operation/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxRequests = 25;

struct WriteRequest {
  bool is_put = false;
  std::span<const Attribute> attributes;  // the item, or the key
  bool is_unprocessed = false;            // the gate refused it
  WriteOutcome outcome;
};

struct TableRequest {
  std::string_view name;
  std::span<const JsonValue> json;
  std::vector<WriteRequest> writes;
  TableRef table;
};

struct BatchWriteItemRequest {
  std::vector<TableRequest> tables;
  ReturnConsumedCapacity capacity;
  bool metrics;
};

BatchWriteItemRequest Read(const RequestObject& request) {
  BatchWriteItemRequest batch{
      {}, ReadReturnConsumedCapacity(request), ReadReturnItemCollectionMetrics(request)};
  for (const JsonMember& entry : request.Find("RequestItems")->members()) {
    TableRequest table;
    table.name = entry.name;
    table.json = entry.value.elements();
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

Result<WriteRequest> ReadWriteRequest(const RequestObject& json, const Context& context) {
  const auto put = json.Object("PutRequest");
  const auto del = json.Object("DeleteRequest");
  if (put.has_value() == del.has_value()) {
    return ValidationError(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  WriteRequest write{.is_put = put.has_value(), .attributes = {}, .outcome = {}};
  const JsonValue* attributes = put ? put->Find("Item") : del->Find("Key");
  HR_ASSIGN(write.attributes, ReadAttributes(*attributes, context.layer, context.arena));
  if (write.is_put && ItemSizeBytes(write.attributes) > kMaxItemSizeBytes) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return write;
}

// A key attribute that is missing or of another type is, here, always a mismatch.
Status CheckWrite(const TableVersion& table, const WriteRequest& write) {
  if (!write.is_put) return CheckKey(table.key, write.attributes);
  for (std::size_t i = 0; i < table.key.parts(); ++i) {
    const ValueView* value = FindAttribute(write.attributes, table.key.part(i).name);
    if (!value || value->type != table.key.part(i).type) {
      return ValidationError("The provided key element does not match the schema");
    }
  }
  HR_RETURN_IF_ERROR(CheckKeyValues(table.key, write.attributes));
  return CheckIndexKeys(table, write.attributes);
}

// Every write against its table; a table may stand there twice, by name and by ARN.
Status CheckWrites(Context& context, const BatchWriteItemRequest& batch) {
  std::vector<ItemAddress> addresses;
  for (const TableRequest& request : batch.tables) {
    for (const WriteRequest& write : request.writes) {
      HR_RETURN_IF_ERROR(CheckWrite(*request.table, write));
      addresses.push_back(
          {request.table.get(), PositionOf(request.table->key, write.attributes, context.arena)});
    }
  }
  if (HasDuplicateAddresses(addresses, context.arena)) {
    return ValidationError("Provided list of item keys contains duplicates");
  }
  return {};
}

// Every check of the whole request; nothing is written before all have passed.
Status Check(Context& context, BatchWriteItemRequest* batch) {
  std::size_t count = 0;
  for (TableRequest& table : batch->tables) {
    for (const JsonValue& json : table.json) {
      HR_ASSIGN(WriteRequest write, ReadWriteRequest(RequestObject(json), context));
      table.writes.push_back(std::move(write));
    }
    count += table.writes.size();
  }
  if (count > kMaxRequests) {
    return ValidationError("Too many items requested for the BatchWriteItem call");
  }
  for (TableRequest& table : batch->tables) {
    HR_ASSIGN(table.table, FindTable(context, table.name));
  }
  return CheckWrites(context, *batch);
}

CapacityMeter MeterOf(const TableRequest& table, std::span<const WriteRequest> writes,
                      Arena& arena) {
  CapacityMeter meter(*table.table, arena);
  const KeySchema& key = table.table->key;
  for (const WriteRequest& write : writes) {
    if (write.is_unprocessed) continue;
    meter.AddWrite({key, write.outcome.before.get()}, {key, write.outcome.after.get()}, 1);
  }
  return meter;
}

// A delete puts the item into no index.
Access AccessOf(const TableRequest& table, const WriteRequest& write, Arena& arena) {
  return {.kind = Access::Kind::kWrite,
          .table = table.table.get(),
          .key = PositionOf(table.table->key, write.attributes, arena),
          .attributes = write.is_put ? write.attributes : std::span<const Attribute>()};
}

// What the gate says of one member: it comes back unprocessed, or the error is the whole batch's.
Status Admit(Context& context, const TableRequest& table, WriteRequest* write) {
  if (!context.gate) return {};
  auto refused = context.Enter(AccessOf(table, *write, context.arena));
  if (!refused) return {};
  write->is_unprocessed = IsUnprocessed(refused->code);
  return *std::move(refused);
}

// One member's commit, which the gate has let in. A table that changed meanwhile is looked up
// and checked again.
// Errors: of the gate; the table is gone, or the member no longer fits it
Status CommitMember(Context& context, TableRequest* table, WriteRequest* write) {
  for (;;) {
    const Position position = PositionOf(table->table->key, write->attributes, context.arena);
    const auto function = [&](ItemView) {
      if (!write->is_put) return Decision::Erase();
      return Decision::Put(Item::Make(table->table->key, write->attributes, position.hash));
    };
    const ItemWrite member{{table->table.get(), position}, function};
    if (context.engine.Commit({&member, 1}, {&write->outcome, 1}, context.arena) ==
        CommitResult::kCommitted) {
      if (context.gate) {
        const KeySchema& key = table->table->key;
        context.Leave(
            AccessOf(*table, *write, context.arena),
            UsageOfWrite(MeterOf(*table, {write, 1}, context.arena),
                         {key, write->outcome.before.get()}, {key, write->outcome.after.get()}));
      }
      return {};
    }
    if (context.gate) context.Leave(AccessOf(*table, *write, context.arena), {});
    HR_ASSIGN(table->table, FindTable(context, table->name));
    HR_RETURN_IF_ERROR(CheckWrite(*table->table, *write));
    HR_RETURN_IF_ERROR(Admit(context, *table, write));
  }
}

void KeepFirstThrottled(Status status, Status* first) {
  if (status.ok() || !first->ok()) return;
  if (IsThrottling(status.error().code)) *first = std::move(status);
}

// All members at the gate before anything is written, so that an error which is the whole batch's
// leaves nothing half done. `*first_throttled` is the first refusal that is a throttle.
Status AdmitAll(Context& context, BatchWriteItemRequest* batch, Status* first_throttled) {
  std::vector<Access> entered;
  for (TableRequest& table : batch->tables) {
    for (WriteRequest& write : table.writes) {
      Status status = Admit(context, table, &write);
      if (status.ok()) {
        entered.push_back(AccessOf(table, write, context.arena));
      } else if (!write.is_unprocessed) {
        for (const Access& access : entered) context.Leave(access, {});
        return status;
      }
      KeepFirstThrottled(std::move(status), first_throttled);
    }
  }
  return {};
}

// Commits every member. What the gate refuses comes back unprocessed; when nothing is processed,
// the request fails as the first that was throttled.
Status CommitAll(Context& context, BatchWriteItemRequest* batch) {
  Status first_throttled;
  if (context.gate) HR_RETURN_IF_ERROR(AdmitAll(context, batch, &first_throttled));
  bool any_processed = false;
  for (TableRequest& table : batch->tables) {
    for (WriteRequest& write : table.writes) {
      if (write.is_unprocessed) continue;
      Status status = CommitMember(context, &table, &write);
      if (!status.ok() && !write.is_unprocessed) return status;
      any_processed |= status.ok();
      KeepFirstThrottled(std::move(status), &first_throttled);
    }
  }
  if (any_processed) return {};
  return first_throttled;
}

void WriteUnprocessed(const BatchWriteItemRequest& batch, JsonWriter& answer) {
  answer.Name("UnprocessedItems");
  answer.BeginObject();
  for (const TableRequest& table : batch.tables) {
    if (std::ranges::none_of(table.writes, &WriteRequest::is_unprocessed)) continue;
    answer.Name(table.name);
    answer.BeginArray();
    for (const WriteRequest& write : table.writes) {
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

void WriteMetrics(const BatchWriteItemRequest& batch, JsonWriter& answer) {
  const auto has_local = [](const TableRequest& table) { return HasLocalIndex(*table.table); };
  if (!batch.metrics || std::ranges::none_of(batch.tables, has_local)) return;
  answer.Name("ItemCollectionMetrics");
  answer.BeginObject();
  for (const TableRequest& table : batch.tables) {
    if (!has_local(table)) continue;
    answer.Name(table.name);
    answer.BeginArray();
    const std::string& hash = table.table->key.hash[0].name;
    for (const WriteRequest& write : table.writes) {
      if (write.is_unprocessed) continue;
      WriteItemCollectionMetrics(hash, *FindAttribute(write.attributes, hash), answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void Write(const BatchWriteItemRequest& batch, Arena& arena, JsonWriter& answer) {
  answer.BeginObject();
  WriteUnprocessed(batch, answer);
  WriteMetrics(batch, answer);
  if (batch.capacity != ReturnConsumedCapacity::kNone) {
    std::vector<CapacityMeter> meters;
    for (const TableRequest& table : batch.tables) {
      meters.push_back(MeterOf(table, table.writes, arena));
    }
    WriteConsumedCapacityList(meters, batch.capacity, CapacityTwin::kNone, answer);
  }
  answer.EndObject();
}

}  // namespace

Status BatchWriteItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchWriteItemRequest request = Read(json);
  HR_RETURN_IF_ERROR(Check(context, &request));
  HR_RETURN_IF_ERROR(CommitAll(context, &request));
  Write(request, context.arena, answer);
  return {};
}

}  // namespace hashrange
