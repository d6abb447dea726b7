#include "lab/run/run_figures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "measure/cost/price_list.h"
#include "measure/number_text.h"
#include "measure/pattern_sums.h"
#include "simulation/partitions/throttling_reason.h"

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

bool IsOfKeys(const LimitRow& row) { return row.what == "key" || row.what == "item"; }

std::optional<DeclaredLimit> FirstDeclaredLimit(const LayoutRun& run,
                                                std::span<const LimitRow> rows,
                                                LimitsCounted counted) {
  const double mix = MixCallsPerSecond(run);
  std::optional<DeclaredLimit> first;
  for (const LimitRow& row : rows) {
    if (row.what == "partition") continue;
    if (counted == LimitsCounted::kOfKeys && !IsOfKeys(row)) continue;
    DeclaredLimit limit{.row = row, .multiple = row.multiple_of_declared};
    if (limit.multiple <= 0 && mix > 0) {
      limit.multiple = row.least_calls_per_second / mix;
      limit.is_of_mix = true;
    }
    limit.computed = limit.multiple;
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
    place.reason = std::ranges::max_element(map.throttles, {}, &ThrottleCount::count)->reason;
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

}  // namespace

std::string MostThrottledKey(const ThrottlePlace& place, const Measurement& measurement) {
  constexpr double kLeastShare = 0.5;
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table != place.table || resource.index != place.index) continue;
    const TopKeys& top = resource.throttled_keys;
    if (top.keys.empty() || top.keys[0].units < kLeastShare * top.total_units) continue;
    return top.keys[0].key;
  }
  return {};
}

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
  place.key = MostThrottledKey(place, measurement);
  return place;
}

// --- Trials of the first limit ---

bool IsOfKeyRange(const ThrottlePlace& place) {
  const auto reason = ParseThrottlingReason(place.reason);
  return reason && reason->limit == ThrottlingLimit::kKeyRange;
}

namespace {

constexpr double kMostOfHolds = 0.001;
constexpr double kLeastOfBreaks = 0.01;
constexpr double kClosed = 1.1;

bool IsOfKey(const LimitRow& row) { return row.what == "key" || row.what == "item"; }

// Returns whether the place is another table, index or key than the limit is of, or throttled for
// another reason. A place with a reason and without a key stands for keys that meet in a partition.
bool IsElsewhere(const ThrottlePlace& place, const LimitRow& row) {
  if (place.table.empty()) return false;
  if (place.table != row.table || place.index != row.index) return true;
  if (!place.reason.empty() && place.reason != row.reason) return true;
  if (!IsOfKey(row)) return false;
  return place.key.empty() ? !place.reason.empty() : !row.key.starts_with(place.key);
}

// Returns the row of the place that broke, or one with what is known of the place.
LimitRow RowOfPlace(const ThrottlePlace& place, std::span<const LimitRow> rows) {
  const auto reason = ParseThrottlingReason(place.reason);
  const bool is_of_key = !place.key.empty() && (!reason || IsOfKeyRange(place));
  const auto found = std::ranges::find_if(rows, [&](const LimitRow& row) {
    return IsOfKey(row) == is_of_key && !IsElsewhere(place, row);
  });
  if (found != rows.end()) return *found;
  LimitRow made = {.table = place.table,
                   .index = place.index,
                   .what = is_of_key ? "key" : "partition",
                   .key = is_of_key ? place.key : "",
                   .direction = reason && reason->is_write ? "write" : "read",
                   .reason = place.reason};
  for (const LimitRow& row : rows) {
    const bool is_there = row.table == made.table && row.direction == made.direction;
    if (is_there && IsOfKey(row)) made.unusual_partition_units = row.unusual_partition_units;
  }
  return made;
}

// Makes the limit one of the place that broke, if it was computed for another one.
void TakePlace(const ThrottlePlace& place, std::span<const LimitRow> rows, DeclaredLimit& limit) {
  if (!IsElsewhere(place, limit.row)) return;
  limit.row = RowOfPlace(place, rows);
  limit.is_of_mix = false;
}

// Returns "shop / GSI1, key GSI1PK=OTHER" and why it throttles.
std::string TextOfPlace(const ThrottlePlace& place) {
  std::string text = place.table + (place.index.empty() ? "" : " / " + place.index);
  if (!place.key.empty()) {
    text += ", key " + place.key;
  } else if (IsOfKeyRange(place)) {
    text += ", keys of one partition";
  }
  return place.reason.empty() ? text : text + " (" + place.reason + ")";
}

std::string UndecidedText(const LimitTrial& trial) {
  const std::string place = TextOfPlace(trial.place);
  return "undecided: at " + NumberText(trial.multiple) + " ×, " + PercentText(trial.throttled) +
         " of the requests" + (place.empty() ? "" : " at " + place) + " were throttled";
}

// Returns why the trials do not decide.
std::string OpenBecause(const LayoutRun& run, const LimitBracket& bracket) {
  if (bracket.undecided) return UndecidedText(*bracket.undecided);
  if (!run.no_trial_because.empty()) return run.no_trial_because;
  if (run.trials.empty()) return "there was no trial";
  if (!bracket.breaks) return "above it, nothing broke";
  return bracket.holds ? "no trials near it decide" : "below it, no trial held";
}

// Returns why what the trials saw differs from the formula by so much.
std::string DifferenceOf(const LayoutRun& run, const DeclaredLimit& limit,
                         const LimitBracket& bracket) {
  constexpr double kLargeCall = 0.02;  // of what is served in a second
  const LimitTrial& breaks = *bracket.breaks;
  if (const GrownCalls& grown = breaks.grown; !grown.pattern.empty()) {
    return "at higher rates more is created, and a call of \"" + grown.pattern + "\" took " +
           NumberText(grown.units) + " units, not " + NumberText(grown.units_before);
  }
  if (IsElsewhere(breaks.place, limit.row)) {
    const ThrottlePlace computed = {.table = limit.row.table,
                                    .index = limit.row.index,
                                    .key = limit.row.key,
                                    .reason = limit.row.reason};
    return "that is the limit of " + TextOfPlace(computed) +
           ", but in the trials another place throttled first: " + TextOfPlace(breaks.place);
  }
  if (breaks.has_cuts || bracket.holds->has_cuts) return "a partition was cut in the trials";
  const double units = UnitsOfCallAt(run.measurement, limit.row);
  if (units >= kLargeCall * limit.row.limit) {
    return "a call takes " + NumberText(units) + " units at once, a burst beside the " +
           NumberText(limit.row.limit) + " of a second";
  }
  if (limit.is_of_mix) return "it is not known which patterns use the key";
  return "why is not known";
}

}  // namespace

