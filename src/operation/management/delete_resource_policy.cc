// DeleteResourcePolicy (docs/service/17-global-tables-and-account.md, section D).
#include "operation/call/operations.h"
#include "operation/management/policy_target.h"

namespace hashrange {
namespace {

struct DeleteResourcePolicyRequest {
  std::string_view arn;
  std::optional<std::string_view> expected_revision_id;
};

DeleteResourcePolicyRequest ReadDeleteResourcePolicyRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), request.String("ExpectedRevisionId")};
}

// Returns the policy that was deleted; null: there was none, which is no error. Tries again when
// another change was published first.
Result<PolicyRef> RunDeleteResourcePolicy(Context& context,
                                          const DeleteResourcePolicyRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParsePolicyArn(context, request.arn));
  for (;;) {
    HR_ASSIGN(const PolicyTarget target, FindPolicyTarget(context, resource));
    PolicyRef policy = target.policy();
    if (request.expected_revision_id && !policy) return PolicyNotFound(request.arn);
    HR_RETURN_IF_ERROR(CheckRevision(request.expected_revision_id, policy, request.arn));
    if (!policy || PublishPolicy(context, target, nullptr)) return policy;
  }
}

}  // namespace

Status DeleteResourcePolicy(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const PolicyRef policy,
            RunDeleteResourcePolicy(context, ReadDeleteResourcePolicyRequest(json)));
  WriteRevisionAnswer(policy, answer);
  return {};
}

}  // namespace hashrange
