// GetResourcePolicy (docs/service/17-global-tables-and-account.md, section D).
#include "operation/call/operations.h"
#include "operation/management/policy_target.h"

namespace hashrange {
namespace {

Result<PolicyRef> RunGetResourcePolicy(Context& context, std::string_view arn) {
  HR_ASSIGN(const ResourceArn resource, ParsePolicyArn(context, arn));
  HR_ASSIGN(const PolicyTarget target, FindPolicyTarget(context, resource));
  if (PolicyRef policy = target.policy()) return policy;
  return PolicyNotFound(arn);
}

void WriteGetResourcePolicyAnswer(const ResourcePolicy& policy, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("Policy", policy.text());
  answer.StringMember("RevisionId", policy.revision_id());
  answer.EndObject();
}

}  // namespace

Status GetResourcePolicy(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const PolicyRef policy, RunGetResourcePolicy(context, *json.String("ResourceArn")));
  WriteGetResourcePolicyAnswer(*policy, answer);
  return {};
}

}  // namespace hashrange
