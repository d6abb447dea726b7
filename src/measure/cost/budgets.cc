#include "measure/cost/budgets.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "measure/cost/cost.h"
#include "measure/cost/first_limit.h"
#include "measure/distribution.h"
#include "measure/json_members.h"
#include "measure/measured_tables.h"
#include "measure/measurement.h"
#include "measure/number_text.h"
#include "measure/pattern_sums.h"
#include "wire/object_reader.h"

namespace hashrange {
namespace {

// --- The figures that budgets limit, by name ---

// A size of a call, of which a statistic is limited.
struct SizeMetric {
  std::string_view name;
  const Distribution& (*of)(const PatternMeasure&);
};

template <Distribution CallSizes::*kSize>
const Distribution& SizeOfCall(const PatternMeasure& pattern) {
  return pattern.call.*kSize;
}

constexpr SizeMetric kSizeMetrics[] = {
    {"read_units", &SizeOfCall<&CallSizes::read_units>},
    {"write_units", &SizeOfCall<&CallSizes::write_units>},
    {"items_examined", &SizeOfCall<&CallSizes::items_examined>},
    {"items_returned", &SizeOfCall<&CallSizes::items_returned>},
    {"bytes_examined", &SizeOfCall<&CallSizes::bytes_examined>},
    {"bytes_returned", &SizeOfCall<&CallSizes::bytes_returned>},
    {"pages", [](const PatternMeasure& p) -> const Distribution& { return p.pages_a_call; }},
};

struct SizeStatistic {
  std::string_view name;
  double (*of)(const Distribution&);
};

constexpr SizeStatistic kSizeStatistics[] = {
    {"p50", [](const Distribution& sizes) { return sizes.Percentile(0.5); }},
    {"p95", [](const Distribution& sizes) { return sizes.Percentile(0.95); }},
    {"p99", [](const Distribution& sizes) { return sizes.Percentile(0.99); }},
    {"max", [](const Distribution& sizes) { return sizes.max(); }},
    {"mean", [](const Distribution& sizes) { return sizes.mean(); }},
};

// A single figure of a pattern.
struct PatternMetric {
  std::string_view name;
  double (*of)(const PatternMeasure&, const PatternPrice&);
};

double ShareOfRequests(double count, const PatternMeasure& pattern) {
  const double requests = std::max(static_cast<double>(pattern.requests), CallsOf(pattern));
  return requests == 0 ? 0 : count / requests;
}

// Returns the bytes of a call, in the mean.
double BytesOfCall(double bytes, const PatternMeasure& pattern) {
  const double calls = CallsOf(pattern);
  return calls == 0 ? 0 : bytes / calls;
}

constexpr PatternMetric kPatternMetrics[] = {
    {"examined_per_returned",
     [](const PatternMeasure& p, const PatternPrice&) { return ExaminedPerReturned(p); }},
    {"errors", [](const PatternMeasure& p,
                  const PatternPrice&) { return ShareOfRequests(TotalOf(p.errors), p); }},
    {"throttled", [](const PatternMeasure& p,
                     const PatternPrice&) { return ShareOfRequests(TotalOf(p.throttles), p); }},
    {"failed_conditions",
     [](const PatternMeasure& p, const PatternPrice&) {
       return ShareOfRequests(static_cast<double>(p.failed_conditions), p);
     }},
    {"vector_bytes_searched",
     [](const PatternMeasure& p, const PatternPrice&) {
       return BytesOfCall(p.vector_bytes_searched, p);
     }},
    {"vector_bytes_written",
     [](const PatternMeasure& p, const PatternPrice&) {
       return BytesOfCall(p.vector_bytes_written, p);
     }},
    {"usd_per_million",
     [](const PatternMeasure&, const PatternPrice& price) { return price.usd_per_million; }},
};

std::optional<double> MonthOf(const Measurement&, const TableMeasure& table, const Costs& costs) {
  if (costs.month.basis == MonthBasis::kNone) return std::nullopt;
  return UsdOfTable(costs.month.as_declared, table.name) +
         UsdOfTable(costs.month.streams, table.name) + UsdOfTable(costs.storage, table.name);
}

std::optional<double> LargestCollection(const Measurement& measurement, const TableMeasure& table,
                                        const Costs&) {
  if (table.items == 0) return 0;
  const ResourceMeasure* const resource = FindResourceMeasure(measurement, table.name, "");
  if (!resource || resource->collections.count == 0) return std::nullopt;
  return resource->collections.size_bytes.max();
}

// A single figure of a table.
struct TableMetric {
  std::string_view name;
  // Returns none when the measurement does not tell.
  std::optional<double> (*of)(const Measurement&, const TableMeasure&, const Costs&);
  std::string_view why_unknown;
};

constexpr TableMetric kTableMetrics[] = {
    {"usd_per_month", &MonthOf,
     "a month is computed from declared rates, or from an hour of the server's clock"},
    {"largest_collection_bytes", &LargestCollection, "item collections were not walked"},
    {"size_bytes",
     [](const Measurement&, const TableMeasure& table, const Costs&) -> std::optional<double> {
       return static_cast<double>(table.size_bytes);
     },
     ""},
};

struct SeverityMetric {
  std::string_view name;
};
constexpr SeverityMetric kSeverityMetrics[] = {{"severe"}, {"warning"}, {"hint"}};

// Returns the row of that name; null when there is none.
template <typename Rows>
auto FindMetric(const Rows& rows, std::string_view name) -> decltype(&rows[0]) {
  for (const auto& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// --- The file ---

// Reads a member that limits a single figure.
void ReadLimit(ObjectReader& fields, std::string_view name, std::string_view statistic,
               BudgetLimit limit, std::vector<BudgetLimit>& limits) {
  if (!fields.Member(name)) return;
  limit.statistic = statistic;
  limit.allowed = fields.Number(name);
  limits.push_back(std::move(limit));
}

// Reads a member that limits a size: a number, or an object with a number for each statistic.
Status ReadSizeLimits(ObjectReader& fields, std::string_view name,
                      std::vector<BudgetLimit>& limits) {
  const JsonValue* const member = fields.Member(name);
  if (!member) return {};
  if (member->type != JsonValue::Type::kObject) {
    ReadLimit(fields, name, "max", {.metric = std::string(name)}, limits);
    return {};
  }
  ObjectReader statistics(*member, fields.PlaceOf(name));
  for (const SizeStatistic& statistic : kSizeStatistics) {
    ReadLimit(statistics, statistic.name, statistic.name, {.metric = std::string(name)}, limits);
  }
  return statistics.Finish();
}

// Reads the members that limit single figures, one of each name, and ends the object.
template <typename Rows>
Result<Budget> ReadFigureLimits(ObjectReader& fields, Budget budget, const Rows& rows) {
  for (const auto& row : rows) {
    ReadLimit(fields, row.name, "", {.metric = std::string(row.name)}, budget.limits);
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return budget;
}

Result<Budget> ReadPatternBudget(const JsonMember& member, const std::string& place) {
  Budget budget{.subject = std::string(member.name)};
  ObjectReader fields(member.value, place);
  for (const SizeMetric& metric : kSizeMetrics) {
    HR_RETURN_IF_ERROR(ReadSizeLimits(fields, metric.name, budget.limits));
  }
  return ReadFigureLimits(fields, std::move(budget), kPatternMetrics);
}

Result<Budget> ReadTableBudget(const JsonMember& member, const std::string& place) {
  ObjectReader fields(member.value, place);
  return ReadFigureLimits(fields, {.subject = std::string(member.name)}, kTableMetrics);
}

// A file without any budget would pass every check. A pattern or a table without limits is a
// budget, too: it has to be in the measurement. `*` is in each measurement.
bool HasBudget(const Budgets& budgets) {
  const bool has_patterns = std::ranges::any_of(budgets.patterns, [](const Budget& budget) {
    return budget.subject != "*" || !budget.limits.empty();
  });
  return budgets.no_scans || budgets.first_limit > 0 || has_patterns || !budgets.tables.empty() ||
         !budgets.findings.limits.empty();
}

using BudgetReader = Result<Budget> (*)(const JsonMember&, const std::string& place);

Result<std::vector<Budget>> ReadBudgetMap(const JsonValue* json, const std::string& place,
                                          BudgetReader read) {
  std::vector<Budget> budgets;
  if (!json) return budgets;
  ObjectReader fields(*json, place);
  for (const JsonMember& member : fields.Entries()) {
    HR_ASSIGN(Budget budget, read(member, fields.PlaceOf(member.name)));
    budgets.push_back(std::move(budget));
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return budgets;
}

}  // namespace

Result<Budgets> ReadBudgets(const JsonValue& json) {
  Budgets budgets;
  ObjectReader fields(json, "");
  const JsonValue* const names = fields.Member("names");
  const JsonValue* const rates = fields.Member("rates");
  const JsonValue* const patterns = fields.Member("patterns");
  budgets.no_scans = fields.Flag("no_scans");
  const JsonValue* const tables = fields.Member("tables");
  budgets.first_limit = fields.Number("first_limit");
  const JsonValue* const findings = fields.Member("findings");
  HR_RETURN_IF_ERROR(fields.Finish());
  if (names) {
    HR_ASSIGN(budgets.names, ReadPatternMatches(*names, "names"));
  }
  if (rates) {
    HR_ASSIGN(budgets.rates, ReadCallRates(*rates, "rates"));
  }
  HR_ASSIGN(budgets.patterns, ReadBudgetMap(patterns, "patterns", &ReadPatternBudget));
  HR_ASSIGN(budgets.tables, ReadBudgetMap(tables, "tables", &ReadTableBudget));
  if (findings) {
    ObjectReader severities(*findings, "findings");
    HR_ASSIGN(budgets.findings,
              ReadFigureLimits(severities, {.subject = "findings"}, kSeverityMetrics));
  }
  if (!HasBudget(budgets)) return ValidationError("There is no budget.");
  return budgets;
}

// --- The check ---

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
    if (const SizeMetric* const size = FindMetric(kSizeMetrics, limit.metric)) {
      is = FindMetric(kSizeStatistics, limit.statistic)->of(size->of(pattern));
    } else {
      is = FindMetric(kPatternMetrics, limit.metric)
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
      const TableMetric* const metric = FindMetric(kTableMetrics, limit.metric);
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
    for (const Finding& finding : input_.findings.findings) {
      if (finding.slug == kPartitionRule || SeverityName(finding.severity) != limit.metric)
        continue;
      ++count;
      ids += (ids.empty() ? "" : ", ") + finding.slug;
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

// --- JSON ---

void WriteViolations(std::span<const BudgetViolation> violations, JsonWriter& writer) {
  writer.BeginObject();
  writer.BoolMember("passed", violations.empty());
  WriteObjectsMember("violations", violations, writer, [&](const BudgetViolation& violation) {
    writer.StringMember("what", violation.what);
    writer.StringMember("where", violation.where);
    WriteFigureMember("is", violation.is, writer);
    writer.DoubleMember("allowed", violation.allowed);
    writer.StringMember("sentence", violation.sentence);
  });
  writer.EndObject();
}

}  // namespace hashrange
