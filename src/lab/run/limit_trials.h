// LimitTrials: two short runs of a layout, below and above the first limit that was computed, which
// look whether it holds, and how large they are. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "lab/run/layout_database.h"
#include "measure/cost/first_limit.h"

namespace hashrange {

// How long a trial takes, and which part of its calls is made.
//
// When one of n calls is made, what tables and partitions serve is divided by n. That is rough if a
// call then takes a large part of the units that are served in a second: whole units are served,
// few calls meet the limit, and chance decides. So no more calls are left out than the limit
// allows.
struct TrialSize {
  std::int64_t length_ms = 0;
  std::uint64_t thin = 1;  // one of so many calls is made
  // Whether one of as many calls is made of all patterns. Else fewer are made of patterns that read
  // very much, as in the run; these are patterns that the limit does not depend on.
  bool makes_all_patterns_alike = false;
};

// Returns the size of a trial at the multiple of the declared rates; nothing where it would take
// too many requests.
std::optional<TrialSize> SizeOfTrial(const LayoutRun& run, const LimitRow& row, double multiple);

// Returns the weights of the patterns in a trial of that size: of how many calls one is made.
std::vector<double> TrialWeights(const LayoutRun& run, const TrialSize& size);

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
// as TrialSize says; its partitions then serve less by the same factor. Tables on demand are
// warm, as the computed limit takes them. Tables that provision their throughput have saved the
// throughput of one second, as new ones have; a trial is so long that this is used up early.
// Errors: as EventLoop::Run, TableFill::Run and LayoutDatabase::StopMeasurement
Result<LimitTrials> RunLimitTrials(const TrialParts& parts, const LayoutRun& run);

}  // namespace hashrange
