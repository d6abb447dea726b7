// PatternMatch: gives a name to access patterns after they were measured, with no change to the
// application. Pure functions; any thread.
//
//   [{"name": "orders of a customer", "operation": "Query", "table": "shop", "index": "GSI1",
//     "partition_key": "CUST#*", "sort_key": "ORDER#*", "caller": "checkout"}]
//
// Every member but `name` may be left out; one that is left out matches anything. A `*` matches any
// text, also none. An index that is empty text is the table itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/measurement.h"
#include "wire/json.h"

namespace hashrange {

struct PatternMatch {
  std::string name = {};
  std::optional<std::string> operation = {};
  std::optional<std::string> table = {};
  std::optional<std::string> index = {};
  // Key templates as the measurement shows them, several parts joined by ", ": "CUST#{digits}". A
  // BETWEEN has both of its bounds, joined by " AND ". A member without such a key has empty text.
  std::optional<std::string> partition_key = {};
  std::optional<std::string> sort_key = {};
  std::optional<std::string> caller = {};  // at least one of the pattern's callers
};

// Returns the matches in a JSON list. `place` names the list in sentences.
// Errors: ValidationException  the value is no list, or an element has no name, a member that is
//         no text, or one that is not known
Result<std::vector<PatternMatch>> ReadPatternMatches(const JsonValue& json, std::string_view place);

// Whether the text matches: each `*` of `pattern` stands for any text, also none.
// Cost: O(text × pattern).
bool MatchesStars(std::string_view text, std::string_view pattern);

// Names the patterns that have no name yet. The first match counts. A call with several members
// matches when one of its members does.
void NamePatterns(std::span<const PatternMatch> matches, Measurement& measurement);

}  // namespace hashrange
