// Makes the patterns and sequences of a Measurement from those of the stripes: patterns whose texts
// are equal become one. Used by one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/measurement.h"
#include "measure/meter/merged_keys.h"
#include "measure/meter/stripe.h"

namespace hashrange {

// A measurement reports this many patterns. The pattern "other" is one of them if there are more.
inline constexpr std::size_t kMaxReportedPatterns = 1000;

// Adds the patterns, sequences and what belongs to them to `*measurement`. `has_ended`: no call can
// follow any more.
void AddPatterns(const MergedKeys& keys, const std::vector<StripeCounters>& stripes, bool has_ended,
                 Measurement* measurement);

}  // namespace hashrange
