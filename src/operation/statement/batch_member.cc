#include "operation/statement/batch_member.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "value/capacity.h"

namespace hashrange {
namespace {

// The capacity that a table's members used, and whether one of them succeeded.
struct TableMeter {
  CapacityMeter meter;
  bool has_succeeded = false;
};

// A write that failed because of the stored item is charged for what it attempted; a write that was
// refused is not charged (docs/service/11-partiql.md, section 6).
bool IsCharged(const Error& error) {
  return error.code == ErrorCode::kConditionalCheckFailedException ||
         error.code == ErrorCode::kDuplicateItemException;
}

void AddMember(const BatchMember& member, TableMeter* table) {
  if (member.error) {
    if (!member.charged_bytes || !IsCharged(*member.error)) return;
    table->meter.AddUnitsToTotalOnly(static_cast<double>(WriteUnits(*member.charged_bytes)));
    return;
  }
  table->has_succeeded = true;
  if (member.is_read()) {
    const std::size_t size_bytes = member.item ? member.item->size_bytes() : 0;
    table->meter.AddItemRead(size_bytes, ReadFactor(member.consistent));
  } else {
    table->meter.AddWrite(member.write.before_view(), member.write.after_view(), kWriteFactor);
  }
}

}  // namespace

void WriteBatchCapacity(std::span<const BatchMember> members, ReturnConsumedCapacity capacity,
                        Arena& arena, JsonWriter& answer) {
  if (capacity == ReturnConsumedCapacity::kNone) return;
  std::vector<TableMeter> tables;
  for (const BatchMember& member : members) {
    if (!member.names_table || !member.located.table) continue;
    auto table = std::ranges::find_if(tables, [&](const TableMeter& known) {
      return &known.meter.table() == member.located.table.get();
    });
    if (table == tables.end()) {
      table = tables.insert(
          table, {{*member.located.table, member.prepared.statement->table, arena}, false});
    }
    AddMember(member, &*table);
  }
  std::vector<CapacityMeter> meters;
  for (const TableMeter& table : tables) {
    if (table.has_succeeded) meters.push_back(table.meter);
  }
  if (!meters.empty()) {
    WriteConsumedCapacityList(meters, capacity, CapacityTwin::kNone, answer);
  }
}

}  // namespace hashrange
