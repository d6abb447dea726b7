#include "store/load/change_writer.h"

#include <string>
#include <utility>

#include "base/memory/memory_reserve.h"
#include "base/memory/thread_object.h"
#include "engine/map/ordered_map.h"
#include "engine/stream/stored_stream.h"
#include "engine/table.h"
#include "engine/table_record.h"
#include "store/files/store_keys.h"
#include "store/stored_item.h"

namespace hashrange {
namespace {

constexpr std::size_t kItemsAtOnce = 256;

// Returns the changes of the commit that this thread is in; they are empty between commits. Of the
// vectors' memory, the thread's reserve gives what the allocator has not.
JournalGroup& ChangesOfThread() { return OfThread<JournalGroup>(); }

JournalRecord RemovalOf(StoreKey key) { return {key, RecordValue()}; }

JournalRecord TableRecord(const TableRef& table) {
  return {StoreKey::OfTable(table->table->id()),
          RecordValue([kept = table](std::string& out) { out += EncodeTable(*kept); })};
}

JournalRecord NumberRecord(StoreKey key, std::uint64_t number) {
  return {key, RecordValue([number](std::string& out) { out += EncodeCounter(number); })};
}

JournalRecord RecordOf(const TokenRef& token, std::uint64_t number) {
  return {StoreKey::OfToken(token->expiry_epoch_ms, number),
          RecordValue([kept = token](std::string& out) { out += EncodeToken(*kept); })};
}

// A list without tags is stored as such.
JournalRecord TagRecord(StoreKey key, std::span<const Tag> tags) {
  return {key, RecordValue::Of(EncodeTags(tags))};
}

}  // namespace

void ChangeWriter::StartAfter(std::uint64_t last_table_id, std::uint64_t last_token_number) {
  last_table_id_ = last_table_id;
  last_token_number_ = last_token_number;
}

void ChangeWriter::OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept {
  JournalGroup& all = ChangesOfThread();
  for (const Change& change : changes) {
    if (!change.table->is_durable) continue;
    all.items.push_back(
        {change.table->table->id(), change.after ? change.after : change.before, !change.after});
    // In the same group: a later change of the item is not undone by a restart.
    if (change.seed != 0) all.items.push_back({change.seed, change.after, true});
  }
  if (token) all.records.push_back(RecordOf(token, ++last_token_number_));
  if (all.items.empty() && all.records.empty()) return;
  auto time = ClockRecord(changes.empty() ? clock_.NowEpochMs() : changes.front().epoch_ms);
  if (time) all.records.push_back(*std::move(time));
  journal_.Append(all.items, all.records);
  all.items.clear();
  all.records.clear();
}

void ChangeWriter::OnRecord(Stream& stream, std::size_t shard, std::uint64_t number,
                            const StreamRecord& record) noexcept {
  const StoreKey key =
      StoreKey::OfStreamRecord(stream.definition().id, static_cast<std::uint16_t>(shard), number);
  ChangesOfThread().records.push_back(
      {key, RecordValue([kept = record](std::string& out) {
         const std::string before = EncodeImage(kept.before.get());
         const std::string after = EncodeImage(kept.after.get());
         out += EncodeStreamRecord({before, after, kept.epoch_ms, kept.event, kept.origin});
       }),
       static_cast<std::size_t>(record.item_bytes())});
}

void ChangeWriter::Append(JournalRecord record) { journal_.Append({}, {&record, 1}); }

std::optional<JournalRecord> ChangeWriter::ClockRecord(std::int64_t epoch_ms) {
  std::int64_t written = written_clock_ms_.load(std::memory_order_relaxed);
  while (epoch_ms > written) {
    if (!written_clock_ms_.compare_exchange_weak(written, epoch_ms, std::memory_order_relaxed)) {
      continue;
    }
    return NumberRecord(StoreKey::OfCounter(kClockCounter), static_cast<std::uint64_t>(epoch_ms));
  }
  return std::nullopt;
}

void ChangeWriter::WriteClock() {
  auto time = ClockRecord(clock_.NowEpochMs());
  if (time) Append(*std::move(time));
}

void ChangeWriter::AppendItems(std::uint64_t id, absl::FunctionRef<const ItemRef*()> next) {
  std::vector<JournalItem> items;
  items.reserve(kItemsAtOnce);
  const auto append = [&] {
    (void)journal_.WaitForRoom();  // once the journal has ended, nothing is kept any more
    DrawReserve(kMostBytesOfObserver);
    journal_.Append(items, {});
    items.clear();
  };
  while (const ItemRef* item = next()) {
    items.push_back({id, *item, false});
    if (items.size() == kItemsAtOnce) append();
  }
  append();
}

// The copy is read as of the instant of the pin.
void ChangeWriter::OnPrepare(const TableVersion& table, const TablePin& from) {
  for (const PinnedMap& map : from.items) {
    MapCursor cursor(map.root, table.table->order(), Interval(), true);
    ItemRef item;
    AppendItems(table.table->id(), [&]() -> const ItemRef* {
      item = ItemRef::Share(cursor.Next());
      return item ? &item : nullptr;
    });
  }
}

void ChangeWriter::OnSeedItems(const PendingSeed& seed, absl::FunctionRef<const ItemRef*()> next) {
  AppendItems(seed.id, next);
}

// The record goes first: without it, a restart removes what is left of the items.
void ChangeWriter::OnSeedEnd(const PendingSeed& seed) noexcept {
  Append(RemovalOf(StoreKey::OfSeed(seed.id, seed.table_id)));
  journal_.RemoveRange(StoreKeyRange::OfItems(seed.id));
}

void ChangeWriter::OnAbandon(const TableVersion& table) noexcept {
  journal_.RemoveRange(StoreKeyRange::OfItems(table.table->id()));
}

void ChangeWriter::OnPublish(const TableVersion& version) noexcept {
  Append(TableRecord(TableRef::Share(&version)));
}

void ChangeWriter::OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                              std::span<const PendingSeed> seeds) noexcept {
  JournalGroup::Changes<JournalRecord> records;
  for (const TableRef& table : out) {
    if (!table->is_durable) continue;
    const std::uint64_t id = table->table->id();
    records.push_back(RemovalOf(StoreKey::OfTable(id)));
    records.push_back(RemovalOf(StoreKey::OfTableTags(id)));
  }
  for (const TableRef& table : in) {
    if (!table->is_durable) continue;
    const std::uint64_t id = table->table->id();
    records.push_back(TableRecord(table));
    if (id > last_table_id_) {
      last_table_id_ = id;
      records.push_back(NumberRecord(StoreKey::OfCounter(kTableIdCounter), id));
    }
    const std::vector<Tag> tags = table->tags->All();
    if (!tags.empty()) records.push_back(TagRecord(StoreKey::OfTableTags(id), tags));
  }
  for (const PendingSeed& seed : seeds) {
    if (seed.id == 0) continue;
    records.push_back(NumberRecord(StoreKey::OfSeed(seed.id, seed.table_id), seed.table_id));
  }
  journal_.Append({}, records);
  for (const TableRef& table : out) {
    if (table->is_durable) journal_.RemoveRange(StoreKeyRange::OfItems(table->table->id()));
  }
}

