#include "store/store_writer.h"

#include <leveldb/db.h>

#include <algorithm>
#include <memory>

#include "store/data_directory.h"
#include "store/files/level_db.h"
#include "store/stored_item.h"

namespace hashrange {
namespace {

// A batch is finished when it is at least so large. LevelDB writes it in one call.
constexpr std::size_t kBatchBytes = 4 << 20;

}  // namespace

void StoreWriter::Add(QueuedWork* work, std::size_t most_bytes) {
  const std::size_t batch_bytes = std::min(kBatchBytes, most_bytes);
  while (!work->groups.empty() && waiting_bytes_ < most_bytes) {
    std::list<Batch> made(1);
    Batch& batch = made.front();
    std::size_t size_bytes = 0;
    const std::optional<LogPosition> flush = directory_.last_flush();
    if (flush && flush != stated_) {
      batch.changes.Put(ToSlice(StoreKey::OfLogPosition().bytes()), EncodeLogPosition(*flush));
    }
    auto group = work->groups.begin();
    do {
      for (const JournalItem& change : group->items) AddItem(change, &batch.changes);
      for (JournalRecord& change : group->records) AddRecord(change, &batch.changes);
      batch.end = group->position;
      size_bytes += group->size_bytes;
      ++group;
    } while (group != work->groups.end() && batch.changes.ApproximateSize() < batch_bytes);
    waiting_bytes_ += batch.changes.ApproximateSize();
    waiting_.splice(waiting_.end(), made);
    stated_ = flush;
    work->groups.erase(work->groups.begin(), group);
    work->size_bytes -= size_bytes;
  }
}

void StoreWriter::AddItem(const JournalItem& change, leveldb::WriteBatch* batch) {
  key_.clear();
  AppendItemKey(change.table_id, change.item->hash(), change.item->key(), &key_);
  if (change.is_removed) {
    batch->Delete(key_);
    return;
  }
  value_.clear();
  AppendStoredItem(*change.item, &value_);
  batch->Put(key_, value_);
}

void StoreWriter::AddRecord(JournalRecord& change, leveldb::WriteBatch* batch) {
  if (!change.value.has_value()) {
    batch->Delete(ToSlice(change.key.bytes()));
    return;
  }
  value_.clear();
  change.value.AppendTo(value_);
  batch->Put(ToSlice(change.key.bytes()), value_);
}

void StoreWriter::FirstIsWritten() {
  const Batch& first = waiting_.front();
  const std::size_t size_bytes = first.changes.ApproximateSize();
  written_ = first.end;
  waiting_bytes_ -= size_bytes;
  if (keeps_written_) {
    unflushed_bytes_ += size_bytes;
    unflushed_.splice(unflushed_.end(), waiting_, waiting_.begin());
  } else {
    waiting_.pop_front();
  }
}

void StoreWriter::AllIsFlushed() {
  flushed_ = written_;
  unflushed_.clear();
  unflushed_bytes_ = 0;
}

Status StoreWriter::Write(bool flushes) {
  while (!waiting_.empty()) {
    const bool is_last = waiting_.size() == 1;
    HR_RETURN_IF_ERROR(
        ToStatus(directory_.db()->Write(Flushed(flushes && is_last), &waiting_.front().changes)));
    FirstIsWritten();
    if (flushes && is_last) AllIsFlushed();
  }
  if (!flushes || !has_unflushed()) return {};
  // LevelDB flushes its log with a write only.
  leveldb::WriteBatch nothing;
  HR_RETURN_IF_ERROR(ToStatus(directory_.db()->Write(Flushed(true), &nothing)));
  AllIsFlushed();
  return {};
}

Status StoreWriter::Recover() {
  removed_up_to_.clear();
  HR_RETURN_IF_ERROR(directory_.Reopen());
  // The first batch that waits may have been written, too.
  leveldb::WriteBatch again;
  for (const Batch& batch : unflushed_) again.Append(batch.changes);
  if (!waiting_.empty()) again.Append(waiting_.front().changes);
  HR_RETURN_IF_ERROR(ToStatus(directory_.db()->Write(Flushed(true), &again)));
  if (!waiting_.empty()) FirstIsWritten();
  AllIsFlushed();
  return {};
}

Result<bool> StoreWriter::RemoveSome(const StoreKeyRange& range, int count) {
  const std::string_view begin = range.begin.bytes();
  const leveldb::Slice end = ToSlice(range.end.bytes());
  leveldb::ReadOptions options;
  options.fill_cache = false;
  leveldb::WriteBatch batch;
  bool has_more = false;
  bool removes = false;
  {
    const std::unique_ptr<leveldb::Iterator> at(directory_.db()->NewIterator(options));
    const auto is_in_range = [&] { return at->Valid() && at->key().compare(end) < 0; };
    const bool goes_on = removed_up_to_ >= begin && ToSlice(removed_up_to_).compare(end) < 0;
    at->Seek(goes_on ? ToSlice(removed_up_to_) : ToSlice(begin));
    for (; is_in_range() && count > 0; at->Next(), --count) {
      removed_up_to_ = at->key().ToString();
      removes = true;
      batch.Delete(at->key());
    }
    has_more = is_in_range();
    if (!has_more) removed_up_to_.clear();
    HR_RETURN_IF_ERROR(ToStatus(at->status()));
    if (!removes) return false;
  }
  HR_RETURN_IF_ERROR(ToStatus(directory_.db()->Write(Flushed(false), &batch)));
  return has_more;
}

}  // namespace hashrange
