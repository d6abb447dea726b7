// Text for a terminal: nothing in it moves the cursor or changes colours, and it has a width. Pure
// functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/json.h"

namespace hashrange {

// `text` with its control characters as JSON escapes them.
std::string PrintableText(std::string_view text);

// How many columns a text of UTF-8 takes, each character counted as one.
std::size_t WidthInColumns(std::string_view text);

// The text of one value: a string without its quotes, anything else as compact JSON; none: "-".
std::string CellText(const JsonValue* json);

}  // namespace hashrange
