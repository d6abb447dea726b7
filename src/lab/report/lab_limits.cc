#include "lab/report/lab_limits.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "lab/report/lab_report.h"
#include "lab/report/lab_sentences.h"
#include "measure/cost/price_list.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_figures.h"

namespace hashrange {
namespace {

constexpr double kBytesPerMegabyte = 1024 * 1024;

// What a limit is compared with. Nothing: `reason` says why it is not known.
struct KnownFigure {
  std::optional<double> value = {};
  std::string reason = {};
  std::string more = {};  // of a violation: what the figure is of
};

using FigureOfLayout = KnownFigure (*)(const LabLayoutFigures&);

KnownFigure Headroom(const LabLayoutFigures& layout) {
  if (!layout.first_limit)
    return {.reason = "the first limit is " + FirstDeclaredLimitText(layout)};
  if (const auto failed = FailedPatterns(layout); !failed.empty()) {
    return {.reason = "no call of " + ListText(failed) + " succeeded"};
  }
  const DeclaredLimit& limit = *layout.first_limit;
  return {.value = limit.multiple,
          .more = std::string(limit.not_confirmed_because.empty() ? "" : "computed ") +
                  "first limit: " + LimitPlaceText(limit.row)};
}

KnownFigure ShareOfCalls(const LabLayoutFigures& layout, double share) {
  if (layout.requests == 0) return {.reason = "no request was made"};
  KnownFigure figure{.value = share};
  if (layout.thin > 1)
    figure.more = "rough, as one of " + CountText(layout.thin) + " calls was made";
  return figure;
}

KnownFigure WrongAnswers(const LabLayoutFigures& layout) {
  if (!layout.wrong.is_known && !layout.KeepsEveryItem()) {
    return {.reason = "items share keys, and no answer was judged"};
  }
  return ShareOfCalls(layout, layout.wrong.most);
}

KnownFigure Month(const LabLayoutFigures& layout) {
  if (!layout.month) return {.reason = "the month is " + layout.month_basis};
  if (!layout.HasWholeMonth()) return {.reason = "the month is " + MonthText(layout)};
  return {.value = layout.month->usd};
}

KnownFigure Stored(const LabLayoutFigures& layout) {
  if (layout.run->measurement.tables.empty()) return {.reason = "no table was measured"};
  return {.value = layout.StoredBytes() / BuiltInPrices().gigabyte_bytes};
}

KnownFigure LargestCollectionSize(const LabLayoutFigures& layout) {
  if (!layout.largest_collection) return {.reason = "no collection was measured"};
  const LabCollection& largest = *layout.largest_collection;
  return {.value = largest.size_bytes / kBytesPerMegabyte,
          .more = ResourceLabel(largest.table, largest.index) + ", " + largest.key};
}

struct LayoutRule {
  std::string_view name;
  std::optional<double> LabLimits::*limit;
  FigureOfLayout figure;
  bool is_least;  // the figure has to be at least the limit, else at most
};
constexpr LayoutRule kLayoutRules[] = {
    {"headroom", &LabLimits::headroom, Headroom, true},
    {"throttled", &LabLimits::throttled,
     [](const LabLayoutFigures& layout) { return ShareOfCalls(layout, layout.throttled_share); },
     false},
    {"failed", &LabLimits::failed,
     [](const LabLayoutFigures& layout) { return ShareOfCalls(layout, layout.failed_share); },
     false},
    {"wrong", &LabLimits::wrong, WrongAnswers, false},
    {"month_usd", &LabLimits::month_usd, Month, false},
    {"storage_gb", &LabLimits::storage_gb, Stored, false},
    {"largest_collection_mb", &LabLimits::largest_collection_mb, LargestCollectionSize, false},
};

struct PatternRule {
  std::string_view name;
  std::optional<double> LabPatternLimits::*limit;
  double (*figure)(const LabPatternFigures&);
};
constexpr PatternRule kPatternRules[] = {
    {"read_units", &LabPatternLimits::read_units,
     [](const LabPatternFigures& pattern) { return pattern.read_units.mean; }},
    {"write_units", &LabPatternLimits::write_units,
     [](const LabPatternFigures& pattern) { return pattern.write_units.mean; }},
    {"read_units_p99", &LabPatternLimits::read_units_p99,
     [](const LabPatternFigures& pattern) { return pattern.read_units.p99; }},
    {"write_units_p99", &LabPatternLimits::write_units_p99,
     [](const LabPatternFigures& pattern) { return pattern.write_units.p99; }},
    {"requests", &LabPatternLimits::requests,
     [](const LabPatternFigures& pattern) { return pattern.requests_a_call; }},
    {"requests_p99", &LabPatternLimits::requests_p99,
     [](const LabPatternFigures& pattern) { return pattern.requests_p99; }},
};

template <typename Value>
void Replace(const std::optional<Value>& own, std::optional<Value>& value) {
  if (own) value = own;
}

// Collects what exceeds the limits of one layout.
class LimitCheck {
 public:
  // `number` is the layout's.
  LimitCheck(const LabFile& file, const LabLayoutFigures& layout, std::size_t number)
      : file_(file), layout_(layout), number_(number), limits_(LimitsOfLayout(file, layout.name)) {}

