#include "operation/table/table_transitions.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "operation/table/throughput_history.h"

namespace hashrange {
namespace {

bool IsWaitedFor(const IndexVersion& index) {
  return index.status == ResourceStatus::kCreating && !(index.is_backfilling && index.is_filled);
}

IndexVersion* FindIndex(std::string_view name, TableVersion* table) {
  const auto found = std::ranges::find(table->indexes, name, [](const IndexVersion& index) {
    return std::string_view(index.schema.name);
  });
  return found == table->indexes.end() ? nullptr : &*found;
}

// Throughput that `table` was about to have is changed when the table settles.
void CompleteThroughput(const TableVersion& table, TableVersion* next) {
  if (!table.becomes || table.settles_epoch_ms == kNeverSettles) return;
  CompleteChange(table.settings.throughput, next->settings.throughput, table.settles_epoch_ms,
                 &next->settings.throughput_history);
  for (const IndexVersion& index : table.indexes) {
    IndexVersion* const after = FindIndex(index.schema.name, next);
    if (!after) continue;
    CompleteChange(index.throughput, after->throughput, table.settles_epoch_ms,
                   &after->throughput_history);
  }
}

// What a table whose time has come goes on to become, when it still waits for an index.
TableRef StillBecomes(const TableVersion& table) {
  if (!table.becomes) return nullptr;
  auto becomes = std::make_unique<TableVersion>(*table.becomes);
  CompleteThroughput(table, becomes.get());
  return TableRef::Adopt(becomes.release());
}

// What the table is when its time has come. An index that is waited for stays as it is, but
// for being backfilled from now on; the rest is what the table becomes.
std::unique_ptr<TableVersion> Settled(const TableVersion& table, std::int64_t transition_ms) {
  auto next = std::make_unique<TableVersion>(table.becomes ? *table.becomes : table);
  next->status = ResourceStatus::kActive;
  next->settles_epoch_ms = kNeverSettles;
  next->becomes = nullptr;
  CompleteThroughput(table, next.get());
  for (const IndexVersion& index : table.indexes) {
    if (!IsWaitedFor(index)) continue;
    IndexVersion& waited_for = *FindIndex(index.schema.name, next.get());
    waited_for.status = ResourceStatus::kCreating;
    waited_for.is_backfilling = true;
    waited_for.is_filled = index.is_filled;
    next->becomes = StillBecomes(table);
    const bool is_new_phase = !index.is_backfilling && transition_ms > 0;
    if (is_new_phase) next->settles_epoch_ms = table.settles_epoch_ms + transition_ms;
  }
  return next;
}

// May fail because another was first: the caller looks again.
void Settle(const Context& context, const TableRef& table) {
  Catalog& catalog = context.engine.catalog();
  if (table->status == ResourceStatus::kDeleting) {
    catalog.Remove(table);
  } else {
    catalog.Publish(table, Settled(*table, context.transition_ms));
  }
}

std::int64_t SettlesAt(const Context& context) {
  return context.NowEpochMs() + context.transition_ms;
}

}  // namespace

TableRef FindSettled(const Context& context, std::string_view name) {
  Catalog& catalog = context.engine.catalog();
  for (;;) {
    TableRef table = catalog.Find(context.account, name);
    if (!table || table->settles_epoch_ms == kNeverSettles) return table;
    if (context.NowEpochMs() < table->settles_epoch_ms) return table;
    Settle(context, table);
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
  change.during->becomes = TableRef::Adopt(change.after.release());
  const bool is_passing = current->settles_epoch_ms != kNeverSettles;
  const bool takes_time = change.passes && context.transition_ms > 0;
  if (!is_passing && !takes_time) {
    // What it is meanwhile is only described.
    TableRef during = TableRef::Adopt(change.during.release());
    return catalog.Publish(current, Settled(*during, 0)) ? during : nullptr;
  }
  const std::int64_t until = is_passing ? current->settles_epoch_ms : 0;
  change.during->settles_epoch_ms = takes_time ? std::max(until, SettlesAt(context)) : until;
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
