#include "lab/report/lab_sentences.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_figures.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostNameCharacters = 60;
constexpr std::size_t kMostParts = 6;
// A smaller share of throttled requests is a few requests, which met by chance.
constexpr double kFewThrottled = 0.0005;

constexpr std::string_view kServices[] = {
    "by key",
    "by key, with a filter",
    "by one request for each shard",
    "by key, after a read that finds the key",
    "by a Scan",
    "by the requests that the file says",
    "by a search of vectors",
};

}  // namespace

std::string QuotedName(const std::string& name) {
  return "\"" + ClippedText(name, kMostNameCharacters) + "\"";
}

std::string ListText(const std::vector<std::string>& parts) {
  std::string text;
  const bool is_cut = parts.size() > kMostParts;
  const std::size_t shown = is_cut ? kMostParts : parts.size();
  for (std::size_t at = 0; at < shown; ++at) {
    if (at > 0) text += at + 1 == parts.size() ? " and " : ", ";
    text += parts[at];
  }
  if (is_cut) text += " and " + CountText(parts.size() - shown) + " more";
  return text;
}

std::string FindingText(const std::string& layout, const std::string& what,
                        const std::string& where) {
  const std::string text = layout + ": " + what;
  return where.empty() ? text : text + (text.ends_with('.') ? " " : ": ") + where + ".";
}

std::string MultipleText(double multiple) { return NumberText(multiple) + " × the declared rates"; }

std::vector<std::string> PatternsWhere(const LabLayoutFigures& layout,
                                       bool (LabPatternFigures::*holds)() const) {
  std::vector<std::string> names;
  for (const LabPatternFigures& pattern : layout.patterns) {
    if ((pattern.*holds)()) names.push_back(QuotedName(pattern.name));
  }
  return names;
}

std::string LimitPlaceText(const LimitRow& row) {
  const std::string units = CountedText(row.limit, row.direction + " unit") + " a second";
  std::string text = ResourceLabel(row.table, row.index) + ", ";
  if (row.what == "quota") {
    constexpr PartitionLimits kUsual;
    const bool is_usual = row.limit == (row.direction == "write" ? kUsual.quota_write_units
                                                                 : kUsual.quota_read_units);
    text += (is_usual ? "the default quota of " : "the quota of ") + units;
  } else if (row.what == "throughput") {
    text += "the declared " + units;
  } else {
    text += row.key.empty() ? "keys of one partition, " : row.what + " " + row.key + ", ";
    if (row.is_eventually_consistent) text += "eventually consistent ";
    text += row.direction + "s";
  }
  std::string why = row.reason;
  if (const std::string unusual = UnusualPartitionText(row); !unusual.empty()) {
    why += (why.empty() ? "" : "; ") + unusual;
  }
  return why.empty() ? text : text + " (" + why + ")";
}

std::string FirstDeclaredLimitText(const LabLayoutFigures& layout) {
  if (!layout.first_limit) {
    return layout.input.first_limits.empty() ? "not computed: no call succeeded"
                                             : "not computed: no rate is declared";
  }
  const DeclaredLimit& limit = *layout.first_limit;
  std::string text = MultipleText(limit.multiple);
  if (layout.HasTableOnDemand()) text += " once its tables are warm";
  std::string how = limit.not_confirmed_because.empty() ? "" : "computed";
  if (limit.is_of_mix) how += std::string(how.empty() ? "" : " ") + "by the mix of the run";
  if (const auto failed = FailedPatterns(layout); !failed.empty()) {
    how += (how.empty() ? "without " : ", without ") + ListText(failed);
  }
  if (!how.empty()) text += " (" + how + ")";
  return text + ": " + LimitPlaceText(limit.row);
}

std::string WrongShareText(const WrongShare& wrong) {
  const std::string least = PercentText(wrong.least);
  const std::string most = PercentText(wrong.most);
  return least == most ? least : least + " to " + most;
}

std::string WrongAnswersText(const LabLayoutFigures& layout) {
  if (layout.KeepsEveryItem()) return {};
  const std::uint64_t replaced = layout.run->items_replaced;
  const std::string items =
      CountText(replaced) + " of " + CountText(layout.run->items_loaded) + " items";
  if (!layout.wrong.is_known) return "loses " + items + ", as others have the same keys";
  return "answers " + WrongShareText(layout.wrong) + " of its calls wrong, as " +
         (replaced == 0 ? "its traffic creates items with the keys of others"
                        : items + " share a key with another");
}

std::string ThrottlePlaceText(const ThrottlePlace& place) {
  if (place.pattern.empty()) return {};
  std::string text = place.pattern_share < 1 ? "mostly of " : "all of ";
  text += QuotedName(place.pattern);
  if (place.table.empty()) return text;
  text += ", at " + ResourceLabel(place.table, place.index);
  if (!place.key.empty()) text += ", key " + place.key;
  return place.reason.empty() ? text : text + " (" + place.reason + ")";
}

std::string EarlyThrottlesText(const LabLayoutFigures& layout) {
  const bool is_below = layout.first_limit && layout.greatest_factor < layout.first_limit->multiple;
  if (!is_below || layout.run->is_partial || layout.throttled_share <= kFewThrottled) return {};
  std::string text = "In the traffic of the file, at up to " +
                     MultipleText(layout.greatest_factor) + ", " + QuotedName(layout.name) +
                     " throttled " + PercentText(layout.throttled_share) + " of the requests, " +
                     ThrottlePlaceText(layout.throttle_place);
  if (layout.HasTableOnDemand())
    text += ": its tables were new then, and serve less than warm ones";
  return text + ".";
}

