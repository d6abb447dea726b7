#include "lab/run/limit_trials.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lab/language/data/population.h"
#include "lab/run/declared_limit.h"
#include "lab/run/event_loop.h"
#include "lab/run/layout_run.h"
#include "lab/run/table_fill.h"
#include "lab/run/throttle_place.h"
#include "lab/run/traffic_factor.h"
#include "lab/run/trial_size.h"
#include "measure/cost/first_limit.h"

namespace hashrange {
namespace {

constexpr double kMultiples[] = {0.9, 1.1};
constexpr double kMsPerSecond = 1000;

const LabLayout& LayoutOf(const LabFile& file, const LayoutRun& run) {
  return *std::find_if(file.layouts.begin(), file.layouts.end(),
                       [&](const LabLayout& layout) { return layout.name == run.layout; });
}

// Returns the stretch of a trial. What is hot in the window in which the limit was found is hot in
// the trial.
LabPhase TrialPhase(const LabFile& file, const LimitRow& row, std::int64_t length_ms) {
  const std::int64_t window_ms = std::max<std::int64_t>(
      0, row.window_begin_epoch_ms == 0 ? 0 : row.window_begin_epoch_ms - file.start_epoch_ms);
  const std::size_t phase =
      TrafficFactor(file.traffic).PhaseAt(static_cast<double>(window_ms) / kMsPerSecond);
  return {.length_ms = length_ms, .hot = file.traffic[phase].hot};
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
    own_.emplace(parts_.file, LayoutOf(parts_.file, run_), nullptr,
                 parts_.database.max_memory_bytes());
    HR_RETURN_IF_ERROR(own_->MakeTables(run_.plan, thin));
    const Population population(parts_.file, run_.scale, parts_.stop);
    TableFill fill(*own_, run_.plan, population);
    HR_ASSIGN(const bool is_filled, fill.Run(parts_.stop, [](double) {}));
    return is_filled ? &*own_ : nullptr;
  }

 private:
  const TrialParts& parts_;
  const LayoutRun& run_;
  std::optional<LayoutDatabase> own_ = {};
};

// Returns the share of requests that were throttled. Of some patterns fewer calls are made than of
// others, so each request counts as all that it stands for.
double ThrottledShare(const std::vector<PatternRun>& patterns) {
  double requests = 0;
  double throttled = 0;
  for (const PatternRun& pattern : patterns) {
    requests += pattern.weight * static_cast<double>(pattern.requests);
    throttled += pattern.weight * static_cast<double>(pattern.throttled);
  }
  return requests == 0 ? 0 : throttled / requests;
}

// Returns what one run of the traffic gave; nothing when it was stopped.
Result<std::optional<LimitTrial>> RunTrial(const TrialParts& parts, const LayoutRun& run,
                                           const LabTraffic& traffic, const TrialSize& size) {
  FilledDatabase filled(parts, run);
  HR_ASSIGN(LayoutDatabase* const database, filled.Prepare(size.thin));
  if (database == nullptr) return std::optional<LimitTrial>();
  database->ModelPartitions({.seed = parts.file.seed, .thin = size.thin, .is_warm = true});
  Population population(parts.file, run.scale, parts.stop);
  std::vector<PatternRun> patterns = FreshPatternRuns(parts.file, size.thin);
  const std::vector<double> weights = TrialWeights(run, size);
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].weight = weights[i];
  database->StartMeasurement();
  EventLoop loop({.database = *database,
                  .file = parts.file,
                  .plan = run.plan,
                  .population = population,
                  .patterns = patterns,
                  .stop = parts.stop},
                 traffic);
  HR_ASSIGN(const bool has_finished, loop.Run([](double) {}));
  HR_ASSIGN(const Measurement measurement, database->StopMeasurement());
  if (!has_finished) return std::optional<LimitTrial>();
  return std::optional(LimitTrial{.multiple = traffic.multiple,
                                  .throttled = ThrottledShare(patterns),
                                  .is_thinned = size.thin > 1,
                                  .place = MostThrottled(patterns, measurement)});
}

}  // namespace

Result<LimitTrials> RunLimitTrials(const TrialParts& parts, const LayoutRun& run) {
  const std::vector<CallRate> rates = MeteredRates(run);
  const std::vector<LimitRow> rows = FirstLimits(run.measurement, rates);
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  LimitTrials done;
  if (!first || !std::isfinite(first->multiple)) return done;
  for (const double part : kMultiples) {
    const double multiple = part * first->multiple;
    const std::optional<TrialSize> size = SizeOfTrial(run, first->row, multiple);
    if (!size) return LimitTrials{.none_because = "a trial would take too many requests"};
    const LabPhase phase = TrialPhase(parts.file, first->row, size->length_ms);
    HR_ASSIGN(const std::optional<LimitTrial> trial,
              RunTrial(parts, run, {.phases = {phase}, .multiple = multiple}, *size));
    if (!trial) return LimitTrials{.none_because = "the trials were interrupted"};
    done.trials.push_back(*trial);
  }
  return done;
}

}  // namespace hashrange
