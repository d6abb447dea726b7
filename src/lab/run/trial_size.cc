#include "lab/run/trial_size.h"

#include <algorithm>
#include <cmath>

#include "measure/named_patterns.h"

namespace hashrange {
namespace {

constexpr double kMsPerSecond = 1000;
constexpr double kLeastSeconds = 20;
// What a table that provisions its throughput has saved at the beginning, that of one second, lasts
// for 10 s at 1.1 times the throughput.
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
