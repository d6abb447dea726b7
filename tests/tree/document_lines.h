// The lines of a Markdown document and what is in them, for tests that compare documents with the
// source. Pure functions.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

std::vector<std::string> SplitLines(const std::string& text);

// Returns the text without blanks and tabs at its ends.
std::string_view Trimmed(std::string_view text);

// Returns the trimmed parts between separators, but for empty ones.
std::vector<std::string> SplitAt(std::string_view text, char separator);

// Returns whether the line belongs to an indented block of code.
bool IsCode(std::string_view line);

// What is between backticks in a line: "a `b` c `d`" has b and d. With what is before each.
struct CodeSpan {
  std::string_view before;
  std::string text;
};

std::vector<CodeSpan> CodeSpans(std::string_view line);
std::set<std::string> SpanTexts(std::string_view line);

}  // namespace hashrange
