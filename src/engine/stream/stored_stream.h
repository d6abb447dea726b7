// Streams and their records as bytes, for a server that keeps its data. The functions are pure; any
// thread may call them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/stream/stream.h"

namespace hashrange {

// A stream without its records and tags.
struct StoredStream {
  StreamDefinition definition;
  EventSeeds event_seeds = {};
  // For each shard, the number of its oldest record, or of its next record if it has none.
  std::vector<std::uint64_t> first_numbers;
  std::optional<StreamClosing> closing;  // of a closed stream
};

// Returns the stream with the first numbers at `now_ms`.
StoredStream DescribeStream(Stream& stream, std::int64_t now_ms);

std::string EncodeStream(const StoredStream& stream);
// Errors: InternalServerError  the bytes are no record of a stream, or of a stream that cannot be,
//         such as one without shards
Result<StoredStream> DecodeStream(std::string_view bytes);

// One record of a stream. Its images are packed items, in the form in which the items of tables are
// stored: whoever stores them packs and checks them. At least one is not empty.
struct StoredStreamRecord {
  std::string_view before;  // empty: StreamRecord::before is null
  std::string_view after;
  std::int64_t epoch_ms = 0;
  StreamEvent event = StreamEvent::kInsert;
  WriteOrigin origin = WriteOrigin::kRequest;
};

std::string EncodeStreamRecord(const StoredStreamRecord& record);
// Returns the record, with views of `bytes`.
// Errors: InternalServerError  the bytes are no such record
Result<StoredStreamRecord> DecodeStreamRecord(std::string_view bytes);

}  // namespace hashrange
