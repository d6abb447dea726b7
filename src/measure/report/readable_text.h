// Keys, names and templates come from the traffic, so they may hold anything. What is here makes
// text of them that neither a terminal nor a browser takes for a command. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hashrange {

// Returns valid UTF-8 on one line. Each byte that is not part of valid UTF-8 becomes U+FFFD; a
// control character, or one that changes the direction of text or is invisible, is shown by its
// number: "\u{1B}".
std::string ReadableText(std::string_view bytes);

// Returns the compact JSON with the same characters written as JSON escapes them: "\\u009B". It
// means what it meant. Precondition: `json` is valid JSON and valid UTF-8.
std::string ReadableJson(std::string_view json);

// Returns ReadableText, and if that has more than `most` characters, its first two thirds and its
// end, with "…" between them: `most` characters in all.
// Precondition: `most` is at least 3.
std::string ClippedText(std::string_view bytes, std::size_t most);

// Returns how many columns of a terminal valid UTF-8 takes: two for the wide characters of East
// Asia and for emoji, none for combining marks.
std::size_t TerminalColumns(std::string_view text);

// Returns ReadableText with `&`, `<`, `>` and both quotes replaced as HTML requires.
std::string HtmlText(std::string_view bytes);

}  // namespace hashrange
