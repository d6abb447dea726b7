#include "lab/run/run_figures.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "measure/cost/price_list.h"
#include "measure/pattern_sums.h"

namespace hashrange {
namespace {

// Returns what `count` gives for each pattern of the measurement that has the name, added up.
double SumOfPattern(const Measurement& measurement, std::string_view name,
                    double (*count)(const PatternMeasure&)) {
  double sum = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (pattern.name == name) sum += count(pattern);
  }
  return sum;
}

// Returns what the units cost on demand.
double UsdOf(double read_units, double write_units) {
  const PriceList& prices = BuiltInPrices();
  return read_units * UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, false)) +
         write_units * UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, false));
}

// Returns what the units of all of the pattern's calls cost, failed ones included.
double UsdOfPattern(const PatternMeasure& pattern) {
  double usd = UsdOf(pattern.failed_read_units, pattern.failed_write_units);
  for (const ResourceUnits& units : pattern.units)
    usd += UsdOf(units.read_units, units.write_units);
  return usd;
}

// Returns the calls that were served, to which the units of the run belong. A month in which calls
// fail would be cheaper than one in which they are served, so the rates are the rates of calls that
// are served. A call that failed after it had written a part counts as the part of a served call
// that its units are. At least one call was served.
double ServedCalls(const LayoutRun& run, const PatternRun& pattern) {
  const auto served = static_cast<double>(pattern.calls - pattern.failed);
  const double all_usd = SumOfPattern(run.measurement, pattern.name, UsdOfPattern);
  const double failed_usd = UsdOf(pattern.failed_read_units, pattern.failed_write_units);
  return failed_usd < all_usd ? served * (all_usd / (all_usd - failed_usd)) : served;
}

// Returns how many metered calls of the mix that was run are made a second, at the declared rates.
// Patterns of which fewer calls were made than of others, as they are thinned, count for fewer.
double MixCallsPerSecond(const LayoutRun& run) {
  double least_weight = std::numeric_limits<double>::infinity();
  for (const PatternRun& pattern : run.patterns) {
    if (pattern.calls > 0) least_weight = std::min(least_weight, pattern.weight);
  }
  double sum = 0;
  for (const PatternRun& pattern : run.patterns) {
    if (pattern.calls <= pattern.failed || !(pattern.declared_calls_per_second > 0)) continue;
    const double a_call =
        SumOfPattern(run.measurement, pattern.name, SuccessfulCallsOf) / ServedCalls(run, pattern);
    sum += pattern.declared_calls_per_second * a_call * least_weight / pattern.weight;
  }
  return sum;
}

}  // namespace

bool HasOnlyFailedCalls(const PatternRun& run) { return run.calls > 0 && run.failed >= run.calls; }

std::vector<CallRate> MeteredRates(const LayoutRun& run) {
  std::vector<CallRate> rates;
  for (const PatternRun& pattern : run.patterns) {
    if (!(pattern.declared_calls_per_second > 0)) continue;
    double a_call = 1;
    if (HasOnlyFailedCalls(pattern)) {
      a_call = 0;
    } else if (pattern.calls > 0) {
      a_call = SumOfPattern(run.measurement, pattern.name, CallsOf) / ServedCalls(run, pattern);
    }
    rates.push_back({pattern.name, pattern.declared_calls_per_second * a_call});
  }
  return rates;
}

std::optional<DeclaredLimit> FirstDeclaredLimit(const LayoutRun& run,
                                                std::span<const LimitRow> rows,
                                                LimitsCounted counted) {
  const double mix = MixCallsPerSecond(run);
  std::optional<DeclaredLimit> first;
  for (const LimitRow& row : rows) {
    if (row.what == "partition") continue;
    const bool is_of_key = row.what == "key" || row.what == "item";
    if (counted == LimitsCounted::kOfKeys && !is_of_key) continue;
    DeclaredLimit limit{.row = row, .multiple = row.multiple_of_declared};
    if (limit.multiple <= 0 && mix > 0) {
      limit.multiple = row.least_calls_per_second / mix;
      limit.is_of_mix = true;
    }
    if (limit.multiple > 0 && (!first || limit.multiple < first->multiple)) first = limit;
  }
  return first;
}

namespace {

// Sets the table or index whose partitions throttled most accesses. A write that an index throttles
// counts for its table in the resources of a measurement, so these are asked last.
void SetResource(const Measurement& measurement, ThrottlePlace& place) {
  std::int64_t most = 0;
  for (const PartitionMap& map : measurement.partitions) {
    std::int64_t throttled = 0;
    for (const ThrottleCount& each : map.throttles) throttled += each.count;
    if (throttled <= most) continue;
    most = throttled;
    place.table = map.table;
    place.index = map.index;
  }
  if (most > 0) return;
  for (const ResourceMeasure& resource : measurement.resources) {
    const auto throttled = static_cast<std::int64_t>(resource.throttled);
    if (throttled <= most) continue;
    most = throttled;
    place.table = resource.table;
    place.index = resource.index;
  }
}

// Sets the key of the table or index that had half of its throttled accesses at least.
void SetKey(const Measurement& measurement, ThrottlePlace& place) {
  constexpr double kLeastShare = 0.5;
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table != place.table || resource.index != place.index) continue;
    const TopKeys& top = resource.throttled_keys;
    if (top.keys.empty() || top.keys[0].units < kLeastShare * top.total_units) continue;
    place.key = top.keys[0].key;
  }
}

}  // namespace

ThrottlePlace MostThrottled(const std::vector<PatternRun>& patterns,
                            const Measurement& measurement) {
  ThrottlePlace place;
  double all = 0;
  double most = 0;
  for (const PatternRun& pattern : patterns) {
    const double throttled = pattern.weight * static_cast<double>(pattern.throttled);
    all += throttled;
    if (throttled <= most) continue;
    most = throttled;
    place.pattern = pattern.name;
  }
  if (most <= 0) return place;
  place.pattern_share = most / all;
  SetResource(measurement, place);
  SetKey(measurement, place);
  return place;
}

}  // namespace hashrange
