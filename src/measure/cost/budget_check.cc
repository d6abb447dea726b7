#include <algorithm>
#include <cmath>
#include <utility>

#include "measure/cost/budget_metrics.h"
#include "measure/cost/budgets.h"
#include "measure/cost/cost.h"
#include "measure/cost/first_limit.h"
#include "measure/measured_tables.h"
#include "measure/named_patterns.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr std::string_view kEveryPattern = "*";

bool IsScan(const PatternMeasure& pattern) {
  return pattern.operation == "Scan" ||
         std::ranges::any_of(pattern.members,
                             [](const PatternMember& member) { return member.kind == "scan"; });
}

class BudgetCheck {
 public:
  BudgetCheck(const Measurement& measurement, const Budgets& budgets, const BudgetInput& input)
      : measurement_(measurement),
        budgets_(budgets),
        input_(input),
        named_(PatternsByName(measurement)),
        costs_(ComputeCosts(measurement, {input.prices, budgets.rates})) {}

  std::vector<BudgetViolation> Run() && {
    for (const Budget& budget : budgets_.patterns) {
      if (budget.subject == kEveryPattern) {
        CheckEveryPattern(budget);
      } else {
        CheckPatterns(budget);
      }
    }
    if (budgets_.no_scans) CheckScans();
    for (const Budget& budget : budgets_.tables) CheckTable(budget);
    if (budgets_.first_limit > 0) CheckFirstLimit();
    for (const BudgetLimit& limit : budgets_.findings.limits) CheckFindings(limit);
    return std::move(violations_);
  }

 private:
  // --- Patterns ---

  // Patterns of one name are checked together. Those that an id, a text or an operation means are
  // checked each by itself.
  std::vector<const PatternMeasure*> PatternsMeantBy(const std::string& subject) const {
    std::vector<const PatternMeasure*> found;
    for (const NamedPattern& named : named_) {
      if (named.sum.name == subject && CallsOf(named.sum) > 0) found.push_back(&named.sum);
    }
    if (!found.empty()) return found;
    for (const PatternMeasure& pattern : measurement_.patterns) {
      const bool is_meant = IsMeant(pattern, subject) || pattern.operation == subject;
      if (is_meant && CallsOf(pattern) > 0) found.push_back(&pattern);
    }
    return found;
  }

  void CheckPatterns(const Budget& budget) {
    const auto patterns = PatternsMeantBy(budget.subject);
    if (patterns.empty()) {
      AddUnknown("calls", budget.subject, 0,
                 "No call matches the budget of \"" + budget.subject + "\".");
    }
    for (const PatternMeasure* const pattern : patterns) {
      for (const BudgetLimit& limit : budget.limits) CheckLimit(*pattern, limit);
    }
  }

  void CheckEveryPattern(const Budget& budget) {
    for (const NamedPattern& named : named_) {
      for (const BudgetLimit& limit : budget.limits) {
        if (!HasItsOwn(named, limit.metric)) CheckLimit(named.sum, limit);
      }
    }
  }

  // Whether the pattern has a budget of its own that limits the metric.
  bool HasItsOwn(const NamedPattern& named, const std::string& metric) const {
    return std::ranges::any_of(budgets_.patterns, [&](const Budget& budget) {
      const bool is_own = IsMeant(named.sum, budget.subject) ||
                          named.sum.operation == budget.subject ||
                          std::ranges::find(named.ids, budget.subject) != named.ids.end();
      return is_own && std::ranges::any_of(budget.limits, [&](const BudgetLimit& limit) {
               return limit.metric == metric;
             });
    });
  }

  void CheckLimit(const PatternMeasure& pattern, const BudgetLimit& limit) {
    double is = 0;
    if (const SizeMetric* const size = FindMetric(SizeMetrics(), limit.metric)) {
      is = FindMetric(SizeStatistics(), limit.statistic)->of(size->of(pattern));
    } else {
      is = FindMetric(PatternMetrics(), limit.metric)
               ->of(pattern, PriceOfPattern(measurement_, pattern, input_.prices));
    }
    Compare(TitleOf(pattern), limit, is);
  }

