#include "store/load/stored_load.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/workers.h"
#include "engine/stream/stored_stream.h"
#include "engine/table.h"
#include "engine/table_record.h"
#include "engine/ttl/expiry_set.h"
#include "store/stored_item.h"

namespace hashrange {
namespace {

// Ids are given from 1 on, so no server reaches this one.
constexpr auto kMaxId = static_cast<std::uint64_t>(INT64_MAX);

}  // namespace

struct StoredLoad::LoadingTable {
  LoadingTable(TableRef table, std::shared_ptr<ExpirySet> expiry_set)
      : load(std::move(table)), expiries(std::move(expiry_set)) {}

  TableLoad load;
  std::shared_ptr<ExpirySet> expiries;  // null: its items do not expire
};

StoredLoad::StoredLoad(const StoredParts& parts, const DataReader& reader,
                       std::atomic<std::int64_t>& items)
    : parts_(parts), reader_(reader), items_(items) {}
StoredLoad::~StoredLoad() = default;

Result<StoredSummary> StoredLoad::Run(int threads) {
  HR_RETURN_IF_ERROR(reader_.CheckForUnknownKeys());
  HR_RETURN_IF_ERROR(ReadCounters());
  HR_RETURN_IF_ERROR(ReadStreams());
  HR_RETURN_IF_ERROR(ReadStreamRecords());
  LeaveGapsInStreams();
  HR_RETURN_IF_ERROR(ReadTables());
  constexpr auto kParts = static_cast<std::size_t>(PartitionSet::kPartitions);
  HR_RETURN_IF_ERROR(RunJobs(threads, tables_.size() * kParts, [this](std::size_t job) {
    return ReadItems(*tables_[job / kParts], job % kParts);
  }));
  std::vector<std::pair<TableLoad*, int>> jobs;
  for (const auto& table : tables_) {
    for (int job = 0; job < table->load.job_count(); ++job) jobs.emplace_back(&table->load, job);
  }
  HR_RETURN_IF_ERROR(RunJobs(threads, jobs.size(), [&jobs](std::size_t job) {
    jobs[job].first->RunJob(jobs[job].second);
    return Status();
  }));
  HR_RETURN_IF_ERROR(ReadSeeds());
  HR_RETURN_IF_ERROR(ReadTokens());
  HR_RETURN_IF_ERROR(FindRemovedTables());
  HR_RETURN_IF_ERROR(Publish());
  return std::move(summary_);
}

Status StoredLoad::ReadCounters() {
  return reader_.ForEachRecord(RecordKind::kCounter,
                               [this](const StoreKeyParts& key, std::string_view value) -> Status {
                                 HR_ASSIGN(const std::uint64_t count, DecodeCounter(value));
                                 if (key.number == kTableIdCounter) summary_.last_table_id = count;
                                 if (key.number == kStreamIdCounter)
                                   summary_.last_stream_id = count;
                                 if (key.number == kClockCounter) return SetClock(count);
                                 return {};
                               });
}

Status StoredLoad::SetClock(std::uint64_t epoch_ms) {
  if (epoch_ms > static_cast<std::uint64_t>(AdjustableClock::kMaxEpochMs)) {
    return InternalError("the counter of the clock is damaged: it is " + std::to_string(epoch_ms));
  }
  const std::int64_t behind_ms = static_cast<std::int64_t>(epoch_ms) - parts_.clock.NowEpochMs();
  if (behind_ms > 0) parts_.clock.Advance(behind_ms);
  return {};
}

Status StoredLoad::ReadStreams() {
  HR_RETURN_IF_ERROR(reader_.ForEachRecord(
      RecordKind::kStream, [this](const StoreKeyParts& key, std::string_view value) -> Status {
        HR_ASSIGN(StoredStream stored, DecodeStream(value));
        HR_ASSIGN(StreamRef stream, parts_.streams.Restore(stored));
        summary_.last_stream_id = std::max(summary_.last_stream_id, key.id);
        streams_.emplace(key.id, summary_.streams.size());
        summary_.streams.push_back({std::move(stream), std::move(stored.first_numbers)});
        return {};
      }));
  return reader_.ForEachRecord(RecordKind::kStreamTags,
                               [this](const StoreKeyParts& key, std::string_view value) -> Status {
                                 HR_ASSIGN(const std::vector<Tag> tags, DecodeTags(value));
                                 const auto found = streams_.find(key.id);
                                 if (found != streams_.end())
                                   summary_.streams[found->second].stream->tags().Add(tags);
                                 return {};
                               });
}

Status StoredLoad::ReadStreamRecords() {
  const StoredSummary::FoundStream* of = nullptr;  // null: there is no such stream
  std::optional<std::uint64_t> stream_id;
  std::optional<StoredItemReader> images;
  return reader_.ForEachRecord(
      RecordKind::kStreamRecord, [&](const StoreKeyParts& key, std::string_view value) -> Status {
        if (key.id != stream_id) {
          stream_id = key.id;
          const auto found = streams_.find(key.id);
          of = found == streams_.end() ? nullptr : &summary_.streams[found->second];
          if (of) images.emplace(of->stream->definition().key);
        }
        const bool has_shard = of && key.shard < of->stream->shard_count();
        if (!has_shard || key.number < of->first_numbers[key.shard]) {
          summary_.stale_records.push_back(StoreKey::OfStreamRecord(key.id, key.shard, key.number));
          return {};
        }
        return AddStreamRecord(*of->stream, key, value, *images);
      });
}

Status StoredLoad::AddStreamRecord(Stream& stream, const StoreKeyParts& key, std::string_view value,
                                   StoredItemReader& images) {
  HR_ASSIGN(const StoredStreamRecord stored, DecodeStreamRecord(value));
  StreamRecord record{.epoch_ms = stored.epoch_ms, .event = stored.event, .origin = stored.origin};
  HR_ASSIGN(record.before, DecodeImage(stored.before, images));
  HR_ASSIGN(record.after, DecodeImage(stored.after, images));
  if (stream.shard(key.shard).AddStored(key.number, std::move(record))) return {};
  return InternalError("the stream " + stream.arn() + " has no place for its record " +
                       std::to_string(key.number));
}

// A consumer may have read records that a crash has undone, as reads do not wait for the disk. The
// numbers of these records are not used again: the consumer would take new records for records that
// it has read. More than kNumbersOfAMs records in a millisecond are not made.
void StoredLoad::LeaveGapsInStreams() {
  constexpr std::uint64_t kNumbersOfAMs = 1024, kLeastGap = 1 << 20;
  const std::int64_t now_ms = parts_.clock.NowEpochMs();
  for (const StoredSummary::FoundStream& found : summary_.streams) {
    for (std::size_t i = 0; i < found.stream->shard_count(); ++i) {
      Shard& shard = found.stream->shard(i);
      shard.GoOnFrom(std::max(shard.ExtentAt(now_ms).next + kLeastGap,
                              static_cast<std::uint64_t>(now_ms) * kNumbersOfAMs));
    }
  }
}

Status StoredLoad::ReadTables() {
  HR_RETURN_IF_ERROR(reader_.ForEachRecord(
      RecordKind::kTableTags, [this](const StoreKeyParts& key, std::string_view value) -> Status {
        HR_ASSIGN(table_tags_[key.id], DecodeTags(value));
        return {};
      }));
  return reader_.ForEachRecord(
      RecordKind::kTable,
      [this](const StoreKeyParts& key, std::string_view value) { return ReadTable(key, value); });
}

Status StoredLoad::ReadTable(const StoreKeyParts& key, std::string_view value) {
  HR_ASSIGN(std::unique_ptr<TableVersion> version, DecodeTable(value));
  if (!names_.emplace(version->account_id, version->region, version->name).second) {
    return InternalError("the table " + version->name + " is stored twice");
  }
  HR_RETURN_IF_ERROR(parts_.streams.Attach(version.get()));
  auto expiries = AttachExpirySet(version.get());
  if (const auto tags = table_tags_.find(key.id); tags != table_tags_.end()) {
    version->tags->Add(tags->second);
  }
  summary_.last_table_id = std::max(summary_.last_table_id, key.id);
  TableRef table = parts_.engine.catalog().PrepareStored(std::move(version), key.id);
  summary_.tables.push_back(table);
  tables_.push_back(std::make_unique<LoadingTable>(std::move(table), std::move(expiries)));
  return {};
}

Status StoredLoad::ReadItems(LoadingTable& table, std::uint64_t part) {
  const TableVersion& version = table.load.table();
  const HashRange range = SplitHashes(PartitionSet::kPartitions)[part];
  constexpr std::int64_t kCountedAtOnce = 1024;
  std::int64_t count = 0;
  Status read =
      reader_.ForEachItem(version.table->id(), version.key, range, [&](ItemRef item) -> Status {
        if (table.expiries) table.expiries->Insert(ItemView(version.key, item.get()));
        if (!table.load.Add(std::move(item))) {
          return InternalError("the items of the table " + version.name + " are not in order");
        }
        if (++count % kCountedAtOnce == 0) items_ += kCountedAtOnce;
        return {};
      });
  items_ += count % kCountedAtOnce;
  return read;
}

// A token whose transaction used a table that is gone was forgotten together with the table, or
// stands for items that nobody can find any more.
Status StoredLoad::ReadTokens() {
  const std::int64_t now_ms = parts_.clock.NowEpochMs();
  const auto is_there = [this](std::uint64_t id) { return FindTable(id) != nullptr; };
  return reader_.ForEachRecord(
      RecordKind::kToken, [&](const StoreKeyParts& key, std::string_view value) -> Status {
        summary_.last_token_number = std::max(summary_.last_token_number, key.number);
        HR_ASSIGN(TokenRecord record, DecodeToken(value));
        const bool is_known = record.expiry_epoch_ms > now_ms &&
                              std::ranges::all_of(record.completed.tables, is_there);
        if (is_known) summary_.tokens.push_back(std::move(record));
        return {};
      });
}

// A seed of a table that was removed is dropped.
Status StoredLoad::ReadSeeds() {
  HR_RETURN_IF_ERROR(reader_.ForEachRecord(
      RecordKind::kSeed, [this](const StoreKeyParts& key, std::string_view) -> Status {
        summary_.last_table_id = std::max(summary_.last_table_id, key.id);
        TableRef table = FindTable(key.number);
        if (table) {
          summary_.seeds.push_back({{key.id, key.number}, std::move(table), {}});
        } else {
          summary_.stale_records.push_back(StoreKey::OfSeed(key.id, key.number));
        }
        return {};
      }));
  for (StoredSummary::FoundSeed& found : summary_.seeds) {
    HR_RETURN_IF_ERROR(
        reader_.ForEachItem(found.seed.id, found.table->key, {}, [&](ItemRef item) -> Status {
          found.items.push_back(std::move(item));
          return {};
        }));
  }
  return {};
}

Status StoredLoad::FindRemovedTables() {
  HR_ASSIGN(const std::vector<std::uint64_t> with_items, reader_.TablesWithItems());
  for (const std::uint64_t id : with_items) {
    const auto is_of_id = [id](const StoredSummary::FoundSeed& found) {
      return found.seed.id == id;
    };
    const bool is_used = FindTable(id) || std::ranges::any_of(summary_.seeds, is_of_id);
    if (!is_used) summary_.removed_tables.push_back(id);
    summary_.last_table_id = std::max(summary_.last_table_id, id);
  }
  return {};
}

TableRef StoredLoad::FindTable(std::uint64_t id) const {
  const auto id_of = [](const TableRef& table) { return table->table->id(); };
  const auto found = std::ranges::lower_bound(summary_.tables, id, {}, id_of);
  return found != summary_.tables.end() && id_of(*found) == id ? *found : nullptr;
}

Status StoredLoad::Publish() {
  for (const std::uint64_t id : {summary_.last_table_id, summary_.last_stream_id}) {
    if (id > kMaxId) {
      return InternalError("an id of a table or of a stream is damaged: it is " +
                           std::to_string(id));
    }
  }
  Catalog& catalog = parts_.engine.catalog();
  catalog.ReserveTableIds(summary_.last_table_id + 1);
  parts_.streams.ReserveIds(summary_.last_stream_id + 1);
  tables_.clear();
  if (!catalog.Exchange({}, summary_.tables)) {
    return InternalError("the stored tables have names of other tables");
  }
  catalog.RestoreTokens(summary_.tokens);
  return {};
}

}  // namespace hashrange
