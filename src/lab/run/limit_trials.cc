#include "lab/run/limit_trials.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lab/language/data/population.h"
#include "lab/run/event_loop.h"
#include "lab/run/lab_run.h"
#include "lab/run/layout_run.h"
#include "lab/run/run_figures.h"
#include "lab/run/table_fill.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/call_rates.h"
#include "measure/cost/first_limit.h"

namespace hashrange {
namespace {

constexpr double kLeastSeconds = 20;
// What a table that provisions its throughput has saved at the beginning, the units of one second,
// lasts for 20 s at 1.05 times the throughput.
constexpr double kLeastSecondsOfThroughput = 60;
constexpr double kMostSeconds = 3600;
// So many calls meet the limit in a trial at least. Their number varies by 2.5 % by chance, and a
// trial is 5 % below or above the limit.
constexpr double kCallsAtLimit = 1600;
// What a partition serves in a second, in calls at the limit, after thinning. It saves the units of
// half a second, which at 5 % below the limit are used up by chance once in 1,000 times.
constexpr double kLeastCallsOfSecond = 150;
// Requests and read units, of which the engine serves about 100,000 in a second of processor.
constexpr double kUsualWork = 200'000;  // of a trial

const LabLayout& LayoutOf(const LabFile& file, const LayoutRun& run) {
  return *std::ranges::find(file.layouts, run.layout, &LabLayout::name);
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

// Sets where the greatest share of requests was throttled, and the share.
void SetPlace(const std::vector<PatternRun>& patterns, const Measurement& measurement,
              const LimitRow& row, LimitTrial& trial) {
  constexpr std::int64_t kLeastThrottled = 10;  // fewer requests are chance
  const ThrottlePlace most = MostThrottled(patterns, measurement);
  for (const PartitionMap& map : measurement.partitions) {
    for (const ThrottleCount& throttles : map.throttles) {
      if (throttles.count < kLeastThrottled) continue;
      ThrottlePlace place = {.pattern = most.pattern,
                             .pattern_share = most.pattern_share,
                             .table = map.table,
                             .index = map.index,
                             .reason = throttles.reason};
      place.key = MostThrottledKey(place, measurement);
      const bool is_there =
          map.table == row.table && map.index == row.index && throttles.reason == row.reason;
      // What a write of an index throttles is counted by the keys of the table.
      if (is_there && place.key.empty() && row.what == "key") place.key = row.key;
      if (IsOfKeyRange(place) && !FillsPartition(place, measurement)) place.key.clear();
      const double throttled = ThrottledShareAt(place, measurement);
      if (throttled <= trial.throttled) continue;
      trial.throttled = throttled;
      trial.place = std::move(place);
    }
  }
}

// Sets the pattern whose calls add most to what is asked of the place, because a call of the trial
// takes half as much again as one of the run at least.
void SetGrown(const std::vector<PatternRun>& patterns, const LayoutRun& run, LimitTrial& trial) {
  constexpr double kLeastGrowth = 1.5;
  double most = 0;
  for (std::size_t at = 0; at < patterns.size(); ++at) {
    const PatternRun& before = run.patterns[at];
    const auto takes_units = [&](const PatternMeasure& measured) {
      return measured.name == before.name && UnitsAtPlace(measured, trial.place) > 0;
    };
    if (std::ranges::none_of(run.measurement.patterns, takes_units)) continue;
    const double units = patterns[at].read_units.mean() + patterns[at].write_units.mean();
    const double units_before = before.read_units.mean() + before.write_units.mean();
    const double more = (units - units_before) * before.declared_calls_per_second;
    if (units_before <= 0 || units < kLeastGrowth * units_before || more <= most) continue;
    most = more;
    trial.grown = {before.name, units, units_before};
  }
}

bool HasCuts(const Measurement& measurement) {
  return std::ranges::any_of(measurement.partitions, [](const PartitionMap& map) {
    return std::ranges::any_of(map.partitions, [](const PartitionMeasure& partition) {
      return partition.cause == "heat";
    });
  });
}

// Returns the database in which a trial runs, with the tables as they were filled. The
// throughput that a table provisions cannot be thinned later, so a run with such tables gets a new
// database, `own`, which is filled again; otherwise the tables are restored. Null when the fill was
// stopped.
Result<LayoutDatabase*> FilledDatabase(const TrialParts& parts, const LayoutRun& run,
                                       std::uint64_t thin, std::optional<LayoutDatabase>& own) {
  const LabLayout& layout = LayoutOf(parts.file, run);
  const bool is_provisioned = std::ranges::any_of(
      layout.tables, [](const LabTable& table) { return !table.throughput.on_demand; });
  if (!is_provisioned || thin == parts.thin) {
    parts.database.SetTime(parts.file.start_epoch_ms);
    parts.database.RestoreTables();
    return &parts.database;
  }
  own.emplace(parts.file, layout, nullptr, parts.database.max_memory_bytes());
  HR_RETURN_IF_ERROR(own->MakeTables(run.plan, thin));
  const Population population(parts.file, run.scale, parts.stop);
  TableFill fill(*own, run.plan, population);
  HR_ASSIGN(const bool is_filled, fill.Run(parts.stop, [&](double) { parts.progress(0); }));
  return is_filled ? &*own : nullptr;
}

// Returns what one run of the traffic says of the limit of the row; nothing when it was stopped.
// `parts.progress` is that of this trial.
Result<std::optional<LimitTrial>> RunTrial(const TrialParts& parts, const LayoutRun& run,
                                           const LimitRow& row, const LabTraffic& traffic,
                                           const TrialSize& size) {
  std::optional<LayoutDatabase> own;
  HR_ASSIGN(LayoutDatabase* const database, FilledDatabase(parts, run, size.thin, own));
  if (database == nullptr) return std::optional<LimitTrial>();
  database->ModelPartitions({.seed = parts.file.seed, .thin = size.thin, .is_warm = true});
  Population population(parts.file, run.scale, parts.stop);
  std::vector<PatternRun> patterns = FreshPatternRuns(parts.file, size.thin);
  const std::vector<double> weights = TrialWeights(run, size);
  for (std::size_t i = 0; i < patterns.size(); ++i) patterns[i].weight = weights[i];
  EventLoop loop({.database = *database,
                  .file = parts.file,
                  .plan = run.plan,
                  .population = population,
                  .patterns = patterns,
                  .stop = parts.stop},
                 traffic);
  HR_ASSIGN(const bool is_warm, loop.RunUntil(size.warm_up_ms * kUsPerMs, parts.progress));
  if (!is_warm) return std::optional<LimitTrial>();
  database->SetTime(parts.file.start_epoch_ms + size.warm_up_ms);
  for (PatternRun& pattern : patterns) pattern.throttled = 0;
  database->StartMeasurement();
  HR_ASSIGN(const bool has_finished, loop.Run(parts.progress));
  HR_ASSIGN(const Measurement measurement, database->StopMeasurement());
  if (!has_finished) return std::optional<LimitTrial>();
  LimitTrial trial{
      .multiple = traffic.multiple, .is_thinned = size.thin > 1, .has_cuts = HasCuts(measurement)};
  SetPlace(patterns, measurement, row, trial);
  SetGrown(patterns, run, trial);
  return std::optional(std::move(trial));
}

}  // namespace

Result<LimitTrials> RunLimitTrials(const TrialParts& parts, const LayoutRun& run) {
  const std::vector<CallRate> rates = MeteredRates(run);
  const std::vector<LimitRow> rows = FirstLimits(run.measurement, rates);
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  LimitTrials done;
  if (!first || !std::isfinite(first->multiple)) return done;
  double work = 0;
  while (const auto multiple = NextTrialMultiple(first->multiple, done.trials)) {
    const std::optional<TrialSize> size =
        SizeOfTrial(run, first->row, *multiple, parts.file.partitions);
    // One trial alone decides nothing.
    const double needed = size ? size->work * (done.trials.empty() ? 2 : 1) : 0;
    if (!size || work + needed > parts.most_work) {
      done.none_because = done.trials.empty() ? "a trial would take too many requests"
                                              : "further trials would take too many requests";
      break;
    }
    work += size->work;
    const LabPhase phase = TrialPhase(parts.file, first->row, size->length_ms);
    const auto before = static_cast<int>(done.trials.size());
    TrialParts of_trial = parts;
    of_trial.progress = [&](double share) {
      parts.progress(1 - std::ldexp(1 - share / 2, -before));
    };
    HR_ASSIGN(
        const std::optional<LimitTrial> trial,
        RunTrial(of_trial, run, first->row, {.phases = {phase}, .multiple = *multiple}, *size));
    if (!trial) return LimitTrials{.none_because = "the trials were interrupted"};
    done.trials.push_back(*trial);
  }
  return done;
}

std::optional<double> NextTrialMultiple(double computed, std::span<const LimitTrial> trials) {
  // Two trials about the computed limit, so far from it, are within 10 % of each other.
  constexpr double kStep = 1.048;
  constexpr double kWideStep = 1.25;
  constexpr std::size_t kMostTrials = 10;
  if (trials.empty()) return computed / kStep;
  if (trials.size() >= kMostTrials) return std::nullopt;
  const LimitBracket bracket = BracketOf(trials);
  if (bracket.IsClosed()) return std::nullopt;
  const auto [least, greatest] = std::ranges::minmax(trials, {}, &LimitTrial::multiple);
  if (!bracket.holds) return least.multiple / kWideStep;
  if (!bracket.breaks) {
    return greatest.multiple < computed ? computed * kStep : greatest.multiple * kWideStep;
  }
  if (bracket.undecided) return std::nullopt;
  return std::sqrt(bracket.holds->multiple * bracket.breaks->multiple);
}

namespace {

double LeastWeight(const LayoutRun& run) {
  double least = 0;
  for (const PatternRun& pattern : run.patterns) {
    if (least == 0 || pattern.weight < least) least = pattern.weight;
  }
  return std::max(1.0, least);
}

// Returns whether a pattern of which fewer calls are made than of others, because it reads so much,
// takes units of what the limit is of.
bool DependsOnWeighed(const LayoutRun& run, const LimitRow& row) {
  const double least = LeastWeight(run);
  return std::ranges::any_of(run.patterns, [&](const PatternRun& pattern) {
    return pattern.weight > least &&
           std::ranges::any_of(run.measurement.patterns, [&](const PatternMeasure& measured) {
             return measured.name == pattern.name && UnitsAtLimit(measured, row) > 0;
           });
  });
}

// Returns the requests and read units of a second at the declared rates, when nothing is thinned
// but patterns by these weights.
double WorkPerSecond(const LayoutRun& run, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    const PatternRun& pattern = run.patterns[at];
    if (pattern.calls == 0) continue;
    const double work = static_cast<double>(pattern.requests) + pattern.read_units.sum();
    sum +=
        pattern.declared_calls_per_second * work / static_cast<double>(pattern.calls) / weights[at];
  }
  return sum;
}

}  // namespace

std::vector<double> TrialWeights(const LayoutRun& run, const TrialSize& size) {
  const double least = LeastWeight(run);
  std::vector<double> weights;
  for (const PatternRun& pattern : run.patterns) {
    const double own = size.makes_all_patterns_alike ? 1 : std::max(1.0, pattern.weight / least);
    weights.push_back(own * static_cast<double>(size.thin));
  }
  return weights;
}

std::optional<TrialSize> SizeOfTrial(const LayoutRun& run, const LimitRow& row, double multiple,
                                     const PartitionParameters& partitions) {
  TrialSize size{.warm_up_ms = TrialWarmUpMs(partitions),
                 .makes_all_patterns_alike = DependsOnWeighed(run, row)};
  const double units = UnitsOfCallAt(run.measurement, row);
  // What is saved may last a little longer than the warm-up.
  const double of_burst = 4.0 * static_cast<double>(partitions.burst_ms) / kMsPerSecond;
  const double least =
      std::max(of_burst, row.what == "throughput" ? kLeastSecondsOfThroughput : kLeastSeconds);
  const double counted = std::max(least, std::ceil(kCallsAtLimit * units / row.limit));
  if (!(counted <= kMostSeconds)) return std::nullopt;
  size.length_ms = size.warm_up_ms + static_cast<std::int64_t>(counted * kMsPerSecond);
  const double seconds = static_cast<double>(size.length_ms) / kMsPerSecond;
  const double work = WorkPerSecond(run, TrialWeights(run, size)) * multiple * seconds;
  const double of_partition = std::min(row.limit, static_cast<double>(partitions.write_units));
  const double most_thin = std::max(1.0, std::floor(of_partition / (kLeastCallsOfSecond * units)));
  const double thin = std::clamp(std::ceil(work / kUsualWork), 1.0, most_thin);
  size.work = work / thin;
  if (!(size.work <= kMostTrialWork)) return std::nullopt;
  size.thin = static_cast<std::uint64_t>(thin);
  return size;
}

}  // namespace hashrange
