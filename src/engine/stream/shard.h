// Shard: the records of one hash range of a stream, in the order in which they were
// committed, from the oldest record that is kept to the newest.
//
//   chunk ── chunk ── … ── chunk
//      ▲ first: the oldest record       ▲ next: the place of the next record
//
// Records are numbered in their order, from kFirstNumber on, without gaps. Only where a program
// that stores them was started, numbers are missing. A record is dropped 24 hours after it was
// written, or earlier when the shard holds more than its part of the stream's buffer. Then the
// oldest chunk is dropped as a whole; the newest chunk stays. The shard counts the memory of its
// chunks and of the items in them (StreamRecord::item_bytes). A chunk is full when it has
// RecordChunk::kMaxRecords records or takes a sixteenth of the buffer or more. Readers drop expired
// records, and so does the writer that begins a new chunk.
//
// Thread-safe. There is one lock; it is held to append a record or to copy the references of a
// page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/memory/live_memory.h"
#include "base/threads.h"
#include "engine/stream/record_reclaimer.h"
#include "engine/stream/stream_record.h"

namespace hashrange {

// How long a record is kept, and how long a closed stream can still be read
// (docs/service/12-streams-and-ttl.md, section A4).
inline constexpr std::int64_t kStreamRetentionMs = 24 * 60 * 60 * 1000;

struct ShardExtent {
  std::uint64_t first = kFirstNumber;  // no record is below it; the first one may be behind a gap
  std::uint64_t next = kFirstNumber;   // equal to `first` when there are no records
  bool is_closed = false;

  // The number of the newest record; kStartNumber when there never was a record.
  std::uint64_t last_or_start() const { return next - 1; }
  static constexpr std::uint64_t kStartNumber = 0;
  static constexpr std::uint64_t kFirstNumber = kStartNumber + 1;
};

struct ShardPage {
  bool is_trimmed = false;  // the record at the position was dropped before; nothing was read
  ShardExtent extent;
  std::uint64_t first = 0;            // the number of the first record
  std::vector<StreamRecord> records;  // their numbers have no gap
};

class Shard {
 public:
  // The number at which a shard starts, before its first record
  // (docs/service/12-streams-and-ttl.md, section A1), and the number of the first record.
  static constexpr std::uint64_t kStartNumber = ShardExtent::kStartNumber;
  static constexpr std::uint64_t kFirstNumber = ShardExtent::kFirstNumber;

  // The first record gets the number `first`. `reclaimer` outlives the shard.
  Shard(std::int64_t buffer_bytes, RecordReclaimer& reclaimer, std::uint64_t first = kFirstNumber)
      : buffer_bytes_(buffer_bytes), reclaimer_(reclaimer), first_(first), next_(first) {}
  ~Shard();
  static void* operator new(std::size_t bytes) {
    return AllocateCounted(MemoryPart::kTables, bytes);
  }
  static void operator delete(void* block) { FreeCounted(MemoryPart::kTables, block); }
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  // Adds a record and returns its number. Returns kStartNumber, and adds nothing, when the shard is
  // closed. Does not run out of memory when kMostBytesOfObserver are drawn (engine/change_log.h).
  // Cost: one lock; a few allocations every RecordChunk::kMaxRecords records.
  std::uint64_t Append(StreamRecord record);

  // Adds a record that was stored under `number`, also to a closed shard. Returns false, and adds
  // nothing, when the number is not above the numbers of all records. Before the first Append.
  bool AddStored(std::uint64_t number, StreamRecord record);
  // Makes `number` the least number of the next record. Before the first Append.
  void GoOnFrom(std::uint64_t number);

  // Closes the shard: no record is added any more. Idempotent.
  void Close();

  // Returns which records are kept at `now_ms`.
  ShardExtent ExtentAt(std::int64_t now_ms);

  // Returns at most `limit` records from number `position` on, or from the first record behind it,
  // up to a gap in the numbers; no records when `position` is behind the newest record.
  ShardPage Read(std::uint64_t position, std::size_t limit, std::int64_t now_ms);

 private:
  // Called with the lock held. The dropped chunks are added to `dropped`; the caller frees them
  // when the lock is released.
  void DropExpired(std::int64_t now_ms, RecordChunks* dropped);
  void DropOldestChunk(RecordChunks* dropped);
  void BeginChunk(std::uint64_t number, RecordChunks* dropped);
  bool IsFull(const RecordChunk& chunk) const;
  void AddToChunk(std::uint64_t number, StreamRecord&& record, RecordChunks* dropped);
  void CopyRecords(std::uint64_t position, std::size_t limit, ShardPage* page) const;
  ShardExtent extent() const { return {first_, next_, is_closed_}; }

  const std::int64_t buffer_bytes_;
  RecordReclaimer& reclaimer_;

  Mutex mutex_;  // guards what follows
  using ChunkAllocator =
      ReservedAllocator<std::unique_ptr<RecordChunk>, MemoryPart::kStreamRecords>;
  std::deque<std::unique_ptr<RecordChunk>, ChunkAllocator>
      chunks_;  // no chunk is empty or has a gap
  std::uint64_t first_;
  std::uint64_t next_;
  std::uint64_t least_ = kFirstNumber;  // the next record's number is not below
  std::int64_t size_bytes_ = 0;         // the sum of all chunks
  bool is_closed_ = false;
};

}  // namespace hashrange
