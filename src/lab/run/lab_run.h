// A run of a lab: each layout gets a database of its own with the same data, and the same calls on
// simulated time, while the partition model enforces its limits. What comes out depends on the
// file, the seed and the options only, not on the machine, its threads or the time of day.
//
// Each layout and scale is one event loop on one thread:
//
//   arrivals (a Poisson process for each pattern) ─┐
//   next requests of calls, after the latency ─────┼─ the earliest → SetTime → Call → its answer
//   retries, after the client's wait ──────────────┘
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// The most requests and read units that the trials of a layout take, of which a processor serves
// about 100,000 in a second.
inline constexpr double kMostTrialWork = 3'000'000;
// The most calls that are made in one layout: some hours of work.
inline constexpr double kMostCallsOfRun = 1e9;
// The greatest number of calls of which a run makes one.
inline constexpr std::uint64_t kGreatestThin = 1'000'000;
// The greatest multiple of a file's data.
inline constexpr std::uint64_t kGreatestScale = 1'000'000;

struct LabRunOptions {
  std::vector<std::uint64_t> scales = {1};
  std::uint64_t thin = 1;  // one of so many calls is made, and counts as so many
  int threads = 0;         // 0: as many as the machine has
  bool confirms_first_limit = true;
  // The most work of the trials that confirm it, of each layout but the file's first.
  double trial_work_of_others = kMostTrialWork;
  std::vector<std::string> only_layouts = {};  // names; empty: all
  // A file for every request and what it consumed, one JSON object a line; empty: none.
  std::string requests_file = {};
  // While the data of all databases of the process takes more, the run ends with an error; 0: there
  // is no bound. What is counted is said in base/memory/live_memory.h.
  std::int64_t max_memory_bytes = 0;
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, the run ends early
  // Called now and then, by any thread, with how much is done, 0 to 1.
  std::function<void(double done)> progress = {};
};

// Returns what all layouts did. With `stop`, what they did until then.
// Errors: ValidationException    a layout cannot be planned, values repeat that are to be unique
//         (CheckUniqueValues), an option has no such layout, the
//         traffic has too many calls, the data takes too much memory, or a request of `serve:` is
//         refused by the engine as invalid
//         InternalServerError    the file for the requests cannot be written to
Result<LabResult> RunLab(const LabFile& file, const LabRunOptions& options);

// Returns how many calls the traffic of the file is expected to make in one layout.
double CallsOfTraffic(const LabFile& file);

// Returns an error where the file's traffic makes more calls than a run can make in some hours.
// `thin`: one of so many calls is made; at most kGreatestThin.
// Errors: ValidationException  there are more calls; the sentence says how many, and what to do
Status CheckCallCount(const LabFile& file, std::uint64_t thin);

}  // namespace hashrange