TrialOutcome OutcomeOf(const LimitTrial& trial) {
  if (trial.throttled <= kMostOfHolds) return TrialOutcome::kHolds;
  return trial.throttled > kLeastOfBreaks ? TrialOutcome::kBreaks : TrialOutcome::kUndecided;
}

std::int64_t TrialWarmUpMs(const PartitionParameters& partitions) {
  constexpr std::int64_t kLeastMs = 10'000;
  constexpr std::int64_t kTimesSaved = 20;
  return std::max(kLeastMs, kTimesSaved * partitions.burst_ms);
}

bool LimitBracket::IsClosed() const {
  return holds && breaks && breaks->multiple <= kClosed * holds->multiple;
}

LimitBracket BracketOf(std::span<const LimitTrial> trials) {
  LimitBracket bracket;
  for (const LimitTrial& trial : trials) {
    const bool is_least = !bracket.breaks || trial.multiple < bracket.breaks->multiple;
    if (OutcomeOf(trial) == TrialOutcome::kBreaks && is_least) bracket.breaks = &trial;
  }
  for (const LimitTrial& trial : trials) {
    const bool is_below = !bracket.breaks || trial.multiple < bracket.breaks->multiple;
    const bool is_greatest = !bracket.holds || trial.multiple > bracket.holds->multiple;
    if (OutcomeOf(trial) == TrialOutcome::kHolds && is_below && is_greatest) bracket.holds = &trial;
  }
  for (const LimitTrial& trial : trials) {
    const bool is_between = (!bracket.breaks || trial.multiple < bracket.breaks->multiple) &&
                            (!bracket.holds || trial.multiple > bracket.holds->multiple);
    if (OutcomeOf(trial) == TrialOutcome::kUndecided && is_between) bracket.undecided = &trial;
  }
  return bracket;
}

