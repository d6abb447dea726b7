// An answer of the control API for a person at a terminal: its lists of objects as tables, its
// objects as names with their values. Pure functions.
//
//   enabled    true                       NAME    ACCOUNT       TABLES
//   limit      1000                       before  111122223333       2
//   requests   none                       after   -                  3
#pragma once

#include <cstddef>
#include <string>

#include "wire/json.h"

namespace hashrange {

// `answer` over several lines, each with its end. A table that is wider than `columns` is laid out
// as one object below the other.
std::string AnswerTable(const JsonValue& answer, std::size_t columns);

}  // namespace hashrange
