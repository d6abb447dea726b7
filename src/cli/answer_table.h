// Shows an answer of the control API to a person at a terminal: lists of objects as tables, objects
// as names with their values. Pure functions.
//
//   enabled    true                       NAME    ACCOUNT       TABLES
//   limit      1000                       before  111122223333       2
//   requests   none                       after   -                  3
#pragma once

#include <cstddef>
#include <string>

#include "wire/json.h"

namespace hashrange {

// Returns `answer` as lines that all end with a line feed. Instead of a table that is wider than
// `columns`, its objects are written one below the other.
std::string AnswerTable(const JsonValue& answer, std::size_t columns);

}  // namespace hashrange
