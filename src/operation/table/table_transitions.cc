#include "operation/table/table_transitions.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

// Publishes the version that follows, or removes the table when it was being deleted. Changes
// nothing when another look-up was first; in both cases the caller looks the table up again.
void EndPhase(const Context& context, const TableRef& table) {
  Catalog& catalog = context.engine.catalog();
  if (auto next =
          VersionAfter(*table, PhaseEnd{context.index_transition_ms, context.NowEpochMs()})) {
    catalog.Publish(table, std::move(next));
  } else {
    catalog.Remove(table);
  }
}

// Returns the end of a phase that begins now and lasts that long; nullopt: it takes no time.
std::optional<std::int64_t> PhaseEndEpochMs(const Context& context, std::int64_t duration_ms) {
  if (duration_ms == 0) return std::nullopt;
  return context.NowEpochMs() + duration_ms;
}

// Returns whether an index is added to the table or deleted from it.
bool ChangesIndexes(const TableChange& change) {
  return std::ranges::any_of(change.during->indexes, [](const IndexVersion& index) {
    return index.status() == ResourceStatus::kCreating ||
           index.status() == ResourceStatus::kDeleting;
  });
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
      VersionAfter(*version, TableCreation{PhaseEndEpochMs(context, context.transition_ms)}));
}

TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change) {
  Catalog& catalog = context.engine.catalog();
  change.ends_epoch_ms = PhaseEndEpochMs(
      context, ChangesIndexes(change) ? context.index_transition_ms : context.transition_ms);
  auto during = VersionAfter(*current, std::move(change));
  if (during->phase.ends_epoch_ms != kNeverEnds) return catalog.Publish(current, std::move(during));
  TableRef described = TableRef::Adopt(during.release());
  return catalog.Publish(current, VersionAfter(*described, PhaseEnd{})) ? described : nullptr;
}

TableRef BeginDeletion(const Context& context, const TableRef& current) {
  Catalog& catalog = context.engine.catalog();
  auto deleting =
      VersionAfter(*current, TableDeletion{PhaseEndEpochMs(context, context.transition_ms)});
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

StreamOpening::~StreamOpening() {
  if (opened_) context_.streams.Abandon(context_.account, *opened_);
}

void StreamOpening::OpenFor(TableVersion* version) {
  auto& stream = version->settings.stream;
  if (!stream || stream->storage) return;
  const std::int64_t enabled_ms = context_.NowEpochMs() + context_.transition_ms;
  StreamDefinition definition = MakeStreamDefinition(*version, context_.region, enabled_ms);
  definition.creation_epoch_ms = context_.NowEpochMs();
  definition.is_durable = context_.engine.catalog().IsDurable(context_.account.account_id);
  opened_ = context_.streams.Open(context_.account, std::move(definition));
  stream->storage = opened_;
  stream->id = opened_->definition().id;
  version->settings.latest_stream_label = opened_->label();
}

void StreamOpening::OpenFor(TableChange* change) {
  OpenFor(change->after.get());
  TableSettings& during = change->during->settings;
  if (!during.stream) return;
  during.stream = change->after->settings.stream;
  during.latest_stream_label = change->after->settings.latest_stream_label;
}

void CloseStream(const Context& context, const TableVersion& replaced) {
  const auto& stream = replaced.settings.stream;
  if (!stream || !stream->storage) return;
  const std::int64_t now_ms = context.NowEpochMs();
  context.streams.Close(context.account, *stream->storage, now_ms, now_ms + context.transition_ms);
}

void LogTable(const TableVersion& table, std::string_view what_happened) {
  if (!IsLogged(LogLevel::kInfo)) return;
  std::string line = "table ";
  line.append(table.name).append(" ").append(what_happened).append(" for ");
  line.append(table.account_id);
  // Shared tables belong to no Region.
  if (!table.region.empty()) line.append("/").append(table.region);
  Log(LogLevel::kInfo, line);
}

}  // namespace hashrange
