// Sequence numbers of stream records as text: 21 decimal digits, ascending with the
// record's number in its shard. A shard starts at 0, below its first record. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hashrange {

std::string SequenceNumberText(std::uint64_t number);

// Returns the number of that text; 0 for a text below the texts of all numbers, UINT64_MAX for a
// text above them. Returns none for a text that is no sequence number: it is empty or has other
// characters than digits.
std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text);

}  // namespace hashrange
