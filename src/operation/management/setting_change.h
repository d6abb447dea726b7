// Changes of what a table keeps for the management operations: point-in-time recovery, policies,
// Contributor Insights. Such a change takes effect at once, whatever phase the table is in, and the
// table's status stays as it is. Any thread.
#pragma once

#include <memory>
#include <utility>

#include "operation/table/table_transitions.h"

namespace hashrange {

// Applies `edit(TableVersion*)` to copies of the table as it is and as it is after its phase, and
// publishes them. Returns the version that was published, or null when another change was first:
// then the caller looks the table up again.
template <typename Edit>
TableRef PublishEdit(const Context& context, const TableRef& current, const Edit& edit) {
  TableChange change;
  change.during = std::make_unique<TableVersion>(*current);
  change.after = std::make_unique<TableVersion>(current->AfterPhase());
  edit(change.during.get());
  edit(change.after.get());
  TableRef changed = BeginUpdate(context, current, std::move(change));
  if (changed) LogTable(*changed, "changed");
  return changed;
}

}  // namespace hashrange
