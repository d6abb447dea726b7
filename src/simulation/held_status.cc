#include "simulation/held_status.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

Error Sentence(ErrorCode code, std::string_view before, std::string_view name,
               std::string_view after) {
  std::string text(before);
  return Error{code, text.append(" \"").append(name).append("\"").append(after), nullptr};
}

// Whether an index comes or goes that is not held in its status.
bool HasOnlineIndex(const TableVersion& table) {
  return std::ranges::any_of(table.indexes, [](const IndexVersion& index) {
    return index.is_filling() || index.status() == ResourceStatus::kDeleting;
  });
}

Status CheckIndex(const TableVersion& table, std::string_view name) {
  const IndexVersion* const index = table.FindIndex(name);
  if (!index) {
    return Sentence(ErrorCode::kResourceNotFoundException,
                    "Table \"" + table.name + "\" has no index", name, ".");
  }
  if (!index->schema.is_local) return {};
  return Sentence(ErrorCode::kValidationException, "Index", name,
                  " is a local one, which has no status of its own.");
}

// What else keeps the table from being held in a status.
Status CheckStatus(const TableVersion& table) {
  if (table.status() == ResourceStatus::kDeleting) {
    return Sentence(ErrorCode::kResourceInUseException, "Table", table.name, " is being deleted.");
  }
  if (IsHeld(table) || !HasOnlineIndex(table)) return {};
  return Sentence(ErrorCode::kResourceInUseException, "An index of table", table.name,
                  " is being created or deleted: a status can be held when that is done.");
}

// The table as it is to be published; null: it is so already.
std::unique_ptr<TableVersion> Held(const TableVersion& table, const StatusRequest& request) {
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
      return Sentence(ErrorCode::kResourceNotFoundException, "There is no table", name, ".");
    }
    if (!request.index.empty()) HR_RETURN_IF_ERROR(CheckIndex(*table, request.index));
    HR_RETURN_IF_ERROR(CheckStatus(*table));
    auto next = Held(*table, request);
    if (!next || catalog.Publish(table, std::move(next))) return {};
  }
}

void ReleaseHeldStatuses(Catalog& catalog) {
  for (TableRef table : catalog.TablesOf({})) {
    // Again when it was changed meanwhile; one that was dropped is held no more either.
    while (table && IsHeld(*table) && !catalog.Publish(table, Held(*table, {}))) {
      table = catalog.Find({table->account_id, table->region}, table->name);
    }
  }
}

}  // namespace hashrange
