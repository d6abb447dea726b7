#include "operation/management/contributor_insights.h"

#include <utility>

#include "operation/call/error_texts.h"
#include "operation/table/table_lookup.h"

namespace hashrange {

Result<InsightsTarget> FindInsightsTarget(const Context& context, const RequestObject& request) {
  HR_ASSIGN(TableRef table, FindTableToManage(context, *request.String("TableName")));
  const auto index_name = request.String("IndexName");
  if (!index_name) return InsightsTarget{std::move(table)};
  const IndexVersion* const index = table->FindIndex(*index_name);
  if (index && index->schema.is_global()) {
    return InsightsTarget{std::move(table), index};
  }
  return ResourceNotFound(
      Concatenated({"Index: ", *index_name, " not found for table: ", table->name}));
}

std::string_view InsightsStatus(const Context& context,
                                const std::optional<ContributorInsights>& insights) {
  if (!insights) return "DISABLED";
  const bool is_settled =
      context.NowEpochMs() >= insights->updated_epoch_ms + context.transition_ms;
  if (insights->enabled) return is_settled ? "ENABLED" : "ENABLING";
  return is_settled ? "DISABLED" : "DISABLING";
}

std::string_view InsightsModeName(InsightsMode mode) {
  return mode == InsightsMode::kThrottledKeys ? "THROTTLED_KEYS" : "ACCESSED_AND_THROTTLED_KEYS";
}

std::vector<std::string> InsightsRules(const InsightsTarget& target) {
  const auto& insights = target.insights();
  std::vector<std::string> rules;
  if (!insights || !insights->enabled) return rules;
  const KeySchema& key = target.index ? target.index->schema.key : target.table->key;
  std::string resource = target.table->name;
  if (target.index) resource.append("-").append(target.index->schema.name);
  // P: partition keys; S: sort keys; C: the most accessed; T: the most throttled.
  for (const std::string_view kind : {"PKC", "PKT", "SKC", "SKT"}) {
    if (kind[0] == 'S' && key.range.empty()) continue;
    if (kind[2] == 'C' && insights->mode == InsightsMode::kThrottledKeys) continue;
    rules.push_back(Concatenated({"DynamoDBContributorInsights-", kind, "-", resource, "-",
                                  std::to_string(insights->rules_epoch_ms)}));
  }
  return rules;
}

void WriteInsightsTarget(const InsightsTarget& target, JsonWriter& answer) {
  answer.StringMember("TableName", target.table->name);
  if (target.index) answer.StringMember("IndexName", target.index->schema.name);
}

void WriteInsightsStatus(const Context& context, const InsightsTarget& target, JsonWriter& answer) {
  answer.StringMember("ContributorInsightsStatus", InsightsStatus(context, target.insights()));
}

void WriteInsightsMode(const InsightsTarget& target, JsonWriter& answer) {
  if (!target.insights()) return;
  answer.StringMember("ContributorInsightsMode", InsightsModeName(target.insights()->mode));
}

}  // namespace hashrange
