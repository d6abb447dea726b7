// ShardIterator: a place in a shard as the client holds it. The text says all there is to
// know, so the server remembers none:
//
//   <stream arn>|1|<Base64 of: position, shard, when it was issued, CRC-32 of all>
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
  std::uint32_t shard = 0;     // which of the stream's
  std::uint64_t position = 0;  // of the next record
  std::int64_t issued_epoch_ms = 0;

  // Whoever makes up an iterator may say any time.
  bool IsExpired(std::int64_t now_ms) const { return issued_epoch_ms < now_ms - kIteratorLifeMs; }
};

std::string ShardIteratorText(const ShardIterator& iterator);

// None for a text that ShardIteratorText did not make. `stream_arn` is a view of `text`.
std::optional<ShardIterator> ParseShardIterator(std::string_view text);

}  // namespace hashrange
