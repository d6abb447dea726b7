// StreamRecord: one change of an item as a stream keeps it, by references to the items;
// and RecordChunk, the piece in which records are kept and freed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "engine/change_log.h"
#include "value/item.h"

namespace hashrange {

enum class StreamEvent : std::uint8_t { kInsert, kModify, kRemove };

struct StreamRecord {
  // Those that the stream's view shows; at least one is there, for the key.
  ItemRef before = nullptr;
  ItemRef after = nullptr;
  std::int64_t epoch_ms = 0;
  StreamEvent event = StreamEvent::kInsert;
  WriteOrigin origin = WriteOrigin::kRequest;

  // What the record counts against the stream's buffer beside its place in a chunk: the memory of
  // its items, though the table, an index or another record may share them.
  std::int64_t item_bytes() const {
    return static_cast<std::int64_t>((before ? before->memory_bytes() : 0) +
                                     (after ? after->memory_bytes() : 0));
  }
};

// Records one after another, those of the numbers from `first` on.
struct RecordChunk {
  explicit RecordChunk(std::uint64_t first_number) : first(first_number) {}

  static constexpr std::size_t kMaxRecords = 256;

  const std::uint64_t first;
  std::int64_t newest_epoch_ms = INT64_MIN;
  std::int64_t size_bytes = sizeof(RecordChunk);  // of memory, with the records and their items
  std::vector<StreamRecord> records;

  std::uint64_t end() const { return first + records.size(); }
  // Returns by how much `size_bytes` has grown.
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
