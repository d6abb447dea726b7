#include "control/table_exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "control/table_copy.h"

namespace hashrange {
namespace {

AccountName AccountOf(const TableVersion& table) { return {table.account_id, table.region}; }

// A stream that was on its way is when its table's time has come.
std::int64_t EnabledEpochMs(const TableVersion& table, std::int64_t now_ms) {
  const bool is_coming = table.status == ResourceStatus::kCreating ||
                         table.settings.stream_switch == StreamSwitch::kEnabling;
  return is_coming && table.settles_epoch_ms != kNeverSettles ? table.settles_epoch_ms : now_ms;
}

void SetStream(const StreamRef& stream, TableVersion* version) {
  TableSettings& settings = version->settings;
  if (settings.stream) settings.stream->storage = stream;
  settings.latest_stream_label = stream->label();
}

}  // namespace

TableExchange::~TableExchange() {
  if (is_done_) return;
  for (const TableRef& table : in_) {
    const auto& stream = table->settings.stream;
    if (stream) keepers_.streams.Abandon(AccountOf(*table), *stream->storage);
  }
}

void TableExchange::OpenStream(TableVersion* version) {
  if (!version->settings.stream) return;
  const std::int64_t enabled_ms = EnabledEpochMs(*version, keepers_.engine.clock().NowEpochMs());
  const StreamRef opened = keepers_.streams.Open(
      AccountOf(*version), StreamDefinitionOf(*version, RegionInArn(version->arn), enabled_ms));
  SetStream(opened, version);
  if (!version->becomes) return;
  auto becomes = std::make_unique<TableVersion>(*version->becomes);
  SetStream(opened, becomes.get());
  version->becomes = TableRef::Adopt(becomes.release());
}

void TableExchange::Add(std::unique_ptr<TableVersion> version, const TablePin* from) {
  OpenStream(version.get());
  in_.push_back(keepers_.engine.catalog().Prepare(std::move(version), from));
}

bool TableExchange::Run(std::vector<TableRef> out, const Scope& scope) {
  Catalog& catalog = keepers_.engine.catalog();
  if (!catalog.Exchange(out, in_, &scope)) return false;
  is_done_ = true;
  auto streams = std::make_shared<std::vector<StreamRef>>(CloseStreams(out));
  if (!streams->empty()) catalog.Discard(std::move(streams));
  catalog.LetGo(std::move(out));
  StartWork();
  return true;
}

// No commit appends to them any more, and who reads them sees their end. The streams that were
// closed before are forgotten: a table that is reset a thousand times keeps one, not a thousand
// for a day.
std::vector<StreamRef> TableExchange::CloseStreams(const std::vector<TableRef>& out) const {
  const std::int64_t now_ms = keepers_.engine.clock().NowEpochMs();
  std::vector<StreamRef> forgotten;
  for (const TableRef& table : out) {
    keepers_.streams.ForgetClosed(AccountOf(*table), table->arn, &forgotten);
    const auto& stream = table->settings.stream;
    if (stream && stream->storage) stream->storage->Close(now_ms, now_ms);
  }
  return forgotten;
}

void TableExchange::StartWork() const {
  for (const TableRef& table : in_) {
    if (table->settings.expiries) keepers_.time_to_live.Watch(*table);
    for (const IndexVersion& index : table->indexes) {
      if (index.status != ResourceStatus::kCreating || index.is_filled) continue;
      keepers_.backfiller.Start({table->account_id, table->region, table->name, index.schema.name});
    }
  }
}

}  // namespace hashrange
