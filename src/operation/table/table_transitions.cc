#include "operation/table/table_transitions.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace hashrange {
namespace {

// Publishes the version that follows, or removes the table when it was being deleted. Changes
// nothing when another look-up was first; in both cases the caller looks the table up again.
void EndPhase(const Context& context, const TableRef& table) {
  Catalog& catalog = context.engine.catalog();
  if (auto next = VersionAfter(*table, PhaseEnd{context.transition_ms, context.NowEpochMs()})) {
    catalog.Publish(table, std::move(next));
  } else {
    catalog.Remove(table);
  }
}

// Returns the end of a phase that begins now; nullopt: phases take no time.
std::optional<std::int64_t> PhaseEndEpochMs(const Context& context) {
  if (context.transition_ms == 0) return std::nullopt;
  return context.NowEpochMs() + context.transition_ms;
}

}  // namespace

TableRef FindSettled(const Context& context, std::string_view name) {
  Catalog& catalog = context.engine.catalog();
  for (;;) {
    TableRef table = catalog.Find(context.account, name);
    if (!table || table->phase.ends_epoch_ms == kNeverEnds) return table;
    if (context.NowEpochMs() < table->phase.ends_epoch_ms) return table;
    EndPhase(context, table);
  }
}

bool AnyIsDropped(const Context& context, std::span<const std::string> names) {
  if (context.transition_ms == 0) return false;
  // Every table is looked up, even behind the first that does not exist any more: so the caller's
  // next list contains none whose deletion is complete by now.
  return std::ranges::count_if(
             names, [&](const std::string& name) { return !FindSettled(context, name); }) > 0;
}

TableRef BeginCreation(const Context& context, std::unique_ptr<TableVersion> version) {
  return context.engine.catalog().Create(
      VersionAfter(*version, TableCreation{PhaseEndEpochMs(context)}));
}

TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change) {
  Catalog& catalog = context.engine.catalog();
  change.ends_epoch_ms = PhaseEndEpochMs(context);
  auto during = VersionAfter(*current, std::move(change));
  if (during->phase.ends_epoch_ms != kNeverEnds) return catalog.Publish(current, std::move(during));
  TableRef described = TableRef::Adopt(during.release());
  return catalog.Publish(current, VersionAfter(*described, PhaseEnd{})) ? described : nullptr;
}

TableRef BeginDeletion(const Context& context, const TableRef& current) {
  Catalog& catalog = context.engine.catalog();
  auto deleting = VersionAfter(*current, TableDeletion{PhaseEndEpochMs(context)});
  if (deleting) return catalog.Publish(current, std::move(deleting));
  return catalog.Remove(current) ? current : TableRef();
}

Error ResourceInUse(std::string detail) {
  return Error{ErrorCode::kResourceInUseException,
               "Attempt to change a resource which is still in use: " + std::move(detail), nullptr};
}

Status CheckNotCreatingOrDeleting(const TableVersion& table) {
  if (table.status() == ResourceStatus::kCreating) {
    return ResourceInUse("Table is being created: " + table.name);
  }
  if (table.status() == ResourceStatus::kDeleting) {
    return ResourceInUse("Table is being deleted: " + table.name);
  }
  return {};
}

}  // namespace hashrange
