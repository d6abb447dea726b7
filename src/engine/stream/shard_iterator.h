// The texts by which clients name positions in a shard: a sequence number, which names a record,
// and a shard iterator, which contains everything that the server has to know, so that it stores no
// iterators. Pure functions; any thread.
//
//   <stream arn>|1|<Base64 of: position, time of issue, shard, CRC-32 of the ARN and these>
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

// Returns 21 decimal digits, ascending with the record's number in its shard. A shard starts at 0,
// below its first record.
std::string SequenceNumberText(std::uint64_t number);

// Returns the number of that text; 0 for a text below the texts of all numbers, UINT64_MAX for a
// text above them. Returns none for a text that is no sequence number: it is empty or has other
// characters than digits.
std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text);

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
