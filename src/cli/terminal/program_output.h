// What a command hands to whoever called it: texts on stdout and stderr, and the exit code. For a
// person at a terminal, what could steer the terminal is escaped; for a program, nothing is
// changed. Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "measure/report/measure_report.h"
#include "wire/json_writer.h"

namespace hashrange {

// The exit codes besides 0; docs/options.md and the man page list them.
inline constexpr int kFailure = 1;
inline constexpr int kUsageError = 2;     // an argument is wrong, or does not fit what is there
inline constexpr int kInterrupted = 130;  // the user ended long work early (platform/signals.h)

enum class OutputForm : std::uint8_t {
  kAsItCame,  // for a program: unchanged
  kJson,      // for a person: indented
  kTable,     // for a person
};

// Returns the form for stdout: on a terminal tables, or JSON if the user asks for it; otherwise
// unchanged.
OutputForm ChooseOutput(bool asks_for_json);

// Returns the form of text reports for stdout, which may be a terminal or not.
TextReportForm StdoutReportForm();

// Writes the text, and a line end where it has none, to stdout.
// Errors: InternalServerError  stdout cannot be written to
Status PrintText(std::string_view text);

// Writes compact JSON to stdout; on a terminal it is indented.
// Errors: InternalServerError  stdout cannot be written to
Status PrintJson(std::string_view json);
Status PrintJson(const std::function<void(JsonWriter&)>& write);

// Returns the compact JSON that `write` writes.
std::string WrittenJson(const std::function<void(JsonWriter&)>& write);

// Returns `json` over several lines, with two blanks for each level. `json` is valid and compact.
std::string IndentJson(std::string_view json);

// Writes "hashrange: …" to stderr. No text of a server or of a file steers the terminal.
void PrintError(std::string_view why);

// Writes the sentence of the error to stderr. Returns the exit code for it: kUsageError for a
// ValidationException, which is about what the user gave, otherwise kFailure.
int FailWith(const Error& error);

}  // namespace hashrange
