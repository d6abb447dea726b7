// Takes units away from the parts of a measurement, for the functions of what_if.h only. Pure
// functions; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "measure/measurement.h"

namespace hashrange {

// Returns the units that the pattern took of a table or index; null when it took none.
ResourceUnits* FindUnits(std::vector<ResourceUnits>& units, std::string_view table,
                         std::string_view index);

// Takes `removed` write units away from all calls of a pattern. The sums become exact; each call
// keeps its share of what is left, rounded up to a whole unit.
void RemoveWriteUnits(PatternMeasure& pattern, double removed);

// Multiplies the units of a table or index, with its keys, windows and heat.
void ScaleResource(ResourceMeasure& resource, double read_factor, double write_factor);

// Multiplies the units of all buckets of time.
void ScaleTime(TimeMeasure& time, double read_factor, double write_factor);

// Returns the units of all tables and indexes.
ResourceUnits TotalUnits(const Measurement& measurement);

// Returns part ÷ whole, and 1 when there is no whole.
double FactorOf(double part, double whole);

}  // namespace hashrange
