#include "lab/report/lab_sentences.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "measure/number_text.h"
#include "report/readable_text.h"
#include "report/report_figures.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostNameCharacters = 60;
constexpr std::size_t kMostParts = 6;

constexpr std::string_view kServices[] = {
    "by key",
    "by key, with a filter",
    "by one request for each shard",
    "by key, after a read that finds the key",
    "by a Scan",
    "by the requests that the file says",
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

std::string MultipleText(double multiple) { return NumberText(multiple) + " × the declared rates"; }

std::string LimitPlaceText(const LimitRow& row) {
  const std::string units = NumberText(row.limit) + " " + row.direction + " units a second";
  std::string text = ResourceLabel(row.table, row.index) + ", ";
  if (row.what == "quota") return text + "the default quota of " + units;
  if (row.what == "throughput") return text + "the declared " + units;
  text += row.what + " " + row.key + ", ";
  if (row.is_eventually_consistent) text += "eventually consistent ";
  return text + row.direction + "s";
}

std::string FirstDeclaredLimitText(const LabLayoutFigures& layout) {
  if (!layout.first_limit) {
    return layout.limits.empty() ? "not computed: no call succeeded"
                                 : "not computed: no rate is declared";
  }
  const DeclaredLimit& limit = *layout.first_limit;
  return MultipleText(limit.multiple) + (limit.is_of_mix ? " (by the mix of the run)" : "") + ": " +
         LimitPlaceText(limit.row);
}

std::string TrialsText(const LayoutRun& run) {
  std::string text;
  for (const LimitTrial& trial : run.trials) {
    text += text.empty() ? "Run at " : "; at ";
    text += NumberText(trial.multiple) + " ×: " + PercentText(trial.throttled) + " throttled";
    if (trial.is_thinned) text += " (thinned)";
  }
  return text.empty() ? text : text + ".";
}

std::string NotConfirmedBecause(const LabLayoutFigures& layout) {
  if (!layout.first_limit) return {};
  std::optional<double> below;
  std::optional<double> above;
  for (const LimitTrial& trial : layout.run->trials) {
    std::optional<double>& side = trial.multiple < layout.first_limit->multiple ? below : above;
    side = std::max(side.value_or(0), trial.throttled);
  }
  if (!above) {
    const std::string& reason = layout.run->no_trial_because;
    return reason.empty() ? "there was no run above it" : reason;
  }
  if (*above <= 0) return "above it, nothing was throttled";
  // Below the limit, a few requests that meet by chance may be throttled.
  constexpr double kMuchLess = 0.5;
  if (below && *below > kMuchLess * *above) return "below it, about as much was throttled";
  return {};
}

std::string MonthText(const LabLayoutFigures& layout) {
  std::string text = UsdText(layout.month->usd) + " a month";
  std::vector<std::string> unknown;
  for (const LabPatternFigures& pattern : layout.patterns) {
    if (pattern.HasUnknownCost()) unknown.push_back(QuotedName(pattern.name));
  }
  if (unknown.empty()) return text;
  return text + " without " + ListText(unknown) + ", whose cost is not known";
}

std::string PatternMonthText(const LabPatternFigures& pattern) {
  if (pattern.month_usd) return AmountText(*pattern.month_usd);
  return pattern.HasUnknownCost() ? "not known" : "-";
}

std::string ServiceText(const PatternPlan& plan) {
  if (!plan.impossible.empty()) return "not possible";
  std::string text(kServices[static_cast<std::size_t>(plan.service)]);
  return plan.sorts_at_client ? text + ", sorted by the client" : text;
}

std::string UnitsText(double read_units, double write_units) {
  if (write_units <= 0) return NumberText(read_units) + (read_units > 0 ? " r" : "");
  const std::string writes = NumberText(write_units) + " w";
  return read_units > 0 ? NumberText(read_units) + " r + " + writes : writes;
}

std::string CallUnitsText(const LabPatternFigures& pattern) {
  if (pattern.IsImpossible()) return "not possible";
  if (pattern.succeeded == 0) return "-";
  return UnitsText(pattern.read_units.mean, pattern.write_units.mean);
}

std::string CallUnitsP99Text(const LabPatternFigures& pattern) {
  if (pattern.IsImpossible() || pattern.succeeded == 0) return "-";
  return UnitsText(pattern.read_units.p99, pattern.write_units.p99);
}

}  // namespace hashrange
