// StreamRecord: one change of an item, as a stream keeps it with references to the items.
// RecordChunk: a group of records that are freed together. Neither is synchronized: the shard's
// lock guards them. A commit adds records, so their memory comes from the thread's reserve when the
// allocator has none.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory/memory_reserve.h"
#include "engine/change_log.h"
#include "value/item.h"

namespace hashrange {

enum class StreamEvent : std::uint8_t { kInsert, kModify, kRemove };

struct StreamRecord {
  // The items that the stream's view shows. At least one is set, for the key.
  ItemRef before = nullptr;
  ItemRef after = nullptr;
  std::int64_t epoch_ms = 0;
  StreamEvent event = StreamEvent::kInsert;
  WriteOrigin origin = WriteOrigin::kRequest;

  // Returns the memory of the record's items, which counts against the stream's buffer together
  // with the record's place in a chunk. The items count fully, though the table, an index or
  // another record may share them.
  std::int64_t item_bytes() const {
    return static_cast<std::int64_t>((before ? before->memory_bytes() : 0) +
                                     (after ? after->memory_bytes() : 0));
  }
};

// Consecutive records, the first of which has the number `first`.
struct RecordChunk {
  explicit RecordChunk(std::uint64_t first_number) : first(first_number) {}

  static constexpr std::size_t kMaxRecords = 256;

  const std::uint64_t first;
  std::int64_t newest_epoch_ms = INT64_MIN;
  std::int64_t size_bytes = sizeof(RecordChunk);  // the memory of the chunk, records and items
  std::vector<StreamRecord, ReservedAllocator<StreamRecord, MemoryPart::kStreamRecords>> records;

  static void* operator new(std::size_t bytes) {
    return AllocateReserved(MemoryPart::kStreamRecords, bytes);
  }
  static void operator delete(void* chunk) { FreeReserved(MemoryPart::kStreamRecords, chunk); }

  std::uint64_t end() const { return first + records.size(); }
  // Adds a record and returns by how much `size_bytes` has grown.
  std::int64_t Add(StreamRecord record);
};

inline std::int64_t RecordChunk::Add(StreamRecord record) {
  const std::int64_t item_bytes = record.item_bytes();
  const std::size_t places = records.capacity();
  newest_epoch_ms = std::max(newest_epoch_ms, record.epoch_ms);
  records.push_back(std::move(record));
  const auto added =
      static_cast<std::int64_t>((records.capacity() - places) * sizeof(StreamRecord)) + item_bytes;
  size_bytes += added;
  return added;
}

using RecordChunks = std::vector<std::unique_ptr<RecordChunk>>;

}  // namespace hashrange
