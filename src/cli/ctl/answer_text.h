// Answers of the control API as text for a person at a terminal. Nothing in them steers the
// terminal. Pure functions, except that AnswerText() asks stdout for its width.
//
//   enabled    true                       NAME    ACCOUNT       TABLES
//   limit      1000                       before  111122223333       2
//   requests   none                       after   -                  3
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cli/terminal/program_output.h"
#include "remote/client/http_call.h"
#include "wire/json.h"

namespace hashrange {

// Returns the text for a person of an answer; nullopt when the answer has another form.
using AnswerWriter = std::optional<std::string> (*)(std::string body, std::size_t columns);

// Returns the text of an answer in one of the forms. What is not one JSON document, such as the
// metrics or the lines of a dump, keeps its lines. `writer`, if it is given, makes the text for a
// person in place of a table.
std::string AnswerText(const HttpReply& reply, OutputForm form, AnswerWriter writer = nullptr);

// Returns `answer` as lines that all end with a line feed: lists of objects as tables, objects as
// names with their values. Instead of a table that is wider than `columns`, its objects are written
// one below the other.
std::string AnswerTable(const JsonValue& answer, std::size_t columns);

// Returns the text of a value for a cell of a table: a string without its quotes, another value as
// compact JSON, and "-" when `json` is null.
std::string CellText(const JsonValue* json);

// Returns the answer of the calls about partitions: the rules as a table and, for each table and
// index, its hottest partitions, its splits, and what was throttled, as the text report of a
// measurement shows them. The lines all end with a line feed; nullopt when `body` is no such
// answer.
std::optional<std::string> PartitionAnswerText(std::string body, std::size_t columns);

}  // namespace hashrange
