#include "lab/report/layout_choice.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/stable_sort.h"
#include "lab/report/lab_sentences.h"

namespace hashrange {
namespace {

constexpr double kMostHeadroom = 10;  // more counts as much
constexpr double kEqualMonths = 0.02;
constexpr double kEqualUsd = 1;
constexpr double kAnyDifference = 0.005;  // figures that differ by less are the same
constexpr double kLeastMultiple = 0.01;   // changes of the choice are looked for between these
constexpr double kMostMultiple = 100;

bool HasFlawOfAnswers(LayoutFlaw flaw) { return flaw <= LayoutFlaw::kLosesItems; }

// Chooses among the layouts at a multiple of the declared rates.
class Chooser {
 public:
  Chooser(const LabFigures& figures, const std::vector<LabViolation>& violations, double multiple)
      : layouts_(figures.layouts),
        violations_(violations),
        multiple_(multiple),
        left_out_for_(layouts_.size()) {}

  std::size_t Choose() {
    std::vector<std::size_t> left(layouts_.size());
    for (std::size_t at = 0; at < left.size(); ++at) left[at] = at;
    least_headroom_ = kLeastHeadroom;
    Keep(left, [](LayoutFlaw) { return true; });
    Keep(left, HasFlawOfAnswers);
    for (std::size_t number = 0; number < kLayoutFlaws; ++number) {
      const auto flaw = static_cast<LayoutFlaw>(number);
      if (flaw == LayoutFlaw::kLittleHeadroom) LowerLeastHeadroom(left);
      Keep(left, [flaw](LayoutFlaw each) { return each == flaw; });
    }
    std::size_t best = left.front();
    for (const std::size_t at : left) {
      if (at != best && IsBetter(at, best)) best = at;
    }
    return best;
  }

  std::vector<std::optional<LayoutFlaw>> TakeLeftOut() { return std::move(left_out_for_); }

  // Returns what the month costs at the multiple: what is stored stays as it is.
  double MonthOf(std::size_t layout) const {
    const LabMonth& month = *layouts_[layout].month;
    return month.storage_usd + multiple_ * (month.usd - month.storage_usd);
  }

  bool Has(std::size_t at, LayoutFlaw flaw) const {
    const LabLayoutFigures& layout = layouts_[at];
    switch (flaw) {
      case LayoutFlaw::kImpossible:
        return std::ranges::any_of(layout.patterns, &LabPatternFigures::IsImpossible);
      case LayoutFlaw::kFails:
        return std::ranges::any_of(layout.patterns, &LabPatternFigures::HasOnlyFailures);
      case LayoutFlaw::kLosesItems:
        return !layout.KeepsEveryItem();
      case LayoutFlaw::kOverloaded:
        return layout.first_limit && layout.first_limit->multiple < multiple_;
      case LayoutFlaw::kBreaksLimits:
        return std::ranges::count(violations_, at, &LabViolation::layout) > 0;
      case LayoutFlaw::kBreaksRules:
        return !BrokenRules(layout).empty();
      case LayoutFlaw::kNoMonth:
        return !layout.month;
      case LayoutFlaw::kPartOfMonth:
        return !layout.HasWholeMonth();
      case LayoutFlaw::kLittleHeadroom:
        return HeadroomOf(layout) < least_headroom_ * multiple_;
      case LayoutFlaw::kOutgrown:
        return !layout.outgrown.empty();
      case LayoutFlaw::kScans:
        return !ScansThatWeigh(layout).empty();
    }
    return false;
  }

 private:
  // Keeps the layouts that have none of the flaws, unless each has one.
  void Keep(std::vector<std::size_t>& left, const std::function<bool(LayoutFlaw)>& is_asked) {
    const auto flaw_of = [&](std::size_t at) -> std::optional<LayoutFlaw> {
      for (std::size_t number = 0; number < kLayoutFlaws; ++number) {
        const auto flaw = static_cast<LayoutFlaw>(number);
        if (is_asked(flaw) && Has(at, flaw)) return flaw;
      }
      return std::nullopt;
    };
    if (std::ranges::all_of(left, [&](std::size_t at) { return flaw_of(at).has_value(); })) return;
    std::erase_if(left, [&](std::size_t at) {
      if (const auto flaw = flaw_of(at)) left_out_for_[at] = flaw;
      return left_out_for_[at].has_value();
    });
  }

