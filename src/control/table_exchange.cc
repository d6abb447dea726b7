#include "control/table_exchange.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
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
// closed before, also streams of tables deleted earlier, end together with the removed tables'
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

namespace {

// An attempt fails when another change happens meanwhile. Only a change of few tables is fast
// enough to do so, and it is unlikely that such changes let many attempts in a row fail.
constexpr int kMaxAttempts = 1000;

bool IsBeingDeleted(const TableVersion& table) {
  return table.status() == ResourceStatus::kDeleting;
}

// Calls `attempt` with the tables of the scope as they are now, until it succeeds. `attempt`
// returns a number of tables, or nullopt when another change was faster.
Result<std::size_t> TryRepeatedly(
    const TableKeepers& keepers, const Scope& scope,
    absl::FunctionRef<std::optional<std::size_t>(std::vector<TableRef>)> attempt) {
  Catalog& catalog = keepers.engine.catalog();
  for (int i = 0; i < kMaxAttempts; ++i) {
    if (const auto count = attempt(catalog.TablesOf(scope))) return *count;
  }
  return Error{ErrorCode::kResourceInUseException,
               "Nothing was changed: other calls kept creating, changing or deleting tables.",
               nullptr};
}

}  // namespace

Result<std::size_t> Reset(const TableKeepers& keepers, const Scope& scope) {
  const auto reset = [&](std::vector<TableRef> tables) -> std::optional<std::size_t> {
    const std::size_t count = tables.size();
    TableExchange exchange(keepers, Keeping::kDurable);
    return exchange.Run(std::move(tables), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, reset);
}

Result<std::size_t> Truncate(const TableKeepers& keepers, const Scope& scope) {
  const auto truncate = [&](std::vector<TableRef> tables) -> std::optional<std::size_t> {
    std::erase_if(tables, [](const TableRef& table) { return IsBeingDeleted(*table); });
    const std::size_t count = tables.size();
    TableExchange exchange(keepers);
    for (const TableRef& table : tables) {
      exchange.Add(CopyDefinition(*table, table->account_id), nullptr);
    }
    return exchange.Run(std::move(tables), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, truncate);
}

Result<std::size_t> Replace(const TableKeepers& keepers, const Scope& scope,
                            std::span<const TablePin> tables, std::string_view account_id,
                            Keeping keeping) {
  TableExchange exchange(keepers, keeping);
  std::size_t count = 0;
  for (const TablePin& pin : tables) {
    const TableVersion& version = *pin.version;
    if (IsBeingDeleted(version)) continue;
    exchange.Add(CopyDefinition(version, account_id.empty() ? version.account_id : account_id),
                 &pin);
    ++count;
  }
  const auto replace = [&](std::vector<TableRef> out) -> std::optional<std::size_t> {
    return exchange.Run(std::move(out), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, replace);
}

}  // namespace hashrange
