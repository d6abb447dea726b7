// StreamObserver: is told what becomes of durable streams (StreamDefinition::is_durable) and of
// their records, for a server that keeps its data. A reader of a stream is told nothing: it calls
// GetRecords.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/stream/stream_record.h"
#include "engine/tags.h"

namespace hashrange {

class Stream;

// The functions must be quick, must not fail and must not use the set of streams.
class StreamObserver {
 public:
  virtual ~StreamObserver() = default;

  // A stream was made. Its table is published later, or the stream is forgotten. The set of streams
  // is locked, as in the two functions below.
  virtual void OnOpen(Stream& stream) noexcept = 0;
  // The stream was closed (Stream::closing). Records that other threads are appending come before
  // or after this call; after it, only those that were in their shard before the shard was closed.
  virtual void OnClose(Stream& stream) noexcept = 0;
  // Nobody can find the stream any more: its table was not published, it was closed 24 hours ago,
  // or a test has put other tables in place of its table.
  virtual void OnForget(Stream& stream) noexcept = 0;
  // A record was appended to a shard under that number. Called inside the commit that made the
  // change, before its observers that were added behind the set of streams. Two commits may call in
  // another order than the numbers have.
  virtual void OnRecord(Stream& stream, std::size_t shard, std::uint64_t number,
                        const StreamRecord& record) noexcept = 0;
  // These are the stream's tags from now on. The stream may be forgotten already. Only the set of
  // tags is locked.
  virtual void OnTags(Stream& stream, std::span<const Tag> tags) noexcept = 0;
};

}  // namespace hashrange
