// Text in roff, the language of man pages, as groff and mandoc read it.
#pragma once

#include <string>
#include <string_view>

namespace hashrange {

// Returns the text with all its characters as themselves: "\" → "\e", "-" → "\-" (a hyphen that can
// be copied into a shell), "…" → "\[u2026]". A text that begins with a dot or an apostrophe is not
// taken for a command. The text is UTF-8 without line ends.
std::string RoffText(std::string_view text);

// Appends the words as lines of at most 78 characters. Paths and addresses are not hyphenated.
void AppendRoffLines(std::string_view words, std::string& page);

}  // namespace hashrange
