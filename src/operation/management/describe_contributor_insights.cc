// DescribeContributorInsights (docs/service/17-global-tables-and-account.md, section C).
#include "operation/call/operations.h"
#include "operation/management/contributor_insights.h"

namespace hashrange {
namespace {

void WriteDescribeContributorInsightsAnswer(const Context& context, const InsightsTarget& target,
                                            JsonWriter& answer) {
  answer.BeginObject();
  WriteInsightsTarget(target, answer);
  const std::vector<std::string> rules = InsightsRules(target);
  if (!rules.empty()) {
    answer.BeginArray("ContributorInsightsRuleList");
    for (const std::string& rule : rules) answer.String(rule);
    answer.EndArray();
  }
  WriteInsightsStatus(context, target, answer);
  if (const auto& insights = target.insights()) {
    answer.TimestampMember("LastUpdateDateTime", insights->updated_epoch_ms);
  }
  WriteInsightsMode(target, answer);
  answer.EndObject();
}

}  // namespace

Status DescribeContributorInsights(Context& context, const RequestObject& json,
                                   JsonWriter& answer) {
  HR_ASSIGN(const InsightsTarget target, FindInsightsTarget(context, json));
  WriteDescribeContributorInsightsAnswer(context, target, answer);
  return {};
}

}  // namespace hashrange
