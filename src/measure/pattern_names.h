// What people call the patterns of a measurement: their text, id and title, and the names that a
// list of matches gives them. Pure functions; any thread.
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

// Returns the text of the pattern's operation and members on one line:
//
//   Query shop/GSI1 where GSI1PK = CUST#{customer_id} and GSI1SK begins_with ORDER#, backward,
//   limit 20, filter status = ?, only order_id, total
std::string PatternText(const PatternMeasure& pattern);
// Returns the id of the pattern with this text and name: 12 hexadecimal digits.
std::string PatternId(const PatternMeasure& pattern);
// Returns "shop", or "shop/GSI1".
std::string ResourceText(const std::string& table, const std::string& index);

// Returns how people call the pattern: its name, or else its text, or else its id.
std::string TitleOf(const PatternMeasure& pattern);

// Whether `key`, which somebody wrote into a file, means the pattern: its name, id or text.
bool IsMeant(const PatternMeasure& pattern, std::string_view key);

// A name for patterns that were measured, which needs no change to the application:
//
//   [{"name": "orders of a customer", "operation": "Query", "table": "shop", "index": "GSI1",
//     "partition_key": "CUST#*", "sort_key": "ORDER#*", "caller": "checkout"}]
//
// Every member but `name` may be left out; one that is left out matches anything. A `*` matches any
// text, also none. An index that is empty text is the table itself.
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