void ChangeWriter::OnTags(std::uint64_t table_id, std::span<const Tag> tags) noexcept {
  Append(TagRecord(StoreKey::OfTableTags(table_id), tags));
}

void ChangeWriter::OnOpen(Stream& stream) noexcept {
  JournalRecord records[] = {
      StreamDescription(stream, clock_.NowEpochMs()),
      NumberRecord(StoreKey::OfCounter(kStreamIdCounter), stream.definition().id)};
  journal_.Append({}, records);
  trimmer_.Add(stream, std::vector<std::uint64_t>(stream.shard_count(), Shard::kFirstNumber));
}

void ChangeWriter::OnClose(Stream& stream) noexcept {
  Append(StreamDescription(stream, clock_.NowEpochMs()));
}

void ChangeWriter::OnForget(Stream& stream) noexcept {
  const std::uint64_t id = stream.definition().id;
  JournalRecord records[] = {RemovalOf(StoreKey::OfStream(id)),
                             RemovalOf(StoreKey::OfStreamTags(id))};
  journal_.Append({}, records);
  journal_.RemoveRange(StoreKeyRange::OfStreamRecords(id));
  trimmer_.Remove(stream);
}

void ChangeWriter::OnTags(Stream& stream, std::span<const Tag> tags) noexcept {
  Append(TagRecord(StoreKey::OfStreamTags(stream.definition().id), tags));
}

}  // namespace hashrange
