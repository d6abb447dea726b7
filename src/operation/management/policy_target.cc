#include "operation/management/policy_target.h"

#include <utility>

#include "engine/stream/stream_set.h"
#include "operation/call/error_texts.h"
#include "operation/management/setting_change.h"

namespace hashrange {
namespace {

// Returns where the target's policy is in the version of its table; null: the version has no
// stream.
PolicyRef* PolicyIn(bool is_stream, TableVersion* version) {
  if (!is_stream) return &version->settings.policy;
  return version->settings.stream ? &version->settings.stream->policy : nullptr;
}

}  // namespace

PolicyRef PolicyTarget::policy() const {
  if (!table) return nullptr;
  if (!is_stream) return table->settings.policy;
  return table->settings.stream ? table->settings.stream->policy : nullptr;
}

Result<ResourceArn> ParsePolicyArn(const Context& context, std::string_view arn) {
  auto resource = ParseResourceArn(context, arn);
  if (resource.ok() || resource.error().code != ErrorCode::kAccessDeniedException) return resource;
  return ValidationError(
      "This action is only supported by accounts that match the resource owner\u2019s account.");
}

Result<PolicyTarget> FindPolicyTarget(const Context& context, const ResourceArn& resource) {
  TableRef table = FindSettled(context, resource.table);
  if (resource.stream_label.empty()) {
    if (table) return PolicyTarget{std::move(table)};
    return ResourceNotFound(Concatenated({"Table: ", resource.table, " not found"}));
  }
  const StreamRef stream = context.streams.Find(context.account, resource.arn);
  if (!stream) return ResourceNotFound(Concatenated({"Stream: ", resource.arn, " not found"}));
  const bool is_open = table && table->settings.stream && table->settings.stream->storage == stream;
  return PolicyTarget{is_open ? std::move(table) : TableRef(), true};
}

Status CheckRevision(std::optional<std::string_view> expected, const PolicyRef& policy,
                     std::string_view arn) {
  if (!expected) return {};
  const std::string_view revision = policy ? std::string_view(policy->revision_id()) : "NO_POLICY";
  return *expected == revision ? Status() : Status(PolicyNotFound(arn));
}

bool PublishPolicy(const Context& context, const PolicyTarget& target, const PolicyRef& policy) {
  const auto set_policy = [&](TableVersion* version) {
    PolicyRef* const place = PolicyIn(target.is_stream, version);
    if (place) *place = policy;
  };
  return PublishEdit(context, target.table, set_policy) != nullptr;
}

Error PolicyNotFound(std::string_view arn) {
  return Error{
      ErrorCode::kPolicyNotFoundException,
      Concatenated({"Resource-based policy not found for the provided ResourceArn: ", arn}),
      nullptr};
}

void WriteRevisionAnswer(const PolicyRef& policy, JsonWriter& answer) {
  answer.BeginObject();
  if (policy) answer.StringMember("RevisionId", policy->revision_id());
  answer.EndObject();
}

}  // namespace hashrange
