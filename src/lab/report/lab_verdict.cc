#include "lab/report/lab_verdict.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lab/report/lab_sentences.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kEqualMonths = 0.005;  // months that differ by a smaller share cost the same

std::vector<std::string> ImpossiblePatterns(const LabLayoutFigures& layout) {
  return PatternsWhere(layout, &LabPatternFigures::IsImpossible);
}

// Whether it is known that keys, or at least a Scan, serve every pattern.
bool ServesEveryPattern(const LabLayoutFigures& layout) {
  return ImpossiblePatterns(layout).empty() && FailedPatterns(layout).empty() &&
         std::ranges::all_of(layout.patterns, [](const LabPatternFigures& pattern) {
           return pattern.plan != nullptr;
         });
}

// Returns "2.1 % of its calls, mostly of "place an order"" where more than a few calls failed.
std::string FailedCallsText(const LabLayoutFigures& layout) {
  constexpr double kFewCalls = 0.001;
  if (layout.failed_share <= kFewCalls) return {};
  const LabPatternFigures* most = nullptr;
  const auto failed = [](const LabPatternFigures& pattern) {
    return pattern.run ? static_cast<double>(pattern.run->failed) * pattern.run->weight : 0;
  };
  for (const LabPatternFigures& pattern : layout.patterns) {
    if (!most || failed(pattern) > failed(*most)) most = &pattern;
  }
  const std::string text = PercentText(layout.failed_share) + " of its calls";
  return most ? text + ", mostly of " + QuotedName(most->name) : text;
}

double MultipleOf(const LabLayoutFigures& layout) {
  return layout.first_limit ? layout.first_limit->multiple : 0;
}

bool CarriesDeclaredRates(const LabLayoutFigures& layout) {
  return !layout.first_limit || layout.first_limit->multiple >= 1;
}

class Judge {
 public:
  Judge(const LabFigures& figures, const std::vector<LabViolation>& violations)
      : layouts_(figures.layouts), violations_(violations) {}

  LabVerdict Run() const {
    LabVerdict verdict;
    if (layouts_.empty()) {
      verdict.headline = "No layout was run.";
      return verdict;
    }
    if (std::ranges::any_of(layouts_, [](const auto& each) { return each.run->is_partial; })) {
      verdict.headline =
          "The run was interrupted: its figures are of a part of the traffic, and there is no "
          "verdict.";
      return verdict;
    }
    const std::size_t chosen = Choose();
    verdict.layout = chosen;
    verdict.headline = HeadlineOf(chosen);
    AddOwnFlaws(chosen, verdict.reasons);
    for (std::size_t at = 0; at < layouts_.size(); ++at) {
      if (at != chosen) verdict.reasons.push_back(AgainstText(at, chosen));
    }
    return verdict;
  }

 private:
  std::size_t CountViolations(std::size_t layout) const {
    return static_cast<std::size_t>(std::ranges::count(violations_, layout, &LabViolation::layout));
  }

  std::size_t Choose() const {
    std::vector<std::size_t> left(layouts_.size());
    for (std::size_t at = 0; at < left.size(); ++at) left[at] = at;
    Keep(left, [&](std::size_t at) {
      return layouts_[at].KeepsEveryItem() && ImpossiblePatterns(layouts_[at]).empty() &&
             FailedPatterns(layouts_[at]).empty();
    });
    Keep(left, [&](std::size_t at) { return ImpossiblePatterns(layouts_[at]).empty(); });
    Keep(left, [&](std::size_t at) { return FailedPatterns(layouts_[at]).empty(); });
    Keep(left, [&](std::size_t at) { return layouts_[at].KeepsEveryItem(); });
    Keep(left, [&](std::size_t at) { return CarriesDeclaredRates(layouts_[at]); });
    Keep(left, [&](std::size_t at) { return CountViolations(at) == 0; });
    Keep(left, [&](std::size_t at) { return layouts_[at].month.has_value(); });
    Keep(left, [&](std::size_t at) { return layouts_[at].HasWholeMonth(); });
    std::size_t best = left.front();
    for (const std::size_t at : left) {
      if (IsBetter(layouts_[at], layouts_[best])) best = at;
    }
    return best;
  }