  void CheckScans() {
    for (const PatternMeasure& pattern : measurement_.patterns) {
      if (!IsScan(pattern)) continue;
      const std::string title = TitleOf(pattern);
      violations_.push_back({"no_scans", title, CallsOf(pattern), 0,
                             title + ": " +
                                 CountedText(CallsOf(pattern), "call scans", "calls scan") +
                                 "; no scans are allowed."});
    }
  }

  // --- Tables, first limit, findings ---

  void CheckTable(const Budget& budget) {
    const TableMeasure* const table = FindTable(measurement_, budget.subject);
    if (!table) {
      return AddUnknown("table", budget.subject, 0,
                        "The measurement has no table \"" + budget.subject + "\".");
    }
    for (const BudgetLimit& limit : budget.limits) {
      const TableMetric* const metric = FindMetric(TableMetrics(), limit.metric);
      if (const auto is = metric->of(measurement_, *table, costs_)) {
        Compare(budget.subject, limit, *is);
      } else {
        AddUnknown(limit.metric, budget.subject, limit.allowed,
                   budget.subject + ": " + limit.metric +
                       " is not known: " + std::string(metric->why_unknown) + ".");
      }
    }
  }

  void CheckFirstLimit() {
    const auto rows = FirstLimits(measurement_, budgets_.rates);
    const LimitRow* const reproducible = FirstReproducibleLimit(rows);
    if (!reproducible) {
      return AddUnknown("first_limit", "", budgets_.first_limit,
                        "The first limit is not known: no call succeeded.");
    }
    const LimitRow& first = *reproducible;
    if (first.least_calls_per_second >= budgets_.first_limit) return;
    violations_.push_back({"first_limit", ResourceTitle(measurement_, first.table, first.index),
                           first.least_calls_per_second, budgets_.first_limit,
                           "The first limit is " + first.sentence + "; at least " +
                               NumberText(budgets_.first_limit) + " calls/s are wanted."});
  }

  void CheckFindings(const BudgetLimit& limit) {
    double count = 0;
    std::string ids;
    for (const FindingMark& finding : input_.findings) {
      if (finding.severity != limit.metric) continue;
      ++count;
      ids += (ids.empty() ? "" : ", ") + finding.id;
    }
    if (count <= limit.allowed) return;
    violations_.push_back({limit.metric, "findings", count, limit.allowed,
                           "Findings that are " + limit.metric + ": " + NumberText(count) +
                               "; at most " + NumberText(limit.allowed) + " allowed (" + ids +
                               ")."});
  }

  // --- Results ---

  void Compare(const std::string& where, const BudgetLimit& limit, double is) {
    if (is <= limit.allowed) return;
    const std::string what =
        limit.statistic.empty() ? limit.metric : limit.metric + " " + limit.statistic;
    violations_.push_back({what, where, is, limit.allowed,
                           where + ": " + what + " is " + IsText(is) + "; at most " +
                               NumberText(limit.allowed) + " is allowed."});
  }

  static std::string IsText(double is) {
    return std::isinf(is) ? "without bound (none was returned)" : NumberText(is);
  }

  void AddUnknown(std::string what, std::string where, double allowed, std::string sentence) {
    violations_.push_back({std::move(what), std::move(where), 0, allowed, std::move(sentence)});
  }

  const Measurement& measurement_;
  const Budgets& budgets_;
  const BudgetInput& input_;
  const std::vector<NamedPattern> named_;
  const Costs costs_;
  std::vector<BudgetViolation> violations_;
};

}  // namespace

std::vector<BudgetViolation> CheckBudgets(Measurement measurement, const Budgets& budgets,
                                          const BudgetInput& input) {
  NamePatterns(budgets.names, measurement);
  return BudgetCheck(measurement, budgets, input).Run();
}

}  // namespace hashrange