DeclaredLimit TriedLimit(const LayoutRun& run, DeclaredLimit computed,
                         std::span<const LimitRow> rows) {
  constexpr double kLargeDifference = 0.15;
  DeclaredLimit limit = std::move(computed);
  const LimitBracket bracket = BracketOf(run.trials);
  if (!bracket.IsClosed()) {
    limit.not_confirmed_because = OpenBecause(run, bracket);
    if (bracket.breaks && bracket.breaks->multiple < limit.multiple) {
      limit.multiple = bracket.breaks->multiple;
      TakePlace(bracket.breaks->place, rows, limit);
    }
    return limit;
  }
  const double holds = bracket.holds->multiple;
  const bool is_elsewhere = IsElsewhere(bracket.breaks->place, limit.row);
  const bool is_between = holds <= limit.computed && limit.computed <= bracket.breaks->multiple;
  if (is_between && !is_elsewhere) return limit;
  limit.multiple = holds;
  if (std::abs(holds / limit.computed - 1) > kLargeDifference) {
    limit.differs_because = DifferenceOf(run, limit, bracket);
  }
  TakePlace(bracket.breaks->place, rows, limit);
  return limit;
}

double UnitsAtLimit(const PatternMeasure& pattern, const LimitRow& row) {
  double sum = 0;
  for (const ResourceUnits& units : pattern.units) {
    if (units.table != row.table || units.index != row.index) continue;
    sum += row.direction == "read" ? units.read_units : units.write_units;
  }
  return sum;
}

double UnitsAtPlace(const PatternMeasure& pattern, const ThrottlePlace& place) {
  return UnitsAtLimit(pattern, RowOfPlace(place, {}));
}

double UnitsOfCallAt(const Measurement& measurement, const LimitRow& row) {
  double sum = 0;
  double of_squares = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const double units = UnitsAtLimit(pattern, row);
    if (units <= 0) continue;
    sum += units;
    of_squares += units * units / std::max(1.0, SuccessfulCallsOf(pattern));
  }
  return sum > 0 ? std::max(1.0, of_squares / sum) : 1;
}

namespace {

// Returns about how many accesses of the table or index were served to the patterns that take units
// of it.
double ServedAccesses(const Measurement& measurement, const LimitRow& row) {
  double sum = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (UnitsAtLimit(pattern, row) <= 0) continue;
    auto served = static_cast<double>(pattern.requests);
    for (const NamedCount& error : pattern.errors) served -= static_cast<double>(error.count);
    sum += served * std::max(1.0, pattern.members_a_call.mean());
  }
  return sum;
}

// Units of a key, and of the whole table or index.
struct UnitsOfKey {
  double of_key = 0;
  double of_all = 0;
};

// Returns what the place's key, or item, was served; all is 0 where it is not known.
UnitsOfKey ServedUnitsAt(const ThrottlePlace& place, bool is_write,
                         const Measurement& measurement) {
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table != place.table || resource.index != place.index) continue;
    const TopKeys* const of_keys = is_write ? &resource.written_keys : &resource.read_keys;
    const TopKeys* const of_items = is_write ? &resource.written_items : &resource.read_items;
    for (const TopKeys* const top : {of_keys, of_items}) {
      const auto found = std::ranges::find(top->keys, place.key, &KeyCount::key);
      if (found != top->keys.end()) return {found->units, top->total_units};
    }
  }
  return {};
}

}  // namespace

bool FillsPartition(const ThrottlePlace& place, const Measurement& measurement) {
  constexpr double kLeastShare = 0.8;
  const bool is_write = RowOfPlace(place, {}).direction == "write";
  const double seconds =
      static_cast<double>(measurement.ended_epoch_ms - measurement.began_epoch_ms) / 1000;
  for (const PartitionMap& map : measurement.partitions) {
    if (map.table != place.table || map.index != place.index) continue;
    const double served = is_write ? map.partition_write_units : map.partition_read_units;
    return ServedUnitsAt(place, is_write, measurement).of_key >= kLeastShare * served * seconds;
  }
  return false;
}

double ThrottledShareAt(const ThrottlePlace& place, const Measurement& measurement) {
  const LimitRow row = RowOfPlace(place, {});
  double throttled = 0;
  for (const PartitionMap& map : measurement.partitions) {
    if (map.table != place.table || map.index != place.index) continue;
    for (const ThrottleCount& each : map.throttles) {
      if (each.reason == place.reason) throttled += static_cast<double>(each.count);
    }
  }
  double served = ServedAccesses(measurement, row);
  const UnitsOfKey units = ServedUnitsAt(place, row.direction == "write", measurement);
  if (units.of_all > 0) served *= units.of_key / units.of_all;
  return throttled > 0 ? throttled / (throttled + std::max(0.0, served)) : 0;
}

}  // namespace hashrange