  // Keeps the layouts for which it holds, unless it holds for none.
  static void Keep(std::vector<std::size_t>& left,
                   const std::function<bool(std::size_t layout)>& holds) {
    if (std::ranges::any_of(left, holds)) std::erase_if(left, std::not_fn(holds));
  }

  static bool IsBetter(const LabLayoutFigures& a, const LabLayoutFigures& b) {
    if (a.month && b.month) {
      const double greater = std::max(a.month->usd, b.month->usd);
      if (std::abs(a.month->usd - b.month->usd) > greater * kEqualMonths) {
        return a.month->usd < b.month->usd;
      }
    }
    return MultipleOf(a) > MultipleOf(b);
  }

  static std::string HeadlineMonth(const LabLayoutFigures& layout) {
    const std::string missing = MissingInMonthText(layout);
    return "costs " + UsdText(layout.month->usd) + " a month after AWS's free tier" +
           (missing.empty() ? "" : ", " + missing);
  }

  std::string HeadlineOf(std::size_t chosen) const {
    const LabLayoutFigures& layout = layouts_[chosen];
    std::string text;
    if (layouts_.size() == 1) {
      text = QuotedName(layout.name) + " ";
    } else {
      text = "Take " + QuotedName(layout.name) + ": it ";
    }
    text += layout.month ? HeadlineMonth(layout) : "has no month (" + layout.month_basis + ")";
    if (ServesEveryPattern(layout)) text += ", serves every pattern";
    if (!layout.KeepsEveryItem()) text += ", but " + WrongAnswersText(layout);
    if (const auto failed = FailedPatterns(layout); !failed.empty()) {
      text += ", fails every call of " + ListText(failed);
    }
    if (!layout.first_limit)
      return text + ". Its first limit is " + AsSentence(FirstDeclaredLimitText(layout));
    text += ", and breaks first at " + AsSentence(FirstDeclaredLimitText(layout));
    const std::string doubt = LimitDoubtText(layout);
    return doubt.empty() ? text : text + " " + doubt;
  }

  // What speaks against the layout itself.
  void AddOwnFlaws(std::size_t chosen, std::vector<std::string>& reasons) const {
    const LabLayoutFigures& layout = layouts_[chosen];
    const std::string name = QuotedName(layout.name);
    const std::vector<std::string> impossible = ImpossiblePatterns(layout);
    if (!impossible.empty()) {
      reasons.push_back((layouts_.size() > 1 ? "No layout serves every pattern: "
                                             : "It does not serve every pattern: ") +
                        name + " cannot serve " + ListText(impossible) + ".");
    }
    if (!CarriesDeclaredRates(layout)) {
      reasons.push_back((layouts_.size() > 1 ? "No layout carries the declared rates: "
                                             : "It does not carry the declared rates: ") +
                        name + " meets its first limit before them.");
    }
    if (const std::size_t count = CountViolations(chosen); count > 0) {
      reasons.push_back(name + " does not hold " +
                        CountedText(static_cast<double>(count), "limit") + " of the file.");
    }
    if (std::string early = EarlyThrottlesText(layout); !early.empty()) {
      reasons.push_back(std::move(early));
    }
    if (const std::string failed = FailedCallsText(layout); !failed.empty()) {
      reasons.push_back("In the traffic of the file, " + name + " failed " + failed + ".");
    }
    std::vector<std::string> scanned;
    for (const LabPatternFigures& pattern : layout.patterns) {
      if (!pattern.plan || pattern.IsImpossible()) continue;
      if (pattern.plan->service != PlanService::kScanned) continue;
      if (pattern.plan->scan_beats_keys) continue;
      scanned.push_back(QuotedName(pattern.name) +
                        (pattern.succeeded > 0 ? " (" + CallUnitsText(pattern) + " a call)" : ""));
    }
    if (!scanned.empty()) {
      reasons.push_back("In " + name + ", no key serves " + ListText(scanned) + ": " +
                        (scanned.size() == 1 ? "it scans" : "they scan") + " a table.");
    }
  }

