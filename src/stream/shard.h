// Shard: the records of one hash range of a stream, in the order in which they were
// committed, from the oldest that is kept to the newest.
//
//   chunk ── chunk ── … ── chunk
//      ▲ first: the oldest record       ▲ next: where the next one goes
//
// A record's number is its place: the first ever is kFirstNumber, and none is left out.
// Records go 24 hours after they were written or, by whole chunks, when the shard holds more
// than its part of the stream's buffer, whichever comes first; the newest chunk stays. A shard
// counts the memory that its records take (StreamRecord::item_bytes). A chunk is at most a
// sixteenth of the buffer, or one record. Expired records are let go by
// whoever reads, and by the writer of each new chunk.
//
// Thread-safe. One lock, held to append a record or to copy references of a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "stream/record_reclaimer.h"
#include "stream/stream_record.h"

namespace hashrange {

// How long a record is kept, and a stream that was closed (docs/service/12-streams-and-ttl.md,
// section A4).
inline constexpr std::int64_t kStreamRetentionMs = 24 * 60 * 60 * 1000;

struct ShardExtent {
  std::uint64_t first = kFirstNumber;
  std::uint64_t next = kFirstNumber;  // equal to `first`: no records
  bool is_closed = false;

  // The newest record; kStartNumber when there never was one.
  std::uint64_t last_or_start() const { return next - 1; }
  static constexpr std::uint64_t kStartNumber = 0;
  static constexpr std::uint64_t kFirstNumber = kStartNumber + 1;
};

struct ShardPage {
  bool is_trimmed = false;  // records from the position on are gone; nothing was read
  ShardExtent extent;
  std::vector<StreamRecord> records;
};

class Shard {
 public:
  // Where a shard starts, below its first record (docs/service/12-streams-and-ttl.md, section A1);
  // and that record's number.
  static constexpr std::uint64_t kStartNumber = ShardExtent::kStartNumber;
  static constexpr std::uint64_t kFirstNumber = ShardExtent::kFirstNumber;

  // `reclaimer` outlives the shard.
  Shard(std::int64_t buffer_bytes, RecordReclaimer& reclaimer)
      : buffer_bytes_(buffer_bytes), reclaimer_(reclaimer) {}
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  // Adds a record, unless the shard is closed.
  // Cost: one lock; a few allocations every RecordChunk::kMaxRecords records.
  void Append(StreamRecord record);

  // No record is added any more. Further calls do nothing.
  void Close();

  // What there is at `now_ms`.
  ShardExtent ExtentAt(std::int64_t now_ms);

  // At most `limit` records from number `position` on. A position behind the newest record
  // gives none.
  ShardPage Read(std::uint64_t position, std::size_t limit, std::int64_t now_ms);

 private:
  // These with the lock held. What is dropped is freed by the caller, later.
  void DropExpired(std::int64_t now_ms, RecordChunks* dropped);
  void DropOldestChunk(RecordChunks* dropped);
  bool IsFull(const RecordChunk& chunk) const;
  void Copy(std::uint64_t position, std::size_t limit, std::vector<StreamRecord>* records) const;
  ShardExtent extent() const { return {first_, next_, is_closed_}; }

  const std::int64_t buffer_bytes_;
  RecordReclaimer& reclaimer_;

  std::mutex mutex_;                                 // guards what follows
  std::deque<std::unique_ptr<RecordChunk>> chunks_;  // none is empty
  std::uint64_t first_ = kFirstNumber;
  std::uint64_t next_ = kFirstNumber;
  std::int64_t size_bytes_ = 0;  // of all chunks
  bool is_closed_ = false;
};

}  // namespace hashrange
