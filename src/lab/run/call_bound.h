// How many calls one run of a lab makes, and their bound. Pure functions; any thread.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// The most calls that are made in one layout: some hours of work.
inline constexpr double kMostCallsOfRun = 1e9;
// The greatest number of calls of which a run makes one.
inline constexpr std::uint64_t kGreatestThin = 1'000'000;

// Returns how many calls the traffic of the file is expected to make in one layout.
double CallsOfTraffic(const LabFile& file);

// Returns an error where the file's traffic makes more calls than a run can make in some hours.
// `thin`: one of so many calls is made; at most kGreatestThin.
// Errors: ValidationException  there are more calls; the sentence says how many, and what to do
Status CheckCallCount(const LabFile& file, std::uint64_t thin);

}  // namespace hashrange
