// Text for a terminal: without characters that move the cursor or change colours, and with a known
// width. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/json.h"

namespace hashrange {

// Returns `text` with its control characters escaped as in JSON.
std::string PrintableText(std::string_view text);

// Returns how many columns a text in UTF-8 takes; each character counts as one.
std::size_t WidthInColumns(std::string_view text);

// Returns the text of a value: a string without its quotes, another value as compact JSON, and "-"
// when `json` is null.
std::string CellText(const JsonValue* json);

}  // namespace hashrange
