// How `hashrange ctl` prints an answer of the control API.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "cli/ctl_table.h"
#include "remote/client/http_call.h"

namespace hashrange {

// For a person, what could steer the terminal is escaped.
enum class CtlOutput {
  kAsItCame,  // for a program: unchanged
  kJson,      // for a person: indented
  kTable,     // for a person
};

// Returns the form for stdout: on a terminal tables, or JSON if the user asks for it; otherwise
// unchanged.
CtlOutput ChooseOutput(bool asks_for_json);

// Returns whether the answer was written to stdout. What is not one JSON document, such as the
// metrics or the lines of a dump, keeps its lines. `writer`, if it is given, makes the text for a
// person in place of a table.
bool PrintAnswer(const HttpReply& reply, CtlOutput output, AnswerWriter writer = nullptr);

// Writes "hashrange: …" to stderr. No text of a server or of a file steers the terminal.
void PrintCtlError(std::string_view why);

// Returns the width of the terminal that stdout is; nothing when stdout is none, or the terminal
// does not tell.
std::optional<std::size_t> StdoutColumns();

}  // namespace hashrange
