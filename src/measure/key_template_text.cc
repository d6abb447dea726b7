#include "measure/key_template_text.h"

#include <algorithm>
#include <cstddef>

namespace hashrange {
namespace {

bool HasPlaceholder(std::string_view token) { return token.find('{') != std::string_view::npos; }

// The literal text after the last placeholder.
std::string_view LiteralEnd(std::string_view text) {
  return HasPlaceholder(text) ? text.substr(text.rfind('}') + 1) : text;
}

// There are few separators, so a loop is faster than std::string_view::find.
bool IsSeparator(char c, std::string_view separators) {
  for (const char separator : separators) {
    if (c == separator) return true;
  }
  return false;
}

// The separator that ends the token, or nothing.
std::string_view EndOf(std::string_view token, std::string_view separators) {
  const bool is_ended = !token.empty() && IsSeparator(token.back(), separators);
  return is_ended ? token.substr(token.size() - 1) : std::string_view();
}

// Takes the first token off the text, which is not empty.
std::string_view TakeToken(std::string_view& text, std::string_view separators) {
  bool is_in_braces = false;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (text[end] == '{') is_in_braces = true;
    if (text[end] == '}') is_in_braces = false;
    if (!is_in_braces && IsSeparator(text[end], separators)) break;
  }
  const std::string_view token = text.substr(0, end + 1);
  text.remove_prefix(token.size());
  return token;
}

// Returns where the token begins that has the byte at `place`; the size of the text is a place,
// too.
std::size_t BeginOfToken(std::string_view text, std::size_t place, std::string_view separators) {
  while (place > 0) {
    const std::size_t separator = text.find_last_of(separators, place - 1);
    if (separator == text.npos) return 0;
    const std::size_t brace = text.substr(0, separator + 1).find_last_of("{}");
    if (brace == text.npos || text[brace] == '}') return separator + 1;
    place = brace;  // the separator is in braces
  }
  return 0;
}

// Takes the whole tokens off with which both texts begin.
void DropEqualTokens(std::string_view& a, std::string_view& b, std::string_view separators) {
  const auto differ = std::ranges::mismatch(a, b);
  const auto place = static_cast<std::size_t>(differ.in1 - a.begin());
  const std::size_t begin = BeginOfToken(a, place, separators);
  a.remove_prefix(begin);
  b.remove_prefix(begin);
}

// Returns whether the texts already differ where both are literal, at the beginning or at the end.
// This decides most comparisons without cutting the texts into tokens.
bool LiteralBeginningsDiffer(std::string_view a, std::string_view b) {
  const std::string_view literal_a = LiteralBeginning(a), literal_b = LiteralBeginning(b);
  const std::size_t size = std::min(literal_a.size(), literal_b.size());
  return literal_a.substr(0, size) != literal_b.substr(0, size);
}

bool LiteralEndsDiffer(std::string_view a, std::string_view b) {
  const std::string_view literal_a = LiteralEnd(a), literal_b = LiteralEnd(b);
  return literal_a.size() < literal_b.size() ? !literal_b.ends_with(literal_a)
                                             : !literal_a.ends_with(literal_b);
}

bool TokensCanBeEqual(std::string_view a, std::string_view b, std::string_view separators) {
  if (!HasPlaceholder(a) && !HasPlaceholder(b)) return a == b;
  return EndOf(a, separators) == EndOf(b, separators);
}

// `beginning` is the last token of a text that a key begins with.
bool TokenCanBeginWith(std::string_view token, std::string_view beginning,
                       std::string_view separators) {
  const std::string_view end = EndOf(beginning, separators);
  if (HasPlaceholder(token) || HasPlaceholder(beginning)) {
    return end.empty() || end == EndOf(token, separators);
  }
  return token.starts_with(beginning);
}

}  // namespace

std::vector<std::string_view> TemplateTokens(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> tokens;
  while (!text.empty()) tokens.push_back(TakeToken(text, separators));
  return tokens;
}

bool IsConstantTemplate(std::string_view text) { return !HasPlaceholder(text); }

std::string_view WithoutLastToken(std::string_view text, std::string_view separators) {
  return text.empty() ? text : text.substr(0, BeginOfToken(text, text.size() - 1, separators));
}

std::string_view LiteralBeginning(std::string_view text) { return text.substr(0, text.find('{')); }

bool CanBeEqual(std::string_view a, std::string_view b, std::string_view separators) {
  if (a == b) return true;
  if (LiteralBeginningsDiffer(a, b) || LiteralEndsDiffer(a, b)) return false;
  DropEqualTokens(a, b, separators);
  while (!a.empty() && !b.empty()) {
    if (!TokensCanBeEqual(TakeToken(a, separators), TakeToken(b, separators), separators)) {
      return false;
    }
  }
  return a.empty() && b.empty();
}

bool CanBeginWith(std::string_view text, std::string_view beginning, std::string_view separators) {
  if (LiteralBeginningsDiffer(text, beginning)) return false;
  DropEqualTokens(text, beginning, separators);
  while (!beginning.empty()) {
    if (text.empty()) return false;
    const std::string_view token = TakeToken(text, separators);
    const std::string_view first = TakeToken(beginning, separators);
    if (beginning.empty()) return TokenCanBeginWith(token, first, separators);
    if (!TokensCanBeEqual(token, first, separators)) return false;
  }
  return true;
}

}  // namespace hashrange
