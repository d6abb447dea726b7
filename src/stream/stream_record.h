// StreamRecord: one change of an item as a stream keeps it, by references to the items;
// and RecordChunk, the piece in which records are kept and freed.
#pragma once

#include <cstdint>
#include <memory>
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

  // What it counts against the stream's buffer: the items' sizes, though others may share
  // them, and itself.
  std::int64_t size_bytes() const {
    return static_cast<std::int64_t>(sizeof(StreamRecord)) + (before ? before->size_bytes() : 0) +
           (after ? after->size_bytes() : 0);
  }
};

// Records one after another, those of the numbers from `first` on.
struct RecordChunk {
  explicit RecordChunk(std::uint64_t first_number) : first(first_number) {
    records.reserve(kMaxRecords);
  }

  static constexpr std::size_t kMaxRecords = 256;

  const std::uint64_t first;
  std::int64_t newest_epoch_ms = INT64_MIN;
  std::int64_t size_bytes = 0;
  std::vector<StreamRecord> records;

  std::uint64_t end() const { return first + records.size(); }
};

using RecordChunks = std::vector<std::unique_ptr<RecordChunk>>;

}  // namespace hashrange
