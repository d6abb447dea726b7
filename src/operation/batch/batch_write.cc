#include "operation/batch/batch_write.h"

#include <utility>

#include "operation/batch/batch_gate.h"
#include "operation/parameter/access_usage.h"
#include "operation/parameter/duplicate_keys.h"
#include "operation/parameter/item_key.h"
#include "operation/table/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxWrites = 25;

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
  for (std::size_t i = 0; i < table.key.parts(); ++i) {
    const ValueView* value = FindAttribute(write.attributes, table.key.part(i).name);
    if (!value || value->type != table.key.part(i).type) {
      return ValidationError("The provided key element does not match the schema");
    }
  }
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
// Errors: those of the gate that fail the whole batch
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

}  // namespace

// Every member passes the gate before the first one is written, so that an error of the whole batch
// leaves no part of the batch written.
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

const TableVersion& TargetVersion(const BatchWriteTable& table, const BatchWrite& write) {
  return write.newer ? *write.newer : *table.table;
}

// The meter is of the newest version that was written to, and has this version's indexes. The units
// of members that were written to an older version, which may have had other indexes, are all added
// to the table's units.
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

}  // namespace hashrange
