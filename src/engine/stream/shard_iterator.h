// ShardIterator: a position in a shard, which the client keeps as a text. The text contains
// everything, so the server stores no iterators. Pure functions; any thread.
//
//   <stream arn>|1|<Base64 of: position, time of issue, shard, CRC-32 of the ARN and these>
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

// How long an iterator may be used (docs/service/12-streams-and-ttl.md, section A4).
inline constexpr std::int64_t kIteratorLifeMs = 15 * 60 * 1000;

struct ShardIterator {
  std::string_view stream_arn = {};
  std::uint32_t shard = 0;     // the index of the shard in its stream
  std::uint64_t position = 0;  // the number of the next record to read
  std::int64_t issued_epoch_ms = 0;

  // Any value of issued_epoch_ms is possible, as a client may make up an iterator.
  bool IsExpired(std::int64_t now_ms) const { return issued_epoch_ms < now_ms - kIteratorLifeMs; }
};

std::string ShardIteratorText(const ShardIterator& iterator);

// Returns none for a text of another form or with a wrong checksum. `stream_arn` is a view of
// `text`.
std::optional<ShardIterator> ParseShardIterator(std::string_view text);

}  // namespace hashrange
