// LimitTrials: short runs of a layout about the first limit that was computed, which look where it
// holds and where it breaks, and how large they are. Used by one thread at a time.
//
//   multiple   ──┬───────────────┬────────┬──────────>    the next trial is between those that hold
//              holds           holds   breaks             and those that break, until two are
//              within
//                                                         10 % of each other (run_figures.h)
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
// call then takes a large part of the units that are served in a second: what is saved is used up
// by chance. So no more calls are left out than the limit allows.
struct TrialSize {
  std::int64_t warm_up_ms = 0;  // the part of the length that does not count
  std::int64_t length_ms = 0;
  std::uint64_t thin = 1;  // one of so many calls is made
  double work = 0;         // requests and read units
  // Whether one of as many calls is made of all patterns. Else fewer are made of patterns that read
  // very much, as in the run; these are patterns that the limit does not depend on.
  bool makes_all_patterns_alike = false;
};

// Returns the size of a trial at the multiple of the declared rates, in which 1,600 calls at least
// meet the limit; nothing where it would take too many requests or more than an hour of traffic.
// `partitions` are those of the file.
std::optional<TrialSize> SizeOfTrial(const LayoutRun& run, const LimitRow& row, double multiple,
                                     const PartitionParameters& partitions = {});

// Returns the weights of the patterns in a trial of that size: of how many calls one is made.
std::vector<double> TrialWeights(const LayoutRun& run, const TrialSize& size);

// What a trial needs of the run before it. The database has saved its filled tables.
struct TrialParts {
  LayoutDatabase& database;
  const LabFile& file;
  std::uint64_t thin = 1;  // of that run
  double most_work = 0;    // requests and read units, of all trials together
  const std::atomic<bool>* stop = nullptr;
  // Called now and then with how much is done, 0 to 1. How many trials follow is not known, so each
  // takes half of what is left.
  std::function<void(double done)> progress = {};
};

struct LimitTrials {
  std::vector<LimitTrial> trials = {};
  std::string none_because = {};  // where they do not decide: why there are none, or no more
};

// Returns the multiple of the next trial of a limit that was computed as `computed`; nothing when
// the trials decide, when one between what holds and what breaks does not, or after ten trials.
std::optional<double> NextTrialMultiple(double computed, std::span<const LimitTrial> trials);

// Returns the trials at multiples as NextTrialMultiple gives them; none when there is no limit, or
// when `stop` has become true; no more when all of them would take more than `most_work`. A trial
// is thinned as TrialSize says; its partitions then serve less by the same factor. Tables on demand
// are warm, as the computed limit takes them. Tables that provision their throughput have saved the
// throughput of one second, as new ones have; a trial is so long that this is used up early.
// Errors: as EventLoop::Run, TableFill::Run and LayoutDatabase::StopMeasurement
Result<LimitTrials> RunLimitTrials(const TrialParts& parts, const LayoutRun& run);

}  // namespace hashrange
