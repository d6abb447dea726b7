// Key templates, compared as texts: "ORDER#{date}#{order_id}" is the literal tokens of the keys
// and, in braces, placeholders. A token ends with its separator, and a placeholder stands for the
// text of one token. Pure functions; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace hashrange {

// Returns the tokens, each with the separator that ends it: "ORDER#", "{date}#", "{order_id}".
// Separators in braces separate nothing. The tokens are views into `text`.
std::vector<std::string_view> TemplateTokens(std::string_view text, std::string_view separators);

// Returns whether a key has this template only if the key is this very text.
bool IsConstantTemplate(std::string_view text);

// Returns what precedes the last token: "STATUS#" of "STATUS#open", nothing of "CUSTOMER".
std::string_view WithoutLastToken(std::string_view text, std::string_view separators);

// Returns the literal text before the first placeholder.
std::string_view LiteralBeginning(std::string_view text);

// Returns whether one key can have both templates.
bool CanBeEqual(std::string_view a, std::string_view b, std::string_view separators);

// Returns whether a key of template `text` can begin with a text of template `beginning`.
bool CanBeginWith(std::string_view text, std::string_view beginning, std::string_view separators);

}  // namespace hashrange