  // What speaks against another layout than the chosen one.
  std::string AgainstText(std::size_t other, std::size_t chosen) const {
    const LabLayoutFigures& layout = layouts_[other];
    std::string text = QuotedName(layout.name);
    std::vector<std::string> parts;
    if (!layout.KeepsEveryItem()) parts.push_back(WrongAnswersText(layout));
    if (const auto impossible = ImpossiblePatterns(layout); !impossible.empty()) {
      parts.push_back("cannot serve " + ListText(impossible));
    }
    if (const auto never_served = FailedPatterns(layout); !never_served.empty()) {
      parts.push_back("fails every call of " + ListText(never_served));
    }
    if (const std::size_t count = CountViolations(other); count > 0) {
      parts.push_back("does not hold " + CountedText(static_cast<double>(count), "limit") +
                      " of the file");
    }
    if (layout.month) parts.push_back(CostText(layout, layouts_[chosen]));
    if (layout.first_limit) parts.push_back("breaks first at " + FirstDeclaredLimitText(layout));
    if (const std::string failed = FailedCallsText(layout); !failed.empty()) {
      parts.push_back("failed " + failed);
    }
    if (parts.empty()) parts.emplace_back("has no figures");
    return text + " " + ListText(parts) + ".";
  }

  // Returns "costs US$ 412.20 a month (+43 % against "a"), mostly for "x" (US$ 300 on demand, not
  // 100)".
  static std::string CostText(const LabLayoutFigures& layout, const LabLayoutFigures& chosen) {
    std::string text = "costs " + MonthText(layout);
    if (!layout.HasWholeMonth() || !chosen.HasWholeMonth()) return text;
    const std::string change = ChangeText(layout.month->usd, chosen.month->usd);
    text +=
        " (" + change + (change == "same" ? " as " : " against ") + QuotedName(chosen.name) + ")";
    const double difference = layout.month->usd - chosen.month->usd;
    const double greater = std::max(layout.month->usd, chosen.month->usd);
    if (std::abs(difference) <= greater * kEqualMonths) return text;
    std::size_t most = layout.patterns.size();
    double most_usd = 0;
    for (std::size_t at = 0; at < layout.patterns.size(); ++at) {
      const auto& now = layout.patterns[at].month_usd;
      const auto& before = chosen.patterns[at].month_usd;
      if (!now || !before) continue;
      const double usd = (*now - *before) * (difference > 0 ? 1 : -1);
      if (usd > most_usd) {
        most = at;
        most_usd = usd;
      }
    }
    if (most == layout.patterns.size()) return text;
    const LabPatternFigures& pattern = layout.patterns[most];
    return text + ", mostly for " + QuotedName(pattern.name) + " (" + UsdText(*pattern.month_usd) +
           " on demand, " + AmountText(*chosen.patterns[most].month_usd) + " in " +
           QuotedName(chosen.name) + ")";
  }

  const std::vector<LabLayoutFigures>& layouts_;
  const std::vector<LabViolation>& violations_;
};

}  // namespace

LabVerdict JudgeLayouts(const LabFigures& figures, const std::vector<LabViolation>& violations) {
  return Judge(figures, violations).Run();
}

std::string VerdictRule() {
  return "A layout that can serve every pattern, does not fail every call of one and keeps every "
         "item is taken before others, then one that carries the declared rates, then one that "
         "holds the file's limits, then one whose "
         "cost is known, then the cheapest.";
}

}  // namespace hashrange
