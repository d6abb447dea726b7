// Sequence numbers of stream records as text: decimal, 21 digits, ascending with the
// record's number in its shard. A shard starts at 0, below its first record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

std::string SequenceNumberText(std::uint64_t number);

// The number that stands at, or would stand at, that text; 0 for one below all numbers,
// UINT64_MAX for one above. None when it is no sequence number: anything but digits.
std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text);

}  // namespace hashrange