  // Where no layout has headroom enough, those with the most of it are kept.
  void LowerLeastHeadroom(const std::vector<std::size_t>& left) {
    constexpr double kAsMuch = 0.9;
    double most = 0;
    for (const std::size_t at : left) most = std::max(most, HeadroomOf(layouts_[at]) / multiple_);
    if (most < kLeastHeadroom) least_headroom_ = most * kAsMuch;
  }

  bool IsBetter(std::size_t a, std::size_t b) const {
    const LabLayoutFigures& one = layouts_[a];
    const LabLayoutFigures& other = layouts_[b];
    const double usd = one.month ? MonthOf(a) : 0;
    const double other_usd = other.month ? MonthOf(b) : 0;
    if (one.month && other.month && !CostTheSame(usd, other_usd)) return usd < other_usd;
    const auto headroom = [&](const LabLayoutFigures& layout) {
      return std::min(kMostHeadroom, HeadroomOf(layout) / multiple_);
    };
    if (headroom(one) != headroom(other)) return headroom(one) > headroom(other);
    const double trips = RoundTripsOf(one);
    const double other_trips = RoundTripsOf(other);
    if (std::abs(trips - other_trips) > kAnyDifference) return trips < other_trips;
    if (one.indexes != other.indexes) return one.indexes < other.indexes;
    return usd < other_usd;
  }

