#include "lab/report/lab_verdict.h"

#include <algorithm>
#include <cmath>

#include "lab/plan/request/layout_keys.h"
#include "lab/report/lab_sentences.h"
#include "measure/number_text.h"
#include "measure/report/report_figures.h"

namespace hashrange {
namespace {

constexpr double kSmallDifference = 0.005;  // of months, of which no pattern is named

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

bool CarriesDeclaredRates(const LabLayoutFigures& layout) {
  return !layout.first_limit || layout.first_limit->multiple >= 1;
}

// Returns "stands at 96 % of the writes that one partition key takes at the declared rates (shop,
// key PK=X)".
std::string KeyLoadText(const LabLayoutFigures& layout) {
  const DeclaredLimit& limit = *layout.key_limit;
  const std::string what = limit.row.what == "item" ? "one item" : "one partition key";
  return "stands at " + PercentText(1 / limit.multiple) + " of the " + limit.row.direction +
         "s that " + what + " takes at the declared rates (" +
         ResourceLabel(limit.row.table, limit.row.index) + ", " + limit.row.key + ")";
}

// Returns "breaks 2 rules of the file (key-without-tenant)".
std::string RulesText(const LabLayoutFigures& layout) {
  const std::vector<const PlanFinding*> broken = BrokenRules(layout);
  std::vector<std::string> rules;
  for (const PlanFinding* finding : broken) AddName(finding->rule, rules);
  return "breaks " + CountedText(static_cast<double>(broken.size()), "rule") + " of the file (" +
         ListText(rules) + ")";
}

constexpr std::string_view kOutgrows =
    "meets a size limit of the service within 36 months of the declared traffic";

// Returns "scans a table for "report" (230 r a call)".
std::string ScansText(const LabLayoutFigures& layout) {
  std::vector<std::string> scans;
  for (const std::size_t at : ScansThatWeigh(layout)) {
    const LabPatternFigures& pattern = layout.patterns[at];
    scans.push_back(QuotedName(pattern.name) + " (" + CallUnitsText(pattern) + " a call)");
  }
  return "scans a table for " + ListText(scans);
}

// Returns the number, in the file, of the pattern that makes almost all of the load on the
// partition key or the item that a limit is of; nothing where no pattern does.
std::optional<std::size_t> DrivingPattern(const LabFile& file, const LabLayoutFigures& layout,
                                          const LimitRow& row) {
  constexpr double kAlmostAll = 0.9;
  const auto declared = std::ranges::find(file.layouts, layout.name, &LabLayout::name);
  if (declared == file.layouts.end()) return std::nullopt;
  std::vector<double> loads;
  double all = 0;
  for (const LabPatternFigures& pattern : layout.patterns) {
    double units = 0;
    if (pattern.plan != nullptr) {
      for (const KeyCost& cost : pattern.plan->cost.keys) {
        const LabIndex* const index = IndexOf(*declared, cost.key);
        const bool is_here = TableOf(*declared, cost.key).name == row.table &&
                             (index ? index->name : std::string()) == row.index &&
                             cost.is_write == (row.direction == "write");
        if (is_here) units += cost.units * cost.hottest_share;
      }
    }
    const double rate = pattern.run ? std::max(pattern.run->declared_calls_per_second, 0.0) : 0;
    loads.push_back(units * rate);
    all += loads.back();
  }
  const auto most = std::ranges::max_element(loads);
  if (most == loads.end() || *most < kAlmostAll * all || all == 0) return std::nullopt;
  return static_cast<std::size_t>(most - loads.begin());
}

class Judge {
 public:
  Judge(const LabFile& file, const LabFigures& figures, const std::vector<LabViolation>& violations)
      : file_(file), figures_(figures), layouts_(figures.layouts), violations_(violations) {}

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
    verdict.choice = ChooseLayout(figures_, violations_);
    const LayoutChoice& choice = *verdict.choice;
    verdict.headline = HeadlineOf(choice);
    AddOwnFlaws(choice.layout, verdict.reasons);
    for (std::size_t at = 0; at < layouts_.size(); ++at) {
      if (at != choice.layout) verdict.reasons.push_back(AgainstText(at, choice));
    }
    for (const ChoiceChange& change : choice.changes) {
      verdict.reasons.push_back(ChangeSentence(change));
    }
    return verdict;
  }

