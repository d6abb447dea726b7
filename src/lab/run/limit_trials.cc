#include "lab/run/limit_trials.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lab/data/population.h"
#include "lab/run/declared_limit.h"
#include "lab/run/event_loop.h"
#include "lab/run/layout_run.h"
#include "lab/run/table_fill.h"
#include "lab/run/traffic_factor.h"
#include "measure/first_limit.h"

namespace hashrange {
namespace {

constexpr double kMultiples[] = {0.9, 1.1};
constexpr std::int64_t kTrialMs = 20'000;
constexpr double kMsPerSecond = 1000;
constexpr double kMostWork = 200'000;  // requests and read units of a trial

const LabLayout& LayoutOf(const LabFile& file, const LayoutRun& run) {
  return *std::find_if(file.layouts.begin(), file.layouts.end(),
                       [&](const LabLayout& layout) { return layout.name == run.layout; });
}

// Returns whether a pattern of which few calls are made, because it reads so much, takes units of
// what the limit is of.
bool DependsOnWeighed(const LayoutRun& run, const LimitRow& row, std::uint64_t thin) {
  const auto takes_units = [&](const ResourceUnits& units) {
    return units.table == row.table && units.index == row.index &&
           (row.direction == "read" ? units.read_units : units.write_units) > 0;
  };
  return std::any_of(run.patterns.begin(), run.patterns.end(), [&](const PatternRun& pattern) {
    if (pattern.weight <= static_cast<double>(thin)) return false;
    return std::any_of(run.measurement.patterns.begin(), run.measurement.patterns.end(),
                       [&](const PatternMeasure& measured) {
                         return measured.name == pattern.name &&
                                std::any_of(measured.units.begin(), measured.units.end(),
                                            takes_units);
                       });
  });
}

// Returns the requests and read units that the engine serves a second at the declared rates, when
// patterns that read very much make one of so many calls as in the run.
double WorkPerSecond(const LayoutRun& run, std::uint64_t thin) {
  double sum = 0;
  for (const PatternRun& pattern : run.patterns) {
    if (pattern.calls == 0) continue;
    const double work = static_cast<double>(pattern.requests) + pattern.read_units.sum();
    sum += pattern.declared_calls_per_second * work / static_cast<double>(pattern.calls) *
           static_cast<double>(thin) / pattern.weight;
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

// A database with the tables as they were filled.
class FilledDatabase {
 public:
  FilledDatabase(const TrialParts& parts, const LayoutRun& run) : parts_(parts), run_(run) {}

  // Returns the database in which a trial runs. What a table provisions cannot be thinned later, so
  // such tables are made and filled again; others are restored. Null when that was stopped.
  Result<LayoutDatabase*> Prepare(std::uint64_t thin) {
    const std::vector<LabTable>& tables = LayoutOf(parts_.file, run_).tables;
    const bool is_provisioned =
        std::any_of(tables.begin(), tables.end(),
                    [](const LabTable& table) { return !table.throughput.on_demand; });
    if (!is_provisioned || thin == parts_.thin) {
      parts_.database.SetTime(parts_.file.start_epoch_ms);
      parts_.database.RestoreTables();
      return &parts_.database;
    }
    own_.emplace(parts_.file, LayoutOf(parts_.file, run_), nullptr);
    HR_RETURN_IF_ERROR(own_->MakeTables(run_.plan, thin));
    const Population population(parts_.file, run_.scale);
    TableFill fill(*own_, run_.plan, population);
    HR_ASSIGN(const bool is_filled, fill.Run(parts_.stop, [](double) {}));
    return is_filled ? &*own_ : nullptr;
  }

 private:
  const TrialParts& parts_;
  const LayoutRun& run_;
  std::optional<LayoutDatabase> own_ = {};
};

// Returns the counts of all patterns before a trial, with their weights.
std::vector<PatternRun> PatternsOfTrial(const TrialParts& parts, const LayoutRun& run,
                                        std::uint64_t thin) {
  std::vector<PatternRun> patterns = FreshPatternRuns(parts.file, thin);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    patterns[i].weight *= run.patterns[i].weight / static_cast<double>(parts.thin);
  }
  return patterns;
}

// Returns what one run of the traffic gave; nothing when it was stopped.
Result<std::optional<LimitTrial>> RunTrial(const TrialParts& parts, const LayoutRun& run,
                                           const LabTraffic& traffic, std::uint64_t thin) {
  FilledDatabase filled(parts, run);
  HR_ASSIGN(LayoutDatabase* const database, filled.Prepare(thin));
  if (database == nullptr) return std::optional<LimitTrial>();
  database->ModelPartitions({.seed = parts.file.seed, .thin = thin, .is_warm = true});
  Population population(parts.file, run.scale);
  std::vector<PatternRun> patterns = PatternsOfTrial(parts, run, thin);
  EventLoop loop({.database = *database,
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

Result<std::vector<LimitTrial>> RunLimitTrials(const TrialParts& parts, const LayoutRun& run) {
  std::vector<LimitTrial> trials;
  const std::vector<CallRate> rates = MeteredRates(run);
  const std::vector<LimitRow> rows = FirstLimits(run.measurement, rates);
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  if (!first || !std::isfinite(first->multiple) || DependsOnWeighed(run, first->row, parts.thin)) {
    return trials;
  }
  const double work = WorkPerSecond(run, parts.thin) * static_cast<double>(kTrialMs) / kMsPerSecond;
  for (const double part : kMultiples) {
    const LabTraffic traffic = {.phases = {TrialPhase(parts.file, first->row)},
                                .multiple = part * first->multiple};
    const double own_thin = std::max(1.0, std::ceil(work * traffic.multiple / kMostWork));
    HR_ASSIGN(const std::optional<LimitTrial> trial,
              RunTrial(parts, run, traffic, static_cast<std::uint64_t>(own_thin)));
    if (!trial) return std::vector<LimitTrial>();
    trials.push_back(*trial);
  }
  return trials;
}

}  // namespace hashrange
