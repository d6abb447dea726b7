// Figures that follow from a run of a layout: its rates for a month, the multiple of the declared
// rates at which it meets its first limit, the place where it was throttled. A trial of that limit
// and all reports of a lab use these functions, so that they speak of the same. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lab/run/lab_result.h"
#include "measure/call_rates.h"
#include "measure/cost/first_limit.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns whether calls were made and all of them were given up: what a served call takes is not
// known then.
bool HasOnlyFailedCalls(const PatternRun& run);

// Returns the rates by which the measurement of a run is assessed. The lab declares calls of the
// application, each of which may be several calls for the meter: shards, look-ups, fetches,
// retries. So the rate of a pattern is the declared one, times its metered calls, divided by its
// calls that were served: the months of two layouts are made of the same calls, all of them
// served. Throttled requests take no units, and so cost nothing. A call that was given up after a
// part was written counts as that part of a served call, so the units of the part are not charged
// to other calls. A pattern of which no call was served has the rate 0, as its units are not known:
// the month and the first limits lack it. A pattern without a declared rate is left out.
std::vector<CallRate> MeteredRates(const LayoutRun& run);

struct DeclaredLimit {
  LimitRow row = {};
  double multiple = 0;  // of the declared rates
  // Whether the multiple is computed from the mix of the run, as it is not known which patterns use
  // the key.
  bool is_of_mix = false;
};

enum class LimitsCounted : std::uint8_t {
  kAll,
  kOfKeys,  // of keys and items; quotas and declared capacity can be raised
};

// Returns the limit that is met at the smallest multiple of the declared rates; nothing when no
// rate is declared, or no call succeeded. `rows` are FirstLimits of the run's measurement by
// MeteredRates. Rows of modelled partitions are left out, as a partition is cut before it limits
// for long.
std::optional<DeclaredLimit> FirstDeclaredLimit(const LayoutRun& run,
                                                std::span<const LimitRow> rows,
                                                LimitsCounted counted = LimitsCounted::kAll);

// Returns the pattern with most of the throttled requests, where each counts as all that it stands
// for; the table or index that throttled most accesses; and its key that had half of these at
// least. All is empty where nothing was throttled.
ThrottlePlace MostThrottled(const std::vector<PatternRun>& patterns,
                            const Measurement& measurement);

}  // namespace hashrange