 private:
  std::size_t CountViolations(std::size_t layout) const {
    return static_cast<std::size_t>(std::ranges::count(violations_, layout, &LabViolation::layout));
  }

  // Returns what a layout was left out for, as what follows "which".
  std::string FlawText(std::size_t at, LayoutFlaw flaw) const {
    const LabLayoutFigures& layout = layouts_[at];
    switch (flaw) {
      case LayoutFlaw::kImpossible:
        return "cannot serve " + ListText(ImpossiblePatterns(layout));
      case LayoutFlaw::kFails:
        return "fails every call of " + ListText(FailedPatterns(layout));
      case LayoutFlaw::kLosesItems:
        return WrongAnswersText(layout);
      case LayoutFlaw::kOverloaded:
        return "breaks first at " + FirstDeclaredLimitText(layout);
      case LayoutFlaw::kBreaksLimits:
        return LimitsText(at);
      case LayoutFlaw::kBreaksRules:
        return RulesText(layout);
      case LayoutFlaw::kNoMonth:
        return "has no known cost";
      case LayoutFlaw::kPartOfMonth:
        return "costs " + MonthText(layout);
      case LayoutFlaw::kLittleHeadroom:
        return KeyLoadText(layout);
      case LayoutFlaw::kOutgrown:
        return std::string(kOutgrows);
      case LayoutFlaw::kScans:
        return ScansText(layout);
    }
    return {};
  }

  // Returns "does not hold 1 limit of the file (headroom 3.1 is below 5)".
  std::string LimitsText(std::size_t layout) const {
    constexpr std::size_t kMostNamed = 2;
    std::vector<std::string> named;
    for (const LabViolation& violation : violations_) {
      if (violation.layout == layout && !violation.what.empty()) named.push_back(violation.what);
    }
    const std::size_t count = CountViolations(layout);
    return "does not hold " + CountedText(static_cast<double>(count), "limit") + " of the file" +
           (named.empty() || count > kMostNamed ? "" : " (" + ListText(named) + ")");
  }

  // Returns the cheapest of the layouts that were left out for a flaw and cost less than the chosen
  // one; nothing: there is none.
  std::optional<std::size_t> CheaperWithFlaw(const LayoutChoice& choice) const {
    std::optional<std::size_t> cheapest;
    const auto& month = layouts_[choice.layout].month;
    for (std::size_t at = 0; at < layouts_.size(); ++at) {
      const auto& other = layouts_[at].month;
      if (!choice.left_out_for[at] || !month || !other) continue;
      if (other->usd >= month->usd) continue;
      if (!cheapest || other->usd < layouts_[*cheapest].month->usd) cheapest = at;
    }
    return cheapest;
  }

  static std::string HeadlineMonth(const LabLayoutFigures& layout) {
    const std::string missing = MissingInMonthText(layout);
    return "costs " + UsdText(layout.month->usd) + " a month after AWS's free tier" +
           (missing.empty() ? "" : ", " + missing);
  }

