#include "operation/table_transitions.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

// May fail because another was first: the caller looks again.
void Settle(Catalog& catalog, const TableRef& table) {
  if (table->status == ResourceStatus::kDeleting) {
    catalog.Remove(table);
    return;
  }
  auto next = std::make_unique<TableVersion>(table->becomes ? *table->becomes : *table);
  next->status = ResourceStatus::kActive;
  next->settles_epoch_ms = kNeverSettles;
  next->becomes = nullptr;
  catalog.Publish(table, std::move(next));
}

std::int64_t SettlesAt(const Context& context) {
  return context.engine.clock().NowEpochMs() + context.transition_ms;
}

}  // namespace

TableRef FindSettled(const Context& context, std::string_view name) {
  Catalog& catalog = context.engine.catalog();
  for (;;) {
    TableRef table = catalog.Find(context.account, name);
    if (!table || table->settles_epoch_ms == kNeverSettles) return table;
    if (context.engine.clock().NowEpochMs() < table->settles_epoch_ms) return table;
    Settle(catalog, table);
  }
}

bool AnyGone(const Context& context, std::span<const std::string> names) {
  if (context.transition_ms == 0) return false;
  // All of them are settled.
  return std::ranges::count_if(
             names, [&](const std::string& name) { return !FindSettled(context, name); }) > 0;
}

TableRef BeginCreation(const Context& context, std::unique_ptr<TableVersion> version) {
  if (context.transition_ms > 0) {
    version->status = ResourceStatus::kCreating;
    version->settles_epoch_ms = SettlesAt(context);
  }
  return context.engine.catalog().Create(std::move(version));
}

TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change) {
  Catalog& catalog = context.engine.catalog();
  change.after->status = ResourceStatus::kActive;
  change.after->settles_epoch_ms = kNeverSettles;
  change.after->becomes = nullptr;
  const bool is_passing = current->settles_epoch_ms != kNeverSettles;
  const bool takes_time = change.passes && context.transition_ms > 0;
  if (!is_passing && !takes_time) {
    // What it is meanwhile is only described, never published.
    change.during->becomes = catalog.Publish(current, std::move(change.after));
    if (!change.during->becomes) return nullptr;
    return TableRef::Adopt(change.during.release());
  }
  const std::int64_t until = is_passing ? current->settles_epoch_ms : 0;
  change.during->settles_epoch_ms = takes_time ? std::max(until, SettlesAt(context)) : until;
  change.during->becomes = TableRef::Adopt(change.after.release());
  return catalog.Publish(current, std::move(change.during));
}

TableRef BeginDeletion(const Context& context, const TableRef& current) {
  Catalog& catalog = context.engine.catalog();
  if (context.transition_ms == 0) return catalog.Remove(current) ? current : TableRef();
  auto deleting = std::make_unique<TableVersion>(*current);
  deleting->status = ResourceStatus::kDeleting;
  deleting->settles_epoch_ms = SettlesAt(context);
  return catalog.Publish(current, std::move(deleting));
}

Error ResourceInUse(std::string detail) {
  return Error{ErrorCode::kResourceInUseException,
               "Attempt to change a resource which is still in use: " + std::move(detail), nullptr};
}

Status CheckNotComingOrGoing(const TableVersion& table) {
  if (table.status == ResourceStatus::kCreating) {
    return ResourceInUse("Table is being created: " + table.name);
  }
  if (table.status == ResourceStatus::kDeleting) {
    return ResourceInUse("Table is being deleted: " + table.name);
  }
  return {};
}

}  // namespace hashrange
