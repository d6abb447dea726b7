// LimitTrials: two short runs of a layout, below and above the first limit that was computed, which
// look whether it holds. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "lab/run/layout_database.h"

namespace hashrange {

// What a trial needs of the run before it. The database has saved its filled tables.
struct TrialParts {
  LayoutDatabase& database;
  const LabFile& file;
  std::uint64_t thin = 1;  // of that run
  const std::atomic<bool>* stop = nullptr;
};

struct LimitTrials {
  std::vector<LimitTrial> trials = {};
  std::string none_because = {};  // where there is a limit: why there are no trials
};

// Returns the runs at 0.9 and at 1.1 of the multiple of the first limit; none when there is no
// limit, when they would take too many requests, or when `stop` has become true. A trial is thinned
// as trial_size.h says; its partitions then serve less by the same factor. Tables on demand are
// warm, as the computed limit takes them. Tables that provision their throughput have saved that of
// one second, as new ones have; a trial is so long that this is used up early.
// Errors: those of EventLoop::Run, TableFill::Run and LayoutDatabase::StopMeasurement
Result<LimitTrials> RunLimitTrials(const TrialParts& parts, const LayoutRun& run);

}  // namespace hashrange
