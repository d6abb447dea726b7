// The text of a JSON value in a cell of a table, for a terminal. Pure function.
#pragma once

#include <string>

#include "wire/json.h"

namespace hashrange {

// Returns the text of a value: a string without its quotes, another value as compact JSON, and "-"
// when `json` is null. No character of it steers a terminal (measure/report/readable_text.h).
std::string CellText(const JsonValue* json);

}  // namespace hashrange
