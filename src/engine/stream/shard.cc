#include "engine/stream/shard.h"

#include <algorithm>
#include <new>
#include <utility>

namespace hashrange {
namespace {

// A chunk is full when it takes a sixteenth of the buffer. Records are dropped by whole chunks.
constexpr std::int64_t kChunksInBuffer = 16;

}  // namespace

Shard::~Shard() {
  RecordChunks rest;
  while (!chunks_.empty()) DropOldestChunk(&rest);
  reclaimer_.Free(std::move(rest));
}

bool Shard::IsFull(const RecordChunk& chunk) const {
  return chunk.records.size() == RecordChunk::kMaxRecords ||
         chunk.size_bytes >= buffer_bytes_ / kChunksInBuffer;
}

std::uint64_t Shard::Append(StreamRecord record) {
  RecordChunks dropped;
  std::uint64_t number;
  {
    MutexLock lock(mutex_);
    if (is_closed_) return kStartNumber;
    number = std::max(next_, least_);
    AddToChunk(number, std::move(record), &dropped);
  }
  reclaimer_.Free(std::move(dropped));
  return number;
}

bool Shard::AddStored(std::uint64_t number, StreamRecord record) {
  RecordChunks dropped;
  {
    MutexLock lock(mutex_);
    if (number < next_) return false;
    AddToChunk(number, std::move(record), &dropped);
  }
  reclaimer_.Free(std::move(dropped));
  return true;
}

void Shard::GoOnFrom(std::uint64_t number) {
  MutexLock lock(mutex_);
  least_ = number;
}

// `number` is `next_` or above it.
void Shard::AddToChunk(std::uint64_t number, StreamRecord&& record, RecordChunks* dropped) {
  if (chunks_.empty() || IsFull(*chunks_.back()) || number != next_) {
    DropExpired(record.epoch_ms, dropped);  // as a stream may have no reader
    BeginChunk(number, dropped);
  }
  size_bytes_ += chunks_.back()->Add(std::move(record));
  next_ = number + 1;
  while (size_bytes_ > buffer_bytes_ && chunks_.size() > 1) DropOldestChunk(dropped);
}

void Shard::Close() {
  MutexLock lock(mutex_);
  is_closed_ = true;
}

ShardExtent Shard::ExtentAt(std::int64_t now_ms) {
  RecordChunks dropped;
  ShardExtent now;
  {
    MutexLock lock(mutex_);
    DropExpired(now_ms, &dropped);
    now = extent();
  }
  reclaimer_.Free(std::move(dropped));
  return now;
}

ShardPage Shard::Read(std::uint64_t position, std::size_t limit, std::int64_t now_ms) {
  RecordChunks dropped;
  ShardPage page;
  page.records.reserve(limit);
  {
    MutexLock lock(mutex_);
    DropExpired(now_ms, &dropped);
    page.extent = extent();
    page.is_trimmed = position < first_;
    if (!page.is_trimmed) CopyRecords(position, limit, &page);
  }
  reclaimer_.Free(std::move(dropped));
  return page;
}

// Without memory, the list of tens of thousands of chunks may not have room for one more: it takes
// more for this than the reserve has. Then the older chunks are dropped, as when the buffer is
// full.
void Shard::BeginChunk(std::uint64_t number, RecordChunks* dropped) {
  auto chunk = std::make_unique<RecordChunk>(number);
  size_bytes_ += chunk->size_bytes;
  try {
    chunks_.emplace_back();
  } catch (const std::bad_alloc&) {
    while (!chunks_.empty()) DropOldestChunk(dropped);
    chunks_.emplace_back();
  }
  chunks_.back() = std::move(chunk);
}

// Without memory for the list of dropped chunks, the chunk is freed here.
void Shard::DropOldestChunk(RecordChunks* dropped) {
  std::unique_ptr<RecordChunk> oldest = std::move(chunks_.front());
  chunks_.pop_front();
  size_bytes_ -= oldest->size_bytes;
  first_ = std::max(first_, oldest->end());
  try {
    dropped->emplace_back();
  } catch (const std::bad_alloc&) {
    return;
  }
  dropped->back() = std::move(oldest);
}

// Expired records in a chunk that also has younger records are not freed: `first_` moves behind
// them.
void Shard::DropExpired(std::int64_t now_ms, RecordChunks* dropped) {
  const std::int64_t expired_ms = now_ms - kStreamRetentionMs;
  while (!chunks_.empty() && chunks_.front()->newest_epoch_ms <= expired_ms) {
    DropOldestChunk(dropped);
  }
  if (chunks_.empty()) return;
  const RecordChunk& oldest = *chunks_.front();
  // There may be a gap before the chunk. If the clock was set back, the chunk may end at `first_`
  // or before.
  for (std::uint64_t at = std::max(first_, oldest.first);
       at < oldest.end() &&
       oldest.records[static_cast<std::size_t>(at - oldest.first)].epoch_ms <= expired_ms;
       ++at) {
    first_ = at + 1;
  }
}

void Shard::CopyRecords(std::uint64_t position, std::size_t limit, ShardPage* page) const {
  page->first = position;
  if (position >= next_) return;
  // The first chunk that ends behind the position.
  auto chunk =
      std::ranges::upper_bound(chunks_, position, {}, [](const auto& each) { return each->end(); });
  page->first = std::max(position, (*chunk)->first);
  auto at = static_cast<std::size_t>(page->first - (*chunk)->first);
  std::vector<StreamRecord>& records = page->records;
  for (; chunk != chunks_.end() && records.size() < limit; ++chunk, at = 0) {
    if ((*chunk)->first > page->first + records.size()) return;
    const auto& from = (*chunk)->records;
    const std::size_t count = std::min(from.size() - at, limit - records.size());
    records.insert(records.end(), from.begin() + at, from.begin() + at + count);
  }
}

}  // namespace hashrange
