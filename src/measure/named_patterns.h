// The patterns of a measurement, by what people call them: the text, the id and the title of a
// pattern, the name that a list of matches gives it, the rate that is declared for a name, and the
// patterns of one name added up. Pure functions; any thread.
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

// --- Text, id and title ---

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

// --- Names from a list of matches ---

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

// --- Rates that a designer declares ---

// How often the application makes the calls of a pattern. Months and multiples are computed of
// declared rates.
//
//   {"orders of a customer": 120, "0f3a9c5512d0": 4.5}        calls a second, by name, id or text
struct CallRate {
  std::string pattern = {};  // a name, an id or a text
  double calls_per_second = 0;
};

// Returns the rates in a JSON object. `place` names the object in sentences.
// Errors: ValidationException  the value is no object, or a rate is no number of 0 or more
Result<std::vector<CallRate>> ReadCallRates(const JsonValue& json, std::string_view place);

struct PatternRates {
  std::vector<double> calls_per_second = {};  // of each pattern, in the measurement's order
  double total = 0;
  std::vector<std::string> without_rate = {};   // titles of patterns that have no rate
  std::vector<std::string> without_calls = {};  // declared, but the measurement has no such pattern
};

// Returns the rate of each pattern. Patterns that one rate means share it by their calls.
PatternRates RatesOfPatterns(const Measurement& measurement, std::span<const CallRate> rates);

// --- Patterns of one name ---

// The patterns that have the same name, added up. A pattern without a name stands alone.
struct NamedPattern {
  std::vector<std::string> ids = {};
  // Counts, units and distributions are sums. The id, the text, the operation and the members are
  // the first pattern's; members of the others follow.
  PatternMeasure sum = {};
};

// Returns the patterns in the order of their first pattern in the measurement.
std::vector<NamedPattern> PatternsByName(const Measurement& measurement);

// Adds up the patterns with one name whose calls make the same accesses: the same operation, and in
// the same order the same kinds of access, tables, indexes and keys. Such patterns differ only in
// their expressions, as the names of attributes do that are values: #lines.#sku. The sum has the
// id, the text and the members of its first pattern.
void MergeAlikePatterns(Measurement& measurement);

// Adds the counts and sizes of another pattern, but not what is listed by name, by table or index.
void AddFigures(PatternMeasure& sum, const PatternMeasure& added);
void AddSizes(CallSizes& sizes, const CallSizes& added);

inline constexpr Distribution CallSizes::*kCallSizes[] = {
    &CallSizes::read_units,     &CallSizes::write_units,    &CallSizes::items_examined,
    &CallSizes::items_returned, &CallSizes::bytes_examined, &CallSizes::bytes_returned};

// --- Figures of a pattern ---

// Returns the calls that units are divided by: `calls`, or the requests if all calls began before
// the measurement did.
double CallsOf(const PatternMeasure& pattern);

// Returns the calls that succeeded.
double SuccessfulCallsOf(const PatternMeasure& pattern);

// Returns the table that the pattern's calls name first; empty when they name none.
std::string MainTableOf(const PatternMeasure& pattern);

// Returns the sum of the counts.
double TotalOf(const std::vector<NamedCount>& counts);

// Returns items examined for each item returned, of all calls; infinity when none was returned, 0
// when none was examined.
double ExaminedPerReturned(const PatternMeasure& pattern);

}  // namespace hashrange
