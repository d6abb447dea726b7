// Shows the answer of the calls about partitions to a person at a terminal: the rules as a table
// and, for each table and index, its hottest partitions, its splits, and what was throttled, as the
// text report of a measurement shows them. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace hashrange {

// Returns lines that all end with a line feed; nullopt when `body` is no such answer.
std::optional<std::string> PartitionAnswerText(std::string body, std::size_t columns);

}  // namespace hashrange