  std::string HeadlineOf(const LayoutChoice& choice) const {
    const LabLayoutFigures& layout = layouts_[choice.layout];
    std::string text;
    if (layouts_.size() == 1) {
      text = QuotedName(layout.name) + " ";
    } else if (const auto cheaper = CheaperWithFlaw(choice)) {
      const LabLayoutFigures& other = layouts_[*cheaper];
      text = "Take " + QuotedName(layout.name) + ": " +
             UsdText(layout.month->usd - other.month->usd) + " a month more than " +
             QuotedName(other.name) + ", which " +
             AsSentence(FlawText(*cheaper, *choice.left_out_for[*cheaper])) + " It ";
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
    if (CarriesDeclaredRates(layout) && HeadroomOf(layout) < kLeastHeadroom) {
      reasons.push_back((layouts_.size() > 1 ? "No layout has room for " : "It has no room for ") +
                        NumberText(kLeastHeadroom) + " times the declared rates: " + name + " " +
                        KeyLoadText(layout) + ".");
    }
    if (!BrokenRules(layout).empty()) reasons.push_back(name + " " + RulesText(layout) + ".");
    if (CountViolations(chosen) > 0) reasons.push_back(name + " " + LimitsText(chosen) + ".");
    if (std::string early = EarlyThrottlesText(layout); !early.empty()) {
      reasons.push_back(std::move(early));
    }
    if (const std::string failed = FailedCallsText(layout); !failed.empty()) {
      reasons.push_back("In the traffic of the file, " + name + " failed " + failed + ".");
    }
    for (const std::string& sentence : layout.outgrown) reasons.push_back(name + ": " + sentence);
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
  std::string AgainstText(std::size_t other, const LayoutChoice& choice) const {
    const std::size_t chosen = choice.layout;
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
    if (CountViolations(other) > 0) parts.push_back(LimitsText(other));
    if (!BrokenRules(layout).empty()) parts.push_back(RulesText(layout));
    if (!layout.outgrown.empty()) parts.emplace_back(kOutgrows);
    if (layout.month) parts.push_back(CostText(layout, layouts_[chosen]));
    if (layout.first_limit) parts.push_back("breaks first at " + FirstDeclaredLimitText(layout));
    if (const std::string failed = FailedCallsText(layout); !failed.empty()) {
      parts.push_back("failed " + failed);
    }
    if (!ScansThatWeigh(layout).empty()) parts.push_back(ScansText(layout));
    if (const auto& better = choice.dominated_by[other]) {
      parts.push_back("is better than " + QuotedName(layouts_[*better].name) +
                      " in nothing (month, headroom, round trips, indexes)");
    }
    if (parts.empty()) parts.emplace_back("has no figures");
    return text + " " + ListText(parts) + ".";
  }

  // Returns "Below 0.31 × the declared rates (62 calls/s of "submit"), take "one key": its keys
  // have room enough there, and it costs less."
  std::string ChangeSentence(const ChoiceChange& change) const {
    std::string text = (change.multiple < 1 ? "Below " : "Above ") + MultipleText(change.multiple);
    if (change.by_headroom_of) {
      const LabLayoutFigures& limited = layouts_[*change.by_headroom_of];
      const auto pattern =
          limited.key_limit ? DrivingPattern(file_, limited, limited.key_limit->row) : std::nullopt;
      if (pattern) {
        const LabPatternFigures& driving = limited.patterns[*pattern];
        text += " (" + NumberText(driving.run->declared_calls_per_second * change.multiple) +
                " calls/s of " + QuotedName(driving.name) + ")";
      }
    }
    text += ", take " + QuotedName(layouts_[change.layout].name) + ": ";
    if (!change.by_headroom_of) return text + "it costs less there.";
    if (change.is_of_equal_months && *change.by_headroom_of != change.layout) {
      return text + "it costs about the same, and its keys have more room there.";
    }
    if (*change.by_headroom_of == change.layout) return text + "its keys have room enough there.";
    return text + "the keys of " + QuotedName(layouts_[*change.by_headroom_of].name) +
           " have too little room there.";
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
    if (std::abs(difference) <= greater * kSmallDifference) return text;
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

  const LabFile& file_;
  const LabFigures& figures_;
  const std::vector<LabLayoutFigures>& layouts_;
  const std::vector<LabViolation>& violations_;
};

}  // namespace

LabVerdict JudgeLayouts(const LabFile& file, const LabFigures& figures,
                        const std::vector<LabViolation>& violations) {
  return Judge(file, figures, violations).Run();
}

std::string VerdictRule() {
  return "What fails first counts before what it costs. A layout is taken before others if it can "
         "serve every pattern, does not fail every call of one and keeps every item; then if it "
         "carries the declared rates, holds the file's limits, enforces what is `unique` and "
         "begins "
         "each partition key with the `tenant`, and its cost is known; then if its "
         "keys carry 3 times the declared rates; then if no item and no collection with a local "
         "index becomes too large within 36 months; then if no Scan takes over 10 % of its month "
         "or "
         "50 units a call. Of the rest the cheapest is taken, and of months within 2 % or US$ 1 "
         "the "
         "layout with more headroom, then with fewer round trips a call, then with fewer indexes.";
}

}  // namespace hashrange
