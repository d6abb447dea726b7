// Times, and positions of a table with the key PK, SK whose hashes a test chooses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulation/partitions/draw.h"
#include "value/schema.h"

namespace hashrange::test {

inline constexpr std::int64_t kStartMs = 1'700'000'000'000;  // when the tests begin
inline constexpr std::int64_t kMinuteMs = 60'000;

inline constexpr Draw kAnyWrite = {Direction::kWrite, false};
inline constexpr Draw kAnyStrongRead = {Direction::kRead, true};
inline constexpr Draw kAnyEventualRead = {Direction::kRead, false};

inline KeySchema SampleKey() { return {{{"PK", AttributeType::kS}}, {{"SK", AttributeType::kS}}}; }

// Returns the encoding of the texts as keys of type S; they contain no zero byte.
inline std::string EncodedKey(std::string_view partition_key, std::string_view sort_key) {
  const std::string end("\0\1", 2);
  return std::string(partition_key) + end + std::string(sort_key) + end;
}

// A position that owns its bytes. All sort keys of one hash are of one partition key.
struct OwnedPosition {
  std::uint64_t hash = 0;
  std::string bytes = {};

  OwnedPosition(std::uint64_t of_hash, std::string_view sort_key)
      : hash(of_hash), bytes(EncodedKey("pk" + std::to_string(of_hash), sort_key)) {}
  operator Position() const { return {hash, bytes}; }
  PositionSpan span() const { return {*this, *this}; }
};

}  // namespace hashrange::test