std::string TrialOutcomeText(const LimitTrial& trial) {
  const TrialOutcome outcome = OutcomeOf(trial);
  if (outcome == TrialOutcome::kUndecided) return "undecided";
  return outcome == TrialOutcome::kHolds ? "holds" : "breaks";
}

std::string TrialsText(const LayoutRun& run) {
  const LimitBracket bracket = BracketOf(run.trials);
  std::string text;
  for (const LimitTrial* const trial : {bracket.holds, bracket.undecided, bracket.breaks}) {
    if (trial == nullptr) continue;
    text += text.empty() ? "Run at " : "; at ";
    text += NumberText(trial->multiple) + " ×: " + TrialOutcomeText(*trial) + ", " +
            PercentText(trial->throttled) + " throttled";
    if (trial->is_thinned) text += " (thinned)";
    if (const std::string place = ThrottlePlaceText(trial->place); !place.empty()) {
      text += ", " + place;
    }
  }
  return text.empty() ? text : text + ".";
}

std::string LimitDoubtText(const LabLayoutFigures& layout) {
  if (!layout.first_limit) return {};
  const DeclaredLimit& limit = *layout.first_limit;
  if (!limit.not_confirmed_because.empty()) {
    return (layout.run->trials.empty() ? "This limit is computed, and was not tried: "
                                       : "No trials confirm this limit: ") +
           AsSentence(limit.not_confirmed_because);
  }
  if (limit.differs_because.empty()) return {};
  return "The formula gives " + NumberText(limit.computed) +
         " ×: " + AsSentence(limit.differs_because);
}

std::string MissingInMonthText(const LabLayoutFigures& layout) {
  const auto unknown = PatternsWhere(layout, &LabPatternFigures::HasUnknownCost);
  if (unknown.empty()) return {};
  return "without " + ListText(unknown) + ", whose cost is not known";
}

std::string MonthText(const LabLayoutFigures& layout) {
  const std::string missing = MissingInMonthText(layout);
  return UsdText(layout.month->usd) + " a month" + (missing.empty() ? "" : " " + missing);
}

std::string PatternMonthText(const LabPatternFigures& pattern) {
  if (pattern.month_usd) return AmountText(*pattern.month_usd);
  return pattern.HasUnknownCost() ? "not known" : "-";
}

std::string ServiceText(const PatternPlan& plan) {
  if (!plan.impossible.empty()) return "not possible";
  std::string text(kServices[static_cast<std::size_t>(plan.service)]);
  for (const PlanStep& step : plan.steps) {
    if (plan.service != PlanService::kFannedOut) break;
    if (step.each != kLabNone) text = "by requests for each instance that a first one finds";
    if (step.walk) {
      text = "by a walk from " + std::string(BucketName(step.buckets->form)) + " to " +
             BucketName(step.buckets->form) +
             (step.each == kLabNone ? "" : " for all instances that a first request finds");
    } else if (step.buckets) {
      text = "by one request for each " + std::string(step.shards > 1 ? "shard of each " : "") +
             BucketName(step.buckets->form);
    }
  }
  return plan.sorts_at_client ? text + ", sorted by the client" : text;
}

std::string UnitsText(double read_units, double write_units) {
  if (write_units <= 0) return NumberText(read_units) + (read_units > 0 ? " r" : "");
  const std::string writes = NumberText(write_units) + " w";
  return read_units > 0 ? NumberText(read_units) + " r + " + writes : writes;
}

std::string UnitsText(const TakenOfCall& taken) {
  std::string text;
  const auto add = [&](double bytes, const char* what) {
    if (bytes <= 0) return;
    text += (text.empty() ? "" : " + ") + BytesText(bytes) + what;
  };
  const bool has_vectors = taken.searched_bytes > 0 || taken.vector_write_bytes > 0;
  if (!has_vectors || taken.read_units > 0 || taken.write_units > 0) {
    text = UnitsText(taken.read_units, taken.write_units);
  }
  add(taken.searched_bytes, " searched");
  add(taken.vector_write_bytes, " of vectors");
  return text;
}

std::string CallUnitsText(const LabPatternFigures& pattern) {
  if (pattern.IsImpossible()) return "not possible";
  if (pattern.succeeded == 0) return "-";
  return UnitsText({.read_units = pattern.read_units.mean,
                    .write_units = pattern.write_units.mean,
                    .searched_bytes = pattern.searched_bytes,
                    .vector_write_bytes = pattern.vector_write_bytes});
}

std::string CallUnitsP99Text(const LabPatternFigures& pattern) {
  const bool has_units = pattern.read_units.greatest > 0 || pattern.write_units.greatest > 0;
  const bool has_vectors_only = !has_units && pattern.searched_bytes > 0;
  if (pattern.IsImpossible() || pattern.succeeded == 0 || has_vectors_only) return "-";
  return UnitsText(pattern.read_units.p99, pattern.write_units.p99);
}

std::string ScaleUnitsText(const LabPatternFigures& pattern) {
  return pattern.HasOnlyFailures() ? "all calls failed" : CallUnitsText(pattern);
}

}  // namespace hashrange
