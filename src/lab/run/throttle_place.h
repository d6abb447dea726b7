// Where most of the requests of a run or a trial were throttled. A pure function; any thread.
#pragma once

#include <vector>

#include "lab/run/lab_result.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns the pattern with most of the throttled requests, where each counts as all that it stands
// for; the table or index that throttled most accesses; and its key that had half of these at
// least. All is empty where nothing was throttled.
ThrottlePlace MostThrottled(const std::vector<PatternRun>& patterns,
                            const Measurement& measurement);

}  // namespace hashrange
