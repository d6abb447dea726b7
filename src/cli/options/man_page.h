// The man page hashrange(1), in roff with the macros of man(7), as groff and mandoc read it. Pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/command_row.h"

namespace hashrange {

// The day on which the page or the help last changed in what it says; man pages show it.
inline constexpr std::string_view kManDate = "2026-11-23";

// Returns the page. `program` is the whole program, complete (CompleteRow).
std::string ManPage(const CommandRow& program, std::string_view version);

// Returns the text with all its characters as themselves: "\" → "\e", "-" → "\-" (a hyphen that can
// be copied into a shell), "…" → "\[u2026]". A text that begins with a dot or an apostrophe is not
// taken for a command. The text is UTF-8 without line ends.
std::string RoffText(std::string_view text);

// Appends the words as lines of at most 78 characters. Paths and addresses are not hyphenated.
void AppendRoffLines(std::string_view words, std::string& page);

}  // namespace hashrange
