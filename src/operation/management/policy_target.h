// The table or stream whose resource policy an operation reads or changes
// (docs/service/17-global-tables-and-account.md, section D). Any thread.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "operation/table/resource_tags.h"

namespace hashrange {

// A stream that is closed is not the stream of a table any more: it has no policy and gets none.
struct PolicyTarget {
  TableRef table;  // null: the target is a closed stream
  bool is_stream = false;

  PolicyRef policy() const;  // null: there is none
};

// Returns the resource of an ARN as policies name it.
// Errors: ValidationException  not the ARN of a table or stream of the caller's account and Region
Result<ResourceArn> ParsePolicyArn(const Context& context, std::string_view arn);

// Returns the target as it is now, in any state.
// Errors: ResourceNotFoundException  the table or stream does not exist
Result<PolicyTarget> FindPolicyTarget(const Context& context, const ResourceArn& resource);

// Checks the revision that a change expects (absent: any) against the policy, which may be null. A
// revision NO_POLICY expects that there is none.
// Errors: PolicyNotFoundException
Status CheckRevision(std::optional<std::string_view> expected, const PolicyRef& policy,
                     std::string_view arn);

// Publishes the table with another policy of the target; null removes it. Returns whether no other
// change was first.
bool PublishPolicy(const Context& context, const PolicyTarget& target, const PolicyRef& policy);

// Returns PolicyNotFoundException (docs/service/17-global-tables-and-account.md, section G).
Error PolicyNotFound(std::string_view arn);

// Writes the answer of a change: the revision id of the policy, and nothing when it is null.
void WriteRevisionAnswer(const PolicyRef& policy, JsonWriter& answer);

}  // namespace hashrange
