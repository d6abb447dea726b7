// NamedPattern: the patterns of a measurement that have the same name, added up. Budgets, declared
// rates and comparisons speak of these. A pattern without a name stands alone. Pure functions; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

struct NamedPattern {
  std::vector<std::string> ids = {};
  // Counts, units and distributions are sums. The id, the text, the operation and the members are
  // those of the first pattern; members of the others follow.
  PatternMeasure sum = {};
};

// Returns the patterns in the order of their first pattern in the measurement.
std::vector<NamedPattern> PatternsByName(const Measurement& measurement);

// Adds up the patterns with one name whose calls make the same accesses: the same operation, and in
// the same order the same kinds of access, tables, indexes and keys. Such patterns differ only in
// their expressions, as the names of attributes do that are values: #lines.#sku. The sum has the
// id, the text and the members of its first pattern.
void MergeAlikePatterns(Measurement& measurement);

// Returns how people call the pattern: its name, or else its text, or else its id.
std::string TitleOf(const PatternMeasure& pattern);

// Whether `key`, which somebody wrote into a file, means the pattern: its name, id or text.
bool IsMeant(const PatternMeasure& pattern, std::string_view key);

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
