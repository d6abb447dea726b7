#include "measure/key_template_text.h"

#include <algorithm>
#include <cstddef>

namespace hashrange {
namespace {

bool HasPlaceholder(std::string_view token) { return token.find('{') != std::string_view::npos; }

// The separator that ends the token, or nothing.
std::string_view EndOf(std::string_view token, std::string_view separators) {
  const bool is_ended = !token.empty() && separators.find(token.back()) != std::string_view::npos;
  return is_ended ? token.substr(token.size() - 1) : std::string_view();
}

// Returns whether the texts already differ where both are literal. This decides most comparisons
// without cutting the texts into tokens.
bool LiteralsDiffer(std::string_view a, std::string_view b) {
  const std::string_view literal_a = LiteralBeginning(a), literal_b = LiteralBeginning(b);
  const std::size_t size = std::min(literal_a.size(), literal_b.size());
  return literal_a.substr(0, size) != literal_b.substr(0, size);
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
  std::size_t begin = 0;
  bool is_in_braces = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') is_in_braces = true;
    if (text[i] == '}') is_in_braces = false;
    if (is_in_braces || separators.find(text[i]) == std::string_view::npos) continue;
    tokens.push_back(text.substr(begin, i + 1 - begin));
    begin = i + 1;
  }
  if (begin < text.size()) tokens.push_back(text.substr(begin));
  return tokens;
}

bool IsConstantTemplate(std::string_view text) { return !HasPlaceholder(text); }

std::string_view WithoutLastToken(std::string_view text, std::string_view separators) {
  const std::vector<std::string_view> tokens = TemplateTokens(text, separators);
  return tokens.empty() ? text : text.substr(0, text.size() - tokens.back().size());
}

std::string_view LiteralBeginning(std::string_view text) { return text.substr(0, text.find('{')); }

bool CanBeEqual(std::string_view a, std::string_view b, std::string_view separators) {
  if (LiteralsDiffer(a, b)) return false;
  return std::ranges::equal(TemplateTokens(a, separators), TemplateTokens(b, separators),
                            [&](std::string_view one, std::string_view other) {
                              return TokensCanBeEqual(one, other, separators);
                            });
}

bool CanBeginWith(std::string_view text, std::string_view beginning, std::string_view separators) {
  if (LiteralsDiffer(text, beginning)) return false;
  const std::vector<std::string_view> tokens = TemplateTokens(text, separators);
  const std::vector<std::string_view> first = TemplateTokens(beginning, separators);
  if (first.empty()) return true;
  if (first.size() > tokens.size()) return false;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    if (!TokensCanBeEqual(tokens[i], first[i], separators)) return false;
  }
  return TokenCanBeginWith(tokens[first.size() - 1], first.back(), separators);
}

}  // namespace hashrange
