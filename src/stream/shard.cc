#include "stream/shard.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hashrange {
namespace {

// A chunk is full when it takes a sixteenth of the buffer. Records are dropped by whole chunks.
constexpr std::int64_t kChunksInBuffer = 16;

}  // namespace

Shard::~Shard() {
  RecordChunks rest(std::make_move_iterator(chunks_.begin()),
                    std::make_move_iterator(chunks_.end()));
  reclaimer_.Free(std::move(rest));
}

bool Shard::IsFull(const RecordChunk& chunk) const {
  return chunk.records.size() == RecordChunk::kMaxRecords ||
         chunk.size_bytes >= buffer_bytes_ / kChunksInBuffer;
}

void Shard::Append(StreamRecord record) {
  RecordChunks dropped;
  {
    std::lock_guard lock(mutex_);
    if (is_closed_) return;
    if (chunks_.empty() || IsFull(*chunks_.back())) {
      DropExpired(record.epoch_ms, &dropped);  // as a stream may have no reader
      chunks_.push_back(std::make_unique<RecordChunk>(next_));
      size_bytes_ += chunks_.back()->size_bytes;
    }
    size_bytes_ += chunks_.back()->Add(std::move(record));
    ++next_;
    while (size_bytes_ > buffer_bytes_ && chunks_.size() > 1) DropOldestChunk(&dropped);
  }
  reclaimer_.Free(std::move(dropped));
}

void Shard::Close() {
  std::lock_guard lock(mutex_);
  is_closed_ = true;
}

ShardExtent Shard::ExtentAt(std::int64_t now_ms) {
  RecordChunks dropped;
  ShardExtent now;
  {
    std::lock_guard lock(mutex_);
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
    std::lock_guard lock(mutex_);
    DropExpired(now_ms, &dropped);
    page.extent = extent();
    page.is_trimmed = position < first_;
    if (!page.is_trimmed) CopyRecords(position, limit, &page.records);
  }
  reclaimer_.Free(std::move(dropped));
  return page;
}

void Shard::DropOldestChunk(RecordChunks* dropped) {
  RecordChunk& oldest = *chunks_.front();
  size_bytes_ -= oldest.size_bytes;
  first_ = std::max(first_, oldest.end());
  dropped->push_back(std::move(chunks_.front()));
  chunks_.pop_front();
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
  // If the clock was set back, the chunk may end at `first_` or before.
  while (first_ < oldest.end() && oldest.records[first_ - oldest.first].epoch_ms <= expired_ms) {
    ++first_;
  }
}

void Shard::CopyRecords(std::uint64_t position, std::size_t limit,
                        std::vector<StreamRecord>* records) const {
  if (position >= next_) return;
  auto chunk =
      std::ranges::upper_bound(chunks_, position, {}, [](const auto& each) { return each->first; });
  --chunk;
  std::size_t at = position - (*chunk)->first;
  for (; chunk != chunks_.end() && records->size() < limit; ++chunk, at = 0) {
    const auto& from = (*chunk)->records;
    const std::size_t count = std::min(from.size() - at, limit - records->size());
    records->insert(records->end(), from.begin() + at, from.begin() + at + count);
  }
}

}  // namespace hashrange
