// UpdateContributorInsights (docs/service/17-global-tables-and-account.md, section C).
#include <string>

#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/management/contributor_insights.h"
#include "operation/management/setting_change.h"

namespace hashrange {
namespace {

struct UpdateContributorInsightsRequest {
  bool enables;
  InsightsMode mode;
};

UpdateContributorInsightsRequest ReadUpdateContributorInsightsRequest(
    const RequestObject& request) {
  const bool is_of_throttled = request.String("ContributorInsightsMode") == "THROTTLED_KEYS";
  return {*request.String("ContributorInsightsAction") == "ENABLE",
          is_of_throttled ? InsightsMode::kThrottledKeys : InsightsMode::kAccessedAndThrottledKeys};
}

Status CheckIsActive(const InsightsTarget& target) {
  const ResourceStatus status = target.table->status();
  std::string_view member;
  if (status == ResourceStatus::kCreating || status == ResourceStatus::kDeleting) {
    member = "TableStatus";
  } else if (target.index && target.index->status() != ResourceStatus::kActive &&
             target.index->status() != ResourceStatus::kUpdating) {
    member = "IndexStatus";
  }
  if (member.empty()) return {};
  return ValidationError(Concatenated(
      {"Table or Index is not in a valid state to update Key Access Insights: ", member,
       " must be ACTIVE to enable ContributorInsights."}));
}

// Returns what the insights become; nullopt: the request asks for what there is already.
std::optional<ContributorInsights> InsightsAfter(const UpdateContributorInsightsRequest& request,
                                                 const std::optional<ContributorInsights>& before,
                                                 std::int64_t now_epoch_ms) {
  const bool was_enabled = before && before->enabled;
  if (!request.enables && !was_enabled) return std::nullopt;
  if (request.enables && was_enabled && before->mode == request.mode) return std::nullopt;
  ContributorInsights after = before.value_or(ContributorInsights{});
  after.enabled = request.enables;
  after.updated_epoch_ms = now_epoch_ms;
  if (!request.enables) return after;
  after.mode = request.mode;
  if (!was_enabled) after.rules_epoch_ms = now_epoch_ms;
  return after;
}

// Publishes the insights. The version that the table becomes may have no such index any more.
TableRef PublishInsights(const Context& context, const InsightsTarget& target,
                         const ContributorInsights& insights) {
  return PublishEdit(context, target.table, [&](TableVersion* version) {
    if (!target.index) {
      version->settings.insights = insights;
    } else if (IndexVersion* const index = version->FindIndex(target.index->schema.name)) {
      index->insights = insights;
    }
  });
}

void WriteUpdateContributorInsightsAnswer(const InsightsTarget& target, std::string_view status,
                                          JsonWriter& answer) {
  answer.BeginObject();
  WriteInsightsTarget(target, answer);
  answer.StringMember("ContributorInsightsStatus", status);
  WriteInsightsMode(target, answer);
  answer.EndObject();
}

}  // namespace

// A change answers ENABLING or DISABLING, even when it takes no time. Tries again when another
// change was published first.
Status UpdateContributorInsights(Context& context, const RequestObject& json, JsonWriter& answer) {
  const UpdateContributorInsightsRequest request = ReadUpdateContributorInsightsRequest(json);
  for (;;) {
    HR_ASSIGN(const InsightsTarget target, FindInsightsTarget(context, json));
    HR_RETURN_IF_ERROR(CheckIsActive(target));
    const auto after = InsightsAfter(request, target.insights(), context.NowEpochMs());
    if (!after) {
      WriteUpdateContributorInsightsAnswer(target, InsightsStatus(context, target.insights()),
                                           answer);
      return {};
    }
    const TableRef changed = PublishInsights(context, target, *after);
    if (!changed) continue;
    const IndexVersion* const index =
        target.index ? changed->FindIndex(target.index->schema.name) : nullptr;
    WriteUpdateContributorInsightsAnswer({changed, index},
                                         request.enables ? "ENABLING" : "DISABLING", answer);
    return {};
  }
}

}  // namespace hashrange
