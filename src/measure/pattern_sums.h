// Sums and means of patterns: the figures of one pattern, and the patterns of one name added up.
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

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

}  // namespace hashrange
