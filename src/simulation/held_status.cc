#include "simulation/held_status.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace hashrange {
namespace {

constexpr std::int64_t kHeldEpochMs = kNeverSettles - 1;
// The next look-up of the table settles it, and takes care of an index that is still being filled.
constexpr std::int64_t kSettlesNow = 0;

Error ErrorWithName(ErrorCode code, std::string_view before, std::string_view name,
                    std::string_view after) {
  std::string text(before);
  return Error{code, text.append(" \"").append(name).append("\"").append(after), nullptr};
}

// Returns the table as it is when its transition is over.
TableRef SettledTable(const TableVersion& table) {
  if (table.becomes) return table.becomes;
  auto next = std::make_unique<TableVersion>(table);
  next->status = ResourceStatus::kActive;
  next->settles_epoch_ms = kNeverSettles;
  return TableRef::Adopt(next.release());
}

IndexVersion* FindIndex(TableVersion* table, std::string_view name) {
  const auto found = std::ranges::find_if(
      table->indexes, [&](const IndexVersion& index) { return index.schema.name == name; });
  return found == table->indexes.end() ? nullptr : &*found;
}

bool IsHeld(const TableVersion& table) { return table.settles_epoch_ms == kHeldEpochMs; }

bool HasPassingStatus(const TableVersion& table) {
  return table.status != ResourceStatus::kActive ||
         std::ranges::any_of(table.indexes, [](const IndexVersion& index) {
           return index.status != ResourceStatus::kActive;
         });
}

// Returns whether an index is really being created or deleted, and not only held in that status.
bool HasChangingIndex(const TableVersion& table) {
  return std::ranges::any_of(table.indexes, [](const IndexVersion& index) {
    const bool is_held = index.is_filled;
    const bool is_created = index.status == ResourceStatus::kCreating && !is_held;
    return is_created || index.status == ResourceStatus::kDeleting;
  });
}

void SetIndexStatus(IndexVersion* index, ResourceStatus status) {
  index->status = status;
  // No transition waits for an index that is filled.
  index->is_backfilling = index->is_filled = status == ResourceStatus::kCreating;
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
  if (table.status == ResourceStatus::kDeleting) {
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
  if (is_release && !IsHeld(table) && (!request.index.empty() || !HasPassingStatus(table))) {
    return nullptr;
  }
  auto next = std::make_unique<TableVersion>(table);
  next->becomes = SettledTable(table);
  next->settles_epoch_ms = kHeldEpochMs;
  if (request.index.empty()) {
    next->status = request.status;
  } else {
    SetIndexStatus(FindIndex(next.get(), request.index), request.status);
  }
  const bool is_over = request.index.empty() ? is_release : !HasPassingStatus(*next);
  if (is_over) next->settles_epoch_ms = kSettlesNow;
  return next;
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
    // It is tried again when the table was changed meanwhile. A dropped table is not held either.
    while (table && IsHeld(*table) && !catalog.Publish(table, WithStatus(*table, {}))) {
      table = catalog.Find({table->account_id, table->region}, table->name);
    }
  }
}

}  // namespace hashrange
