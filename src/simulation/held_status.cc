#include "simulation/held_status.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

Error ErrorWithName(ErrorCode code, std::string_view before, std::string_view name,
                    std::string_view after) {
  std::string text(before);
  return Error{code, text.append(" \"").append(name).append("\"").append(after), nullptr};
}

// Returns whether an index is really being created or deleted, and not only held in that status.
bool HasChangingIndex(const TableVersion& table) {
  return std::ranges::any_of(table.indexes, [](const IndexVersion& index) {
    return index.is_filling() || index.status() == ResourceStatus::kDeleting;
  });
}

Status CheckIndex(const TableVersion& table, std::string_view name) {
  const IndexVersion* const index = table.FindIndex(name);
  if (!index) {
    return ErrorWithName(ErrorCode::kResourceNotFoundException,
                         "Table \"" + table.name + "\" has no index", name, ".");
  }
  if (!index->schema.is_local) return {};
  return ErrorWithName(ErrorCode::kValidationException, "Index", name,
                       " is a local one, which has no status of its own.");
}

// Checks that the table may be held in a status.
Status CheckStatus(const TableVersion& table) {
  if (table.status() == ResourceStatus::kDeleting) {
    return ErrorWithName(ErrorCode::kResourceInUseException, "Table", table.name,
                         " is being deleted.");
  }
  if (IsHeld(table) || !HasChangingIndex(table)) return {};
  return ErrorWithName(ErrorCode::kResourceInUseException, "An index of table", table.name,
                       " is being created or deleted: a status can be held when that is done.");
}

// Returns the version to publish; null when the table has that status already.
std::unique_ptr<TableVersion> WithStatus(const TableVersion& table, const StatusRequest& request) {
  const bool is_release = request.status == ResourceStatus::kActive;
  const bool has_transition = request.index.empty() && IsInTransition(table);
  if (is_release && !IsHeld(table) && !has_transition) return nullptr;
  return VersionAfter(table, StatusHold{request.index, request.status});
}

}  // namespace

Status HoldStatus(Catalog& catalog, AccountName account, std::string_view name,
                  const StatusRequest& request) {
  for (;;) {
    const TableRef table = catalog.Find(account, name);
    if (!table) {
      return ErrorWithName(ErrorCode::kResourceNotFoundException, "There is no table", name, ".");
    }
    if (!request.index.empty()) HR_RETURN_IF_ERROR(CheckIndex(*table, request.index));
    HR_RETURN_IF_ERROR(CheckStatus(*table));
    auto next = WithStatus(*table, request);
    if (!next || catalog.Publish(table, std::move(next))) return {};
  }
}

void ReleaseHeldStatuses(Catalog& catalog) {
  for (TableRef table : catalog.TablesOf({})) {
    // The release is tried again when the table was changed meanwhile, and ends when the table is
    // dropped.
    while (table && IsHeld(*table) && !catalog.Publish(table, WithStatus(*table, {}))) {
      table = catalog.Find({table->account_id, table->region}, table->name);
    }
  }
}

}  // namespace hashrange