  std::vector<LabViolation> Run() && {
    for (const LayoutRule& rule : kLayoutRules) {
      if (const auto& limit = limits_.*rule.limit) {
        Compare(std::string(rule.name), *limit, rule.is_least, rule.figure(layout_));
      }
    }
    if (limits_.severe_findings) {
      Compare("severe_findings", *limits_.severe_findings, false,
              {.value = static_cast<double>(layout_.FindingCount("severe"))});
    }
    for (const auto& [pattern, limits] : limits_.patterns) CheckPattern(pattern, limits);
    if (has_limits_ && layout_.run->is_partial) {
      Add("the run was stopped", ", so it is not known whether the limits hold");
    }
    return std::move(violations_);
  }

 private:
  void CheckPattern(int number, const LabPatternLimits& limits) {
    const LabPattern& pattern = file_.patterns[static_cast<std::size_t>(number)];
    const LabPatternFigures& figures = layout_.patterns[static_cast<std::size_t>(number)];
    for (const PatternRule& rule : kPatternRules) {
      const auto& limit = limits.*rule.limit;
      if (!limit) continue;
      KnownFigure figure;
      if (figures.IsImpossible()) {
        figure.reason = "the pattern is not possible: " + figures.plan->impossible;
      } else if (figures.succeeded == 0) {
        figure.reason = "no call of the pattern succeeded";
      } else {
        figure.value = rule.figure(figures);
      }
      Compare(std::string(rule.name) + " of " + QuotedName(pattern.name), *limit, false, figure);
    }
  }

  void Compare(const std::string& what, double limit, bool is_least, const KnownFigure& figure) {
    has_limits_ = true;
    if (!figure.value) {
      Add(what + " cannot be compared with " + NumberText(limit), ": " + figure.reason);
      return;
    }
    const double is = *figure.value;
    if (is_least ? is >= limit : is <= limit) return;
    std::string is_text = NumberText(is);
    std::string limit_text = NumberText(limit);
    if (is_text == limit_text) {  // they differ after the third digit
      is_text = std::to_string(is);
      limit_text = std::to_string(limit);
    }
    Add(what + " " + is_text + (is_least ? " is below " : " is above ") + limit_text,
        figure.more.empty() ? "" : " (" + figure.more + ")");
  }

  void Add(const std::string& what, const std::string& more) {
    violations_.push_back(
        {number_, ReadableText(layout_.name + ": " + what + more), ReadableText(what)});
  }

  const LabFile& file_;
  const LabLayoutFigures& layout_;
  const std::size_t number_;
  const LabLimits limits_;
  bool has_limits_ = false;
  std::vector<LabViolation> violations_;
};

bool HasAnyLimits(const LabLimits& limits) {
  const bool has_figure = std::ranges::any_of(
      kLayoutRules, [&](const LayoutRule& rule) { return (limits.*rule.limit).has_value(); });
  return has_figure || limits.severe_findings || !limits.patterns.empty();
}

}  // namespace

LabLimits LimitsOfLayout(const LabFile& file, const std::string& layout) {
  LabLimits limits = file.limits_of_all;
  const auto found = std::ranges::find(file.layouts, layout, &LabLayout::name);
  const auto own = file.limits.find(static_cast<int>(found - file.layouts.begin()));
  if (found == file.layouts.end() || own == file.limits.end()) return limits;
  for (const LayoutRule& rule : kLayoutRules) {
    Replace(own->second.*rule.limit, limits.*rule.limit);
  }
  Replace(own->second.severe_findings, limits.severe_findings);
  for (const auto& [pattern, added] : own->second.patterns) {
    LabPatternLimits& merged = limits.patterns[pattern];
    for (const PatternRule& rule : kPatternRules) Replace(added.*rule.limit, merged.*rule.limit);
  }
  return limits;
}

std::vector<LabViolation> CheckLabLimits(const LabFile& file, const LabFigures& figures) {
  std::vector<LabViolation> violations;
  for (std::size_t at = 0; at < figures.layouts.size(); ++at) {
    std::ranges::move(LimitCheck(file, figures.layouts[at], at).Run(),
                      std::back_inserter(violations));
  }
  return violations;
}

std::vector<std::string> LimitViolations(const LabFile& file, const LabResult& result) {
  std::vector<std::string> sentences;
  for (LabViolation& violation : CheckLabLimits(file, MakeLabFigures(file, result))) {
    sentences.push_back(std::move(violation.sentence));
  }
  const bool has_limits =
      HasAnyLimits(file.limits_of_all) ||
      std::ranges::any_of(file.limits, [](const auto& each) { return HasAnyLimits(each.second); });
  if (result.runs.empty() && has_limits) {
    sentences.push_back("The limits cannot be compared with anything: no layout was run");
  }
  return sentences;
}

}  // namespace hashrange
