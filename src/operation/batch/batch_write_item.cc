// BatchWriteItem (docs/service/07-batch.md, section 2): up to 25 puts and deletes, each committed
// alone.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "operation/batch/batch_gate.h"
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "operation/table/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxWrites = 25;

// One member of the batch; a view of the request and its arena.
struct BatchWrite {
  bool is_put = false;
  bool is_unprocessed = false;            // the gate, or the bound on memory, has refused it
  std::uint32_t member = 0;               // Access::member
  std::span<const Attribute> attributes;  // the item, or the key
  // Null: the member is written to BatchWriteTable::table. Not null: the table has changed since
  // that version was found, and the member is written to this newer version.
  TableRef newer;
  WriteOutcome outcome;
};

// The part of the request for one table.
struct BatchWriteTable {
  std::string_view name;  // as sent
  std::span<const JsonValue> json;
  std::vector<BatchWrite> writes;
  TableRef table;
};

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

// Returns the version that a member was written to, or is to be written to.
const TableVersion& TargetVersion(const BatchWriteTable& table, const BatchWrite& write) {
  return write.newer ? *write.newer : *table.table;
}

Result<BatchWrite> ReadBatchWrite(const RequestObject& json, const Context& context) {
  const auto put = json.Object("PutRequest");
  const auto del = json.Object("DeleteRequest");
  if (put.has_value() == del.has_value()) {
    return ValidationError(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  BatchWrite write;
  write.is_put = put.has_value();
  const JsonValue* attributes = put ? put->Find("Item") : del->Find("Key");
  HR_ASSIGN(write.attributes, ReadAttributes(*attributes, context.layer, context.arena));
  if (write.is_put) HR_RETURN_IF_ERROR(CheckItemSize(write.attributes));
  return write;
}

// Checks one member against its table. When a key attribute is missing or of another type, the
// message is the same for a put as for a delete, unlike the message of a PutItem.
Status CheckWriteAgainstTable(const TableVersion& table, const BatchWrite& write) {
  if (!write.is_put) return CheckKey(table.key, write.attributes);
  if (!HasKey(table.key, write.attributes)) return KeyMismatch();
  HR_RETURN_IF_ERROR(CheckKeyValues(table.key, write.attributes));
  return CheckIndexKeys(table, write.attributes);
}

// Checks every write against its table. A table may be in the request twice, by name and by ARN.
Status CheckWritesAgainstTables(Context& context, std::span<const BatchWriteTable> tables) {
  std::vector<ItemAddress> addresses;
  for (const BatchWriteTable& table : tables) {
    for (const BatchWrite& write : table.writes) {
      HR_RETURN_IF_ERROR(CheckWriteAgainstTable(*table.table, write));
      addresses.push_back(
          {table.table.get(), PositionOf(table.table->key, write.attributes, context.arena)});
    }
  }
  if (HasDuplicateAddresses(addresses, context.arena)) {
    return ValidationError("Provided list of item keys contains duplicates");
  }
  return {};
}

// Reads every member from the JSON, finds the tables, and checks every member; nothing is written
// before all members have passed.
// Errors: ValidationException  a member, too many members, or two members for one item
//         ResourceNotFoundException  a table does not exist
Status CheckBatchWrites(Context& context, std::span<BatchWriteTable> tables) {
  std::uint32_t count = 0;
  for (BatchWriteTable& table : tables) {
    for (const JsonValue& json : table.json) {
      HR_ASSIGN(BatchWrite write, ReadBatchWrite(RequestObject(json), context));
      write.member = count++;
      table.writes.push_back(std::move(write));
    }
  }
  if (count > kMaxWrites) {
    return ValidationError("Too many items requested for the BatchWriteItem call");
  }
  for (BatchWriteTable& table : tables) {
    HR_ASSIGN(table.table, FindTable(context, table.name));
  }
  return CheckWritesAgainstTables(context, tables);
}

void AddWriteCapacity(const TableVersion& version, const BatchWrite& write, CapacityMeter* meter) {
  meter->AddWrite({version.key, write.outcome.before.get()},
                  {version.key, write.outcome.after.get()}, kWriteFactor);
}

// Returns the access of a member. A delete has no attributes: nothing of its request ends up in the
// item (Access::attributes).
Access AccessOfWrite(const TableVersion& version, const BatchWrite& write, Arena& arena) {
  return {.kind = Access::Kind::kWrite,
          .table = &version,
          .key = PositionOf(version.key, write.attributes, arena),
          .attributes = write.is_put ? write.attributes : std::span<const Attribute>(),
          .write_kind = write.is_put ? WriteKind::kPut : WriteKind::kDelete,
          .member = write.member};
}

// Asks the gate to admit a member, and marks the member as unprocessed when the gate does not.
// Errors: an error of the gate that fails the whole batch
Status AdmitWrite(Context& context, const BatchWriteTable& table, BatchWrite* write,
                  Status* first_throttled) {
  if (!context.gate) return {};
  const Access access = AccessOfWrite(TargetVersion(table, *write), *write, context.arena);
  HR_ASSIGN(const bool is_admitted, AdmitMember(context, access, first_throttled));
  write->is_unprocessed = !is_admitted;
  return {};
}

void LeaveWrite(Context& context, const BatchWriteTable& table, const BatchWrite& write,
                const Usage& usage) {
  if (!context.gate) return;
  context.Leave(AccessOfWrite(TargetVersion(table, write), write, context.arena), usage);
}

void LeaveCommittedWrite(Context& context, const BatchWriteTable& table, const BatchWrite& write) {
  if (!context.gate) return;
  const TableVersion& version = TargetVersion(table, write);
  CapacityMeter meter(version, table.name, context.arena);
  AddWriteCapacity(version, write, &meter);
  LeaveWrite(context, table, write,
             UsageOfWrite(meter, {version.key, write.outcome.before.get()},
                          {version.key, write.outcome.after.get()}, context.arena));
}

// Commits one member. When its table has changed, the member is checked against the newer version
// and then enters the gate again, which may refuse the member. BatchWrite::newer is set only when
// the newer version has passed the check.
Status CommitWrite(Context& context, const BatchWriteTable& table, BatchWrite* write,
                   const GrowthLimit& growth, Status* first_refused) {
  while (!write->is_unprocessed) {
    const TableVersion& version = TargetVersion(table, *write);
    const Position position = PositionOf(version.key, write->attributes, context.arena);
    const auto function = [&](ItemView before) {
      if (!write->is_put) return Decision::Erase();
      return growth.Check(version, before,
                          Decision::Put(Item::Make(version.key, write->attributes, position.hash)));
    };
    const ItemWrite member{{&version, position}, function};
    const CommitResult result =
        context.engine.Commit({&member, 1}, {&write->outcome, 1}, context.arena);
    if (result == CommitResult::kCommitted) {
      LeaveCommittedWrite(context, table, *write);
      break;
    }
    if (result == CommitResult::kRefused) {
      LeaveWrite(context, table, *write, {});
      write->is_unprocessed = true;
      if (first_refused->ok()) *first_refused = *std::move(write->outcome.error);
      break;
    }
    LeaveWrite(context, table, *write, {.is_retried = true});
    HR_ASSIGN(TableRef newer, FindTable(context, table.name));
    HR_RETURN_IF_ERROR(CheckWriteAgainstTable(*newer, *write));
    write->newer = std::move(newer);
    HR_RETURN_IF_ERROR(AdmitWrite(context, table, write, first_refused));
  }
  return {};
}

// Commits every checked member. A member that the gate or a GrowthLimit refuses is marked as
// unprocessed. When a table has changed meanwhile, it is found again, and the members that are not
// yet committed are checked against the newer version. Every member passes the gate before the
// first one is written, so that an error of the whole batch leaves no part of the batch written.
// Errors: an error of the gate that fails the whole batch; the first refusal when no member was
//         processed
//         ValidationException, ResourceNotFoundException  a table has changed; what was committed
//         before remains
Status CommitBatchWrites(Context& context, std::span<BatchWriteTable> tables) {
  const GrowthLimit growth(context);
  Status first_refused;
  for (BatchWriteTable& table : tables) {
    for (BatchWrite& write : table.writes) {
      HR_RETURN_IF_ERROR(AdmitWrite(context, table, &write, &first_refused));
    }
  }
  bool any_processed = false;
  for (BatchWriteTable& table : tables) {
    for (BatchWrite& write : table.writes) {
      HR_RETURN_IF_ERROR(CommitWrite(context, table, &write, growth, &first_refused));
      any_processed |= !write.is_unprocessed;
    }
  }
  if (any_processed) return {};
  return first_refused;
}

// Returns the capacity that the committed members of a table consumed. The meter is of the newest
// version that was written to, and has this version's indexes. The units of members that were
// written to an older version, which may have had other indexes, are all added to the table's
// units.
CapacityMeter CapacityOfBatchWrite(const BatchWriteTable& table, Arena& arena) {
  const TableVersion* newest = table.table.get();
  for (const BatchWrite& write : table.writes) {
    if (write.newer && !write.is_unprocessed) newest = write.newer.get();
  }
  CapacityMeter meter(*newest, table.name, arena);
  for (const BatchWrite& write : table.writes) {
    if (write.is_unprocessed) continue;
    const TableVersion& version = TargetVersion(table, write);
    if (version.number == newest->number) {
      AddWriteCapacity(version, write, &meter);
      continue;
    }
    CapacityMeter older(version, table.name, arena);
    AddWriteCapacity(version, write, &older);
    meter.AddTableUnits(older.total());
  }
  return meter;
}

void WriteUnprocessedItems(const BatchWriteItemRequest& batch, JsonWriter& answer) {
  answer.BeginObject("UnprocessedItems");
  for (const BatchWriteTable& table : batch.tables) {
    if (std::ranges::none_of(table.writes, &BatchWrite::is_unprocessed)) continue;
    answer.BeginArray(table.name);
    for (const BatchWrite& write : table.writes) {
      if (!write.is_unprocessed) continue;
      answer.BeginObject();
      answer.BeginObject(write.is_put ? "PutRequest" : "DeleteRequest");
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
  answer.BeginObject("ItemCollectionMetrics");
  for (const BatchWriteTable& table : batch.tables) {
    if (!HasLocalIndex(*table.table)) continue;
    answer.BeginArray(table.name);
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
