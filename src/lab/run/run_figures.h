// Figures that follow from a run of a layout: its rates for a month, the multiple of the declared
// rates at which it meets its first limit, the place where it was throttled. A trial of that limit
// and all reports of a lab use these functions, so that they speak of the same. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/run/lab_result.h"
#include "measure/call_rates.h"
#include "measure/cost/first_limit.h"
#include "measure/measurement.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// Returns whether calls were made and all of them were given up: what a served call takes is not
// known then.
bool HasOnlyFailedCalls(const PatternRun& run);

// Returns the rates by which the measurement of a run is assessed. The lab declares calls of the
// application, each of which may be several calls for the meter: shards, look-ups, fetches,
// retries. So the rate of a pattern is the declared one, times its metered calls, divided by its
// calls that were served: the months of two layouts are made of the same calls, all of them
// served. Throttled requests take no units, and so cost nothing. A call that was given up after a
// part was written counts as that part of a served call, so the units of the part are not charged
// to other calls. A pattern of which no call was served has the rate 0, as its units are not known:
// the month and the first limits lack it. A pattern without a declared rate is left out.
std::vector<CallRate> MeteredRates(const LayoutRun& run);

// The first limit of a layout: all that reports, verdicts and checks say of it.
struct DeclaredLimit {
  LimitRow row = {};  // the place of `multiple`: as it was computed, or as the trials saw it break
  double multiple = 0;  // of the declared rates
  // Whether the multiple is computed from the mix of the run, as it is not known which patterns use
  // the key.
  bool is_of_mix = false;
  double computed = 0;  // the multiple that the formula gives
  // Why no trials confirm `multiple`, which is then the computed one, or the least that was seen to
  // break below it; empty: they do.
  std::string not_confirmed_because = {};
  // Where `multiple` is confirmed and differs from the computed one by more than 15 %: why.
  std::string differs_because = {};
};

enum class LimitsCounted : std::uint8_t {
  kAll,
  kOfKeys,  // of keys and items; quotas and declared capacity can be raised
};

// Returns whether the limit is one of a key or an item.
bool IsOfKeys(const LimitRow& row);

// Returns the limit that is computed to be met at the smallest multiple of the declared rates;
// nothing when no rate is declared, or no call succeeded. `rows` are FirstLimits of the run's
// measurement by MeteredRates. Rows of modelled partitions are left out, as a partition is cut
// before it limits for long.
std::optional<DeclaredLimit> FirstDeclaredLimit(const LayoutRun& run,
                                                std::span<const LimitRow> rows,
                                                LimitsCounted counted = LimitsCounted::kAll);

// --- Trials of the first limit ---

enum class TrialOutcome : std::uint8_t { kHolds, kUndecided, kBreaks };

// Returns whether the limit holds in a trial: at most 0.1 % of the requests at the place that
// throttled most were throttled; or breaks: more than 1 %.
TrialOutcome OutcomeOf(const LimitTrial& trial);

// Returns for how long a trial does not count: partitions begin with what they have saved, which
// lasts for 20 times the time in which they saved it when 5 % more is asked than they serve; 10 s
// at least.
std::int64_t TrialWarmUpMs(const PartitionParameters& partitions);

// Between which trials the limit is: the greatest multiple that holds, the least that breaks, and
// one between them that did not decide. Each is null where there is none.
struct LimitBracket {
  const LimitTrial* holds = nullptr;
  const LimitTrial* undecided = nullptr;
  const LimitTrial* breaks = nullptr;

  // Whether what holds and what breaks are within 10 % of each other.
  bool IsClosed() const;
};

// `trials` outlive the bracket.
LimitBracket BracketOf(std::span<const LimitTrial> trials);

// Returns the computed limit with what the trials of the run say of it. They confirm it when the
// bracket is closed: as it was computed, if it is between the two trials and broke where it was
// computed to; else at the multiple that holds, and at the place that broke. Where the bracket is
// open and something broke below what was computed, the limit is the multiple and the place that
// broke. `rows` are as in FirstDeclaredLimit.
DeclaredLimit TriedLimit(const LayoutRun& run, DeclaredLimit computed,
                         std::span<const LimitRow> rows);

// Returns how many units one of the calls that meet the limit takes, with all of its pages, as
// these follow one another at once; 1 at least. Calls of many units count for more, as they make
// the units of a second vary more.
double UnitsOfCallAt(const Measurement& measurement, const LimitRow& row);

// Returns the units that the pattern took of what the limit is of.
double UnitsAtLimit(const PatternMeasure& pattern, const LimitRow& row);

// Returns the units that the pattern took of the place's table or index, in the direction that was
// throttled.
double UnitsAtPlace(const PatternMeasure& pattern, const ThrottlePlace& place);

// Returns whether the place throttled because of what a partition serves.
bool IsOfKeyRange(const ThrottlePlace& place);

// Returns whether the key of the place was served 80 % of what a partition serves. Else it is one
// of several keys that met in a partition.
bool FillsPartition(const ThrottlePlace& place, const Measurement& measurement);

// Returns about which share of the accesses of a place was throttled, for the reason of the place.
// How many were served is known of a table or an index; of a key by its part of the units.
double ThrottledShareAt(const ThrottlePlace& place, const Measurement& measurement);

// Returns the key of the place's table or index that had half of the accesses which that throttled;
// empty: none had, or it is not known.
std::string MostThrottledKey(const ThrottlePlace& place, const Measurement& measurement);

// Returns the pattern with most of the throttled requests, where each counts as all that it stands
// for; the table or index that throttled most accesses, and why; and its key that had half of these
// at least. All is empty where nothing was throttled.
ThrottlePlace MostThrottled(const std::vector<PatternRun>& patterns,
                            const Measurement& measurement);

}  // namespace hashrange