  const std::vector<LabLayoutFigures>& layouts_;
  const std::vector<LabViolation>& violations_;
  double multiple_;
  double least_headroom_ = kLeastHeadroom;
  std::vector<std::optional<LayoutFlaw>> left_out_for_;
};

// Returns whether `better` is as good as `layout` in all figures, and better in one.
bool Dominates(const LabLayoutFigures& better, const LabLayoutFigures& layout) {
  if (!better.HasWholeMonth() || !layout.HasWholeMonth() || !better.KeepsEveryItem()) return false;
  for (std::size_t at = 0; at < better.patterns.size() && at < layout.patterns.size(); ++at) {
    const LabPatternFigures& pattern = better.patterns[at];
    if (pattern.IsImpossible() || pattern.HasOnlyFailures()) return false;
  }
  bool is_better = false;
  bool is_worse = false;
  // Less is better.
  const auto compare = [&](double figure, double other) {
    const double margin = kAnyDifference * std::max(std::abs(figure), std::abs(other));
    is_better = is_better || figure < other - margin;
    is_worse = is_worse || figure > other + margin;
  };
  compare(better.month->usd, layout.month->usd);
  compare(1 / HeadroomOf(better), 1 / HeadroomOf(layout));
  compare(RoundTripsOf(better), RoundTripsOf(layout));
  compare(static_cast<double>(better.indexes), static_cast<double>(layout.indexes));
  return is_better && !is_worse;
}

// A multiple of the declared rates at which the choice may change.
struct Breakpoint {
  double multiple = 1;
  std::optional<std::size_t> by_headroom_of = {};
  bool is_of_equal_months = false;
};

std::vector<Breakpoint> Breakpoints(const std::vector<LabLayoutFigures>& layouts) {
  std::vector<Breakpoint> points;
  for (std::size_t at = 0; at < layouts.size(); ++at) {
    points.push_back({HeadroomOf(layouts[at]) / kLeastHeadroom, at});
    points.push_back({HeadroomOf(layouts[at]) / kMostHeadroom, at, true});
    if (layouts[at].first_limit) points.push_back({layouts[at].first_limit->multiple, at});
    for (std::size_t other = 0; other < at; ++other) {
      const auto& one = layouts[at].month;
      const auto& two = layouts[other].month;
      if (!one || !two) continue;
      const double steeper = (one->usd - one->storage_usd) - (two->usd - two->storage_usd);
      if (steeper == 0) continue;
      points.push_back({(two->storage_usd - one->storage_usd) / steeper, std::nullopt});
    }
  }
  std::erase_if(points, [](const Breakpoint& point) {
    return !(point.multiple >= kLeastMultiple && point.multiple <= kMostMultiple);
  });
  return points;
}

// Whether what the layout costs grows with the rates, as it does on demand.
bool GrowsWithRates(const LabLayoutFigures& layout) {
  return layout.month && layout.month->usd == layout.month->on_demand_usd;
}

std::vector<ChoiceChange> ChangesOf(const LabFigures& figures,
                                    const std::vector<LabViolation>& violations,
                                    std::size_t chosen) {
  constexpr double kBeside = 1.05;  // how far beside a breakpoint the choice is made
  std::vector<ChoiceChange> changes;
  if (!std::ranges::all_of(figures.layouts, GrowsWithRates)) return changes;
  std::vector<Breakpoint> points = Breakpoints(figures.layouts);
  for (const bool is_above : {false, true}) {
    StableSort(points, [&](const Breakpoint& a, const Breakpoint& b) {
      return is_above ? a.multiple < b.multiple : a.multiple > b.multiple;
    });
    for (const Breakpoint& point : points) {
      if (is_above ? point.multiple <= 1 : point.multiple >= 1) continue;
      const double beside = is_above ? point.multiple * kBeside : point.multiple / kBeside;
      Chooser chooser(figures, violations, beside);
      const std::size_t other = chooser.Choose();
      if (other == chosen) continue;
      if (chooser.Has(other, LayoutFlaw::kOverloaded)) break;
      changes.push_back({point.multiple, other, point.by_headroom_of, point.is_of_equal_months});
      // The taken layout is named where it and others change there.
      for (const Breakpoint& near : points) {
        const double ratio = near.multiple / point.multiple;
        if (near.by_headroom_of == chosen && ratio < kBeside && ratio > 1 / kBeside) {
          changes.back().by_headroom_of = chosen;
          changes.back().is_of_equal_months = near.is_of_equal_months;
        }
      }
      break;
    }
  }
  return changes;
}

}  // namespace

LayoutChoice ChooseLayout(const LabFigures& figures, const std::vector<LabViolation>& violations) {
  LayoutChoice choice;
  Chooser chooser(figures, violations, 1);
  choice.layout = chooser.Choose();
  choice.left_out_for = chooser.TakeLeftOut();
  choice.dominated_by.resize(figures.layouts.size());
  for (std::size_t at = 0; at < figures.layouts.size(); ++at) {
    // The chosen one is named before others.
    std::optional<std::size_t>& by = choice.dominated_by[at];
    for (std::size_t other = 0; other < figures.layouts.size(); ++other) {
      if (other == at || !Dominates(figures.layouts[other], figures.layouts[at])) continue;
      if (!by || other == choice.layout) by = other;
    }
  }
  choice.changes = ChangesOf(figures, violations, choice.layout);
  return choice;
}

double HeadroomOf(const LabLayoutFigures& layout) {
  return layout.key_limit ? layout.key_limit->multiple : std::numeric_limits<double>::infinity();
}

double RoundTripsOf(const LabLayoutFigures& layout) {
  double trips = 0;
  double calls = 0;
  for (const LabPatternFigures& pattern : layout.patterns) {
    if (pattern.run == nullptr || pattern.run->round_trips.count() == 0) continue;
    const double rate = std::max(pattern.run->declared_calls_per_second, 0.0);
    trips += rate * pattern.run->round_trips.mean();
    calls += rate;
  }
  return calls > 0 ? trips / calls : 0;
}

std::vector<const PlanFinding*> BrokenRules(const LabLayoutFigures& layout) {
  std::vector<const PlanFinding*> broken;
  for (const PlanFinding& finding : layout.run->plan.findings) {
    if (finding.rule == "unenforced-unique" || finding.rule == "key-without-tenant") {
      broken.push_back(&finding);
    }
  }
  return broken;
}

std::vector<std::size_t> ScansThatWeigh(const LabLayoutFigures& layout) {
  constexpr double kMostShare = 0.1;
  constexpr double kMostUnits = 50;
  std::vector<std::size_t> scans;
  for (std::size_t at = 0; at < layout.patterns.size(); ++at) {
    const LabPatternFigures& pattern = layout.patterns[at];
    if (!pattern.plan || pattern.IsImpossible()) continue;
    const PatternPlan& plan = *pattern.plan;
    if (plan.service != PlanService::kScanned || plan.scan_beats_keys || plan.scans_only_asked) {
      continue;
    }
    const double month = layout.month ? layout.month->on_demand_usd : 0;
    if (pattern.month_usd.value_or(0) > kMostShare * month ||
        pattern.read_units.mean > kMostUnits) {
      scans.push_back(at);
    }
  }
  return scans;
}

bool CostTheSame(double usd, double other_usd) {
  const double difference = std::abs(usd - other_usd);
  return difference <= kEqualUsd || difference <= kEqualMonths * std::max(usd, other_usd);
}

}  // namespace hashrange
