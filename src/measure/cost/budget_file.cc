#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "measure/cost/budget_metrics.h"
#include "measure/cost/budgets.h"
#include "wire/object_reader.h"

namespace hashrange {
namespace {

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
  for (const SizeStatistic& statistic : SizeStatistics()) {
    ReadLimit(statistics, statistic.name, statistic.name, {.metric = std::string(name)}, limits);
  }
  return statistics.Finish();
}

Result<Budget> ReadPatternBudget(const JsonMember& member, const std::string& place) {
  Budget budget{.subject = std::string(member.name)};
  ObjectReader fields(member.value, place);
  for (const SizeMetric& metric : SizeMetrics()) {
    HR_RETURN_IF_ERROR(ReadSizeLimits(fields, metric.name, budget.limits));
  }
  for (const PatternMetric& metric : PatternMetrics()) {
    ReadLimit(fields, metric.name, "", {.metric = std::string(metric.name)}, budget.limits);
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return budget;
}

Result<Budget> ReadTableBudget(const JsonMember& member, const std::string& place) {
  Budget budget{.subject = std::string(member.name)};
  ObjectReader fields(member.value, place);
  for (const TableMetric& metric : TableMetrics()) {
    ReadLimit(fields, metric.name, "", {.metric = std::string(metric.name)}, budget.limits);
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return budget;
}

Result<Budget> ReadFindingBudget(const JsonValue& json) {
  Budget budget{.subject = "findings"};
  ObjectReader fields(json, "findings");
  for (const std::string_view severity : FindingSeverities()) {
    ReadLimit(fields, severity, "", {.metric = std::string(severity)}, budget.limits);
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return budget;
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
    HR_ASSIGN(budgets.findings, ReadFindingBudget(*findings));
  }
  if (!HasBudget(budgets)) return ValidationError("There is no budget.");
  return budgets;
}

Result<Budgets> ReadBudgetsText(std::span<char> text) {
  Arena arena;
  HR_ASSIGN(const JsonValue* json, ParseJsonData(text, JsonDialect::kStrict, arena));
  return ReadBudgets(*json);
}

}  // namespace hashrange
