// DeleteTable (docs/service/03-tables-and-indexes.md, section 5).
#include <algorithm>

#include "operation/call/operations.h"
#include "operation/table/table_description.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

Error BeingUpdated(const TableVersion& table) {
  return ResourceInUse("Table: " + table.name + " is in the process of being updated.");
}

bool HasIndexIn(const TableVersion& table, ResourceStatus status) {
  return std::ranges::any_of(
      table.indexes, [status](const IndexVersion& index) { return index.status() == status; });
}

Error IndexesInUse() {
  return ResourceInUse("Cannot delete table while indexes are being created, updated, or deleted.");
}

Status CheckDeletable(const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckNotCreatingOrDeleting(table));
  if (table.settings.stream_switch != StreamSwitch::kNone) {
    return ResourceInUse("Cannot delete table while stream is being enabled/disabled.");
  }
  // An index that is being created or deleted also makes the table UPDATING, so the index is
  // checked first. An index that is updated together with its table is checked after the table,
  // because the service's error names only the table then.
  if (HasIndexIn(table, ResourceStatus::kCreating) ||
      HasIndexIn(table, ResourceStatus::kDeleting)) {
    return IndexesInUse();
  }
  if (table.status() == ResourceStatus::kUpdating) return BeingUpdated(table);
  if (HasIndexIn(table, ResourceStatus::kUpdating)) return IndexesInUse();
  // While encryption or warm throughput changes, the table is ACTIVE.
  if (table.phase.next) return BeingUpdated(table);
  if (table.settings.deletion_protection) {
    return ValidationError(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }
  return {};
}

// Returns the version that the answer describes. Tries again when the table has changed meanwhile.
Result<TableRef> RunDeleteTable(Context& context, std::string_view table_name) {
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, table_name));
    HR_RETURN_IF_ERROR(CheckDeletable(*table));
    TableRef deleting = BeginDeletion(context, table);
    if (!deleting) continue;
    CloseStream(context, *table);
    return deleting;
  }
}

void WriteDeleteTableAnswer(const Context& context, const TableVersion& table, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("TableDescription");
  WriteDeletedTableDescription(context, table, answer);
  answer.EndObject();
}

}  // namespace

Status DeleteTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, RunDeleteTable(context, *json.String("TableName")));
  LogTable(*table, "deleted");
  WriteDeleteTableAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
