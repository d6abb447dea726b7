#include "lab/run/limit_trials.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lab/language/data/population.h"
#include "lab/run/event_loop.h"
#include "lab/run/layout_run.h"
#include "lab/run/run_figures.h"
#include "lab/run/table_fill.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/call_rates.h"
#include "measure/cost/first_limit.h"
#include "measure/pattern_sums.h"

namespace hashrange {
namespace {

constexpr double kMultiples[] = {0.9, 1.1};

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
  HR_ASSIGN(const bool is_filled, fill.Run(parts.stop, [](double) {}));
  return is_filled ? &*own : nullptr;
}

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
  std::optional<LayoutDatabase> own;
  HR_ASSIGN(LayoutDatabase* const database, FilledDatabase(parts, run, size.thin, own));
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

namespace {

constexpr double kLeastSeconds = 20;
// What a table that provisions its throughput has saved at the beginning, the units of one second,
// lasts for 10 s at 1.1 times the throughput.
constexpr double kLeastSecondsOfThroughput = 60;
constexpr double kMostSeconds = 3600;
// So many calls meet the limit in a trial. Their number varies by 5 % by chance, and a trial is 10
// % below or above the limit. A partition then saves the units of ten calls in half a second.
constexpr double kCallsAtLimit = 400;
// Whole units are served, so this many units a second are right to 1 %.
constexpr double kLeastUnits = 50;
// Requests and read units, of which the engine serves about 100,000 a second.
constexpr double kUsualWork = 200'000;
constexpr double kMostWork = 3'000'000;

// Returns the units that the pattern took of what the limit is of.
double UnitsAtLimit(const PatternMeasure& pattern, const LimitRow& row) {
  double sum = 0;
  for (const ResourceUnits& units : pattern.units) {
    if (units.table != row.table || units.index != row.index) continue;
    sum += row.direction == "read" ? units.read_units : units.write_units;
  }
  return sum;
}

// Returns how many units one of the calls that meet the limit takes, with all of its pages, as
// these follow one another at once. Calls of many units count for more, as they make the units of a
// second vary more.
double UnitsOfCall(const Measurement& measurement, const LimitRow& row) {
  double sum = 0;
  double of_squares = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const double units = UnitsAtLimit(pattern, row);
    if (units <= 0) continue;
    sum += units;
    of_squares += units * units / CallsOf(pattern);
  }
  return sum > 0 ? std::max(1.0, of_squares / sum) : 1;
}

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

std::optional<TrialSize> SizeOfTrial(const LayoutRun& run, const LimitRow& row, double multiple) {
  TrialSize size{.makes_all_patterns_alike = DependsOnWeighed(run, row)};
  const double units = UnitsOfCall(run.measurement, row);
  const double least = row.what == "throughput" ? kLeastSecondsOfThroughput : kLeastSeconds;
  const double seconds =
      std::clamp(std::ceil(kCallsAtLimit * units / row.limit), least, kMostSeconds);
  const double work = WorkPerSecond(run, TrialWeights(run, size)) * multiple * seconds;
  const double most_thin = std::max(
      1.0,
      std::floor(std::min(row.limit / kLeastUnits, seconds * row.limit / (kCallsAtLimit * units))));
  const double thin = std::clamp(std::ceil(work / kUsualWork), 1.0, most_thin);
  if (!(work / thin <= kMostWork)) return std::nullopt;
  size.length_ms = static_cast<std::int64_t>(seconds * kMsPerSecond);
  size.thin = static_cast<std::uint64_t>(thin);
  return size;
}

}  // namespace hashrange
