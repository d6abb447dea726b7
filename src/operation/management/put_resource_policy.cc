// PutResourcePolicy (docs/service/17-global-tables-and-account.md, section D).
#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/management/policy_target.h"
#include "operation/parameter/policy_document.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

struct PutResourcePolicyRequest {
  std::string_view arn;
  std::string_view policy;
  std::optional<std::string_view> expected_revision_id;
};

PutResourcePolicyRequest ReadPutResourcePolicyRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), *request.String("Policy"),
          request.String("ExpectedRevisionId")};
}

Status CheckTakesPolicy(const PolicyTarget& target, const ResourceArn& resource) {
  if (target.table) return CheckNotCreatingOrDeleting(*target.table);
  return ResourceNotFound(Concatenated({"Stream: ", resource.arn, " is disabled"}));
}

// Returns the policy of the target, with its present revision when it is the same already. Tries
// again when another change was published first.
Result<PolicyRef> RunPutResourcePolicy(Context& context, const PutResourcePolicyRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParsePolicyArn(context, request.arn));
  HR_RETURN_IF_ERROR(CheckPolicyDocument(request.policy));
  HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_ASSIGN(const PolicyTarget target, FindPolicyTarget(context, resource));
    HR_RETURN_IF_ERROR(CheckTakesPolicy(target, resource));
    PolicyRef before = target.policy();
    HR_RETURN_IF_ERROR(CheckRevision(request.expected_revision_id, before, request.arn));
    if (before && before->text() == request.policy) return before;
    PolicyRef policy = MakePolicy(request.policy);
    if (PublishPolicy(context, target, policy)) return policy;
  }
}

}  // namespace

Status PutResourcePolicy(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const PolicyRef policy,
            RunPutResourcePolicy(context, ReadPutResourcePolicyRequest(json)));
  WriteRevisionAnswer(policy, answer);
  return {};
}

}  // namespace hashrange
