#include "lab/run/limit_trials.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lab/data/population.h"
#include "lab/run/declared_limit.h"
#include "lab/run/event_loop.h"
#include "lab/run/traffic_factor.h"
#include "measure/first_limit.h"

namespace hashrange {
namespace {

constexpr double kMultiples[] = {0.9, 1.1};
constexpr std::int64_t kTrialMs = 20'000;
constexpr double kMsPerSecond = 1000;
constexpr double kMostRequests = 400'000;  // of a trial

// Returns whether a pattern of which few calls are made takes units of what the limit is of.
bool DependsOnWeighed(const LayoutRun& run, const LimitRow& row, std::uint64_t thin) {
  return std::any_of(run.patterns.begin(), run.patterns.end(), [&](const PatternRun& pattern) {
    if (pattern.weight <= static_cast<double>(thin)) return false;
    return std::any_of(run.measurement.patterns.begin(), run.measurement.patterns.end(),
                       [&](const PatternMeasure& measured) {
                         if (measured.name != pattern.name) return false;
                         return std::any_of(measured.units.begin(), measured.units.end(),
                                            [&](const ResourceUnits& units) {
                                              return units.table == row.table &&
                                                     units.index == row.index;
                                            });
                       });
  });
}

// Returns how many requests a second the layout makes at the declared rates.
double RequestsPerSecond(const LayoutRun& run) {
  double sum = 0;
  for (const PatternRun& pattern : run.patterns) {
    if (pattern.calls == 0) continue;
    sum += pattern.declared_calls_per_second * static_cast<double>(pattern.requests) /
           static_cast<double>(pattern.calls);
  }
  return sum;
}

// Returns the stretch of a trial. What is hot in the window in which the limit was found is hot in
// the trial.
LabPhase TrialPhase(const LabFile& file, const LimitRow& row) {
  const std::int64_t window_ms = std::max<std::int64_t>(
      0, row.window_begin_epoch_ms == 0 ? 0 : row.window_begin_epoch_ms - file.start_epoch_ms);
  const std::size_t phase =
      TrafficFactor(file.traffic).PhaseAt(static_cast<double>(window_ms) / kMsPerSecond);
  return {.length_ms = kTrialMs, .hot = file.traffic[phase].hot};
}

// Returns what one run at the multiple gave; nothing when it was stopped.
Result<std::optional<LimitTrial>> RunTrial(const TrialParts& parts, const LayoutRun& run,
                                           const LabTraffic& traffic, std::uint64_t thin) {
  parts.database.SetTime(parts.file.start_epoch_ms);
  parts.database.RestoreTables();
  parts.database.ModelPartitions({.seed = parts.file.seed, .thin = thin, .is_warm = true});
  Population population(parts.file, run.scale);
  std::vector<PatternRun> patterns = run.patterns;
  for (PatternRun& pattern : patterns) {
    pattern = {.name = pattern.name,
               .declared_calls_per_second = pattern.declared_calls_per_second,
               .weight = static_cast<double>(thin) * pattern.weight};
  }
  EventLoop loop({.database = parts.database,
                  .file = parts.file,
                  .plan = run.plan,
                  .population = population,
                  .patterns = patterns,
                  .stop = parts.stop},
                 traffic);
  HR_ASSIGN(const bool has_finished, loop.Run([](double) {}));
  if (!has_finished) return std::optional<LimitTrial>();
  std::uint64_t requests = 0;
  std::uint64_t throttled = 0;
  for (const PatternRun& pattern : patterns) {
    requests += pattern.requests;
    throttled += pattern.throttled;
  }
  const double share =
      requests == 0 ? 0 : static_cast<double>(throttled) / static_cast<double>(requests);
  return std::optional(
      LimitTrial{.multiple = traffic.multiple, .throttled = share, .is_thinned = thin > 1});
}

}  // namespace

Result<std::vector<LimitTrial>> RunLimitTrials(const TrialParts& parts, const LayoutRun& run,
                                               std::uint64_t thin) {
  std::vector<LimitTrial> trials;
  const std::vector<CallRate> rates = MeteredRates(run);
  const std::vector<LimitRow> rows = FirstLimits(run.measurement, rates);
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  if (!first || !std::isfinite(first->multiple) || DependsOnWeighed(run, first->row, thin)) {
    return trials;
  }
  const double requests = RequestsPerSecond(run) * static_cast<double>(kTrialMs) / kMsPerSecond;
  for (const double part : kMultiples) {
    const LabTraffic traffic = {.phases = {TrialPhase(parts.file, first->row)},
                                .multiple = part * first->multiple};
    const double own_thin = std::max(1.0, std::ceil(requests * traffic.multiple / kMostRequests));
    HR_ASSIGN(const std::optional<LimitTrial> trial,
              RunTrial(parts, run, traffic, static_cast<std::uint64_t>(own_thin)));
    if (!trial) return std::vector<LimitTrial>();
    trials.push_back(*trial);
  }
  return trials;
}

}  // namespace hashrange
