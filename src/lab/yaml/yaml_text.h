// Pieces of YAML. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Returns the text in double quotes.
std::string YamlQuoted(std::string_view text);

// Returns a name or a value as it is where every reader of YAML takes it for that text, otherwise
// in quotes.
std::string YamlPlain(std::string_view text);

// Returns "[a, b]".
std::string YamlList(const std::vector<std::string>& texts);

// Returns the key of a table or an index: "[PK, SK]", or of several attributes
// "{hash: [tenant_id, region], range: [created_at]}".
std::string YamlKey(const std::vector<std::string>& hash, const std::vector<std::string>& range);

// Returns the sentence as one line without control characters, cut where it is very long.
std::string YamlComment(std::string_view sentence);

// Returns a number with six significant digits at most, without an exponent.
std::string YamlNumber(double number);

}  // namespace hashrange
