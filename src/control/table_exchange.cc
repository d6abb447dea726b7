#include "control/table_exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "control/table_copy.h"
#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

AccountName AccountOf(const TableVersion& table) { return {table.account_id, table.region}; }

// A stream that was being enabled is enabled when the transition of its table is over.
std::int64_t EnabledEpochMs(const TableVersion& table, std::int64_t now_ms) {
  const bool is_being_enabled = table.status() == ResourceStatus::kCreating ||
                                table.settings.stream_switch == StreamSwitch::kEnabling;
  const bool has_end = table.phase.ends_epoch_ms != kNeverEnds;
  return is_being_enabled && has_end ? table.phase.ends_epoch_ms : now_ms;
}

void SetStream(const StreamRef& stream, TableVersion* version) {
  TableSettings& settings = version->settings;
  if (settings.stream) {
    settings.stream->storage = stream;
    settings.stream->id = stream->definition().id;
  }
  settings.latest_stream_label = stream->label();
}

}  // namespace

TableExchange::~TableExchange() {
  for (const StreamRef& stream : opened_) {
    const StreamDefinition& definition = stream->definition();
    keepers_.streams.Abandon({definition.account_id, definition.account_region}, *stream);
  }
}

void TableExchange::OpenStream(TableVersion* version) {
  if (!version->settings.stream) return;
  const std::int64_t enabled_ms = EnabledEpochMs(*version, keepers_.engine.clock().NowEpochMs());
  StreamDefinition definition =
      MakeStreamDefinition(*version, RegionInArn(version->arn), enabled_ms);
  definition.is_durable = keepers_.engine.catalog().IsDurable(version->account_id, keeping_);
  // Room is made first: an open stream must not be lost.
  if (opened_.size() == opened_.capacity()) opened_.reserve(2 * opened_.size() + 1);
  const StreamRef& opened =
      opened_.emplace_back(keepers_.streams.Open(AccountOf(*version), std::move(definition)));
  EditWithNextPhase(version, [&opened](TableVersion* each) { SetStream(opened, each); });
}

void TableExchange::Add(std::unique_ptr<TableVersion> version, const TablePin* from) {
  OpenStream(version.get());
  in_.Add(std::move(version), from, keeping_);
}

bool TableExchange::Run(std::vector<TableRef> out, const Scope& scope) {
  Catalog& catalog = keepers_.engine.catalog();
  if (!catalog.Exchange(out, in_.all(), &scope, keeping_)) return false;
  const std::vector<TableRef> in = in_.Keep();
  opened_.clear();
  auto streams = std::make_shared<std::vector<StreamRef>>(EndStreams(out, scope));
  if (!streams->empty()) catalog.Discard(std::move(streams));
  catalog.ReleaseTables(std::move(out));
  StartBackgroundWork(in);
  return true;
}

// No commit appends to the removed tables' streams any more. The streams of the scope that were
// closed before, also those of tables deleted earlier, end together with the removed tables'
// streams, so that clients find only the streams of the new tables. A read of an ended stream that
// is under way is completed.
std::vector<StreamRef> TableExchange::EndStreams(const std::vector<TableRef>& out,
                                                 const Scope& scope) const {
  const std::int64_t now_ms = keepers_.engine.clock().NowEpochMs();
  for (const TableRef& table : out) {
    const auto& stream = table->settings.stream;
    if (stream && stream->storage) {
      keepers_.streams.Close(AccountOf(*table), *stream->storage, now_ms, now_ms);
    }
  }
  std::vector<StreamRef> ended;
  keepers_.streams.ForgetClosed(scope, &ended);
  return ended;
}

void TableExchange::StartBackgroundWork(const std::vector<TableRef>& in) const {
  for (const TableRef& table : in) {
    if (table->settings.expiries) keepers_.time_to_live.Watch(*table);
    keepers_.backfiller.StartAll(*table);
  }
}

}  // namespace hashrange
