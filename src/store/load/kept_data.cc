#include "store/load/kept_data.h"

#include <chrono>
#include <memory>
#include <utility>

#include "base/memory/arena.h"
#include "base/workers.h"
#include "engine/idempotency_tokens.h"
#include "engine/stream/stored_stream.h"
#include "engine/table_record.h"
#include "store/data_reader.h"
#include "store/files/log_ends.h"
#include "store/files/store_keys.h"

namespace hashrange {
namespace {

constexpr std::size_t kRecordsAtOnce = 1000;

Journal::Options JournalOptions(std::int64_t sync_interval_ms) {
  Journal::Options options;
  if (sync_interval_ms == KeptData::kNeverFlushed) {
    options.flush = Journal::Flush::kNever;
  } else if (sync_interval_ms > 0) {
    options.flush = Journal::Flush::kInterval;
    options.interval = std::chrono::milliseconds(sync_interval_ms);
  }
  return options;
}

}  // namespace

Result<std::unique_ptr<KeptData>> KeptData::Open(const Options& options) {
  const Journal::Options journal = JournalOptions(options.sync_interval_ms);
  DataDirectory::Options open = Journal::DirectoryOptions(journal.flush);
  open.disk = options.disk;
  HR_ASSIGN(std::unique_ptr<DataDirectory> directory, DataDirectory::Open(options.directory, open));
  return std::unique_ptr<KeptData>(new KeptData(std::move(directory), journal));
}

Result<std::unique_ptr<KeptTables>> OpenKeptTables(const KeptTablesPlace& place) {
  HR_ASSIGN(
      std::unique_ptr<KeptData> kept,
      KeptData::Open({.directory = place.directory, .sync_interval_ms = place.sync_interval_ms}));
  return std::unique_ptr<KeptTables>(std::move(kept));
}

Result<int> KeptData::Load(const Parts& parts, std::atomic<std::int64_t>& items) {
  StoredSummary summary;
  {
    const DataReader reader(directory_);
    StoredLoad load({parts.engine, parts.streams, parts.clock}, reader, items);
    HR_ASSIGN(summary, load.Run(ThreadsOfMachine()));
  }
  journal_.Start();
  RemoveRest(summary.removed_tables, summary.stale_records);
  trimmer_.emplace(journal_, parts.clock);
  writer_.emplace(journal_, *trimmer_, parts.clock);
  writer_->StartAfter(summary.last_table_id, summary.last_token_number);
  for (const auto& [stream, first_numbers] : summary.streams) trimmer_->Add(*stream, first_numbers);
  parts.engine.AddObserver(*writer_);
  parts.engine.catalog().SetObserver(*writer_);
  parts.streams.SetObserver(*writer_);
  parts.streams.CloseUnused(parts.clock.NowEpochMs());
  trimmer_->Start();
  for (const TableRef& table : summary.tables) {
    if (table->settings.expiries) parts.time_to_live.WatchFilled(*table);
    parts.backfiller.StartAll(*table);
  }
  for (const auto& seed : summary.seeds) FinishSeed(parts.engine, seed);
  return static_cast<int>(summary.tables.size());
}

Status KeptData::Stop() {
  if (trimmer_) trimmer_->Stop();
  return journal_.Stop();
}

// The table may have a newer version already, when the filling of an index has ended.
void KeptData::FinishSeed(Engine& engine, const StoredSummary::FoundSeed& found) {
  Arena arena;
  TableRef table = found.table;
  for (const ItemRef& item : found.items) {
    (void)journal_.WaitForRoom();
    const auto put = [&item](ItemView) { return Decision::Put(item); };
    WriteOutcome outcome;
    for (;;) {
      arena.Reset();
      const ItemWrite write{.address = {table.get(), {item->hash(), item->key()}},
                            .function = put,
                            .seed = found.seed.id};
      if (engine.Commit({&write, 1}, {&outcome, 1}, arena) != CommitResult::kStale) break;
      table = engine.catalog().Find({table->account_id, table->region}, table->name);
    }
  }
  engine.catalog().EndSeed(found.seed);
}

void KeptData::RemoveRest(const std::vector<std::uint64_t>& tables,
                          const std::vector<StoreKey>& records) {
  for (const std::uint64_t table : tables) journal_.RemoveRange(StoreKeyRange::OfItems(table));
  std::vector<JournalRecord> changes;
  for (const StoreKey& key : records) {
    changes.push_back({key, RecordValue()});
    if (changes.size() < kRecordsAtOnce) continue;
    journal_.Append({}, changes);
    changes.clear();
  }
  journal_.Append({}, changes);
}

namespace {

template <typename T>
Status StatusOf(Result<T> result) {
  return result.ok() ? Status() : Status(std::move(result).error());
}

// Checks the records whose form other folders decide. Images of stream records are checked at a
// start, where the key of their table is known.
Status CheckRecord(const StoreKeyParts& key, std::string_view value) {
  switch (key.kind) {
    case RecordKind::kTable:
      return StatusOf(DecodeTable(value));
    case RecordKind::kTableTags:
    case RecordKind::kStreamTags:
      return StatusOf(DecodeTags(value));
    case RecordKind::kStream:
      return StatusOf(DecodeStream(value));
    case RecordKind::kStreamRecord:
      return StatusOf(DecodeStreamRecord(value));
    case RecordKind::kToken:
      return StatusOf(DecodeToken(value));
    case RecordKind::kSeed:
    case RecordKind::kCounter:
      return StatusOf(DecodeCounter(value));
    case RecordKind::kLogPosition:
      if (!DecodeLogPosition(value)) return InternalError("it is no position in a log");
      break;
    case RecordKind::kItem:
      break;
  }
  return {};
}

Result<KeySchema> ReadSchema(std::string_view table_record) {
  HR_ASSIGN(const std::unique_ptr<TableVersion> table, DecodeTable(table_record));
  return table->key;
}

}  // namespace

Result<DirectoryReport> CheckKeptData(const std::string& directory) {
  return CheckDirectory(directory, {.read_schema = ReadSchema, .check_record = CheckRecord});
}

}  // namespace hashrange
