// UntagResource (docs/service/12-streams-and-ttl.md, section D).
#include <memory>

#include "operation/operations.h"
#include "operation/table/tag_checks.h"
#include "operation/tag/resource_arn.h"

namespace hashrange {
namespace {

struct UntagResourceRequest {
  std::string_view arn;
  std::span<const JsonValue> keys;
};

UntagResourceRequest ReadUntagResourceRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), request.List("TagKeys")};
}

// Even what only takes away is held to the rules, and the number, of tags.
Status RunUntagResource(Context& context, const UntagResourceRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParseResourceArn(context, request.arn));
  if (request.keys.empty()) {
    return ValidationError("Atleast one Tag Key needs to be provided as Input.");
  }
  HR_ASSIGN(const std::vector<std::string> keys, ReadTagKeys(request.keys));
  const std::shared_ptr<TagSet> there = FindTags(context, resource);
  if (!there) {
    return Error{ErrorCode::kResourceNotFoundException, "Requested resource not found", nullptr};
  }
  there->Remove(keys);
  return {};
}

}  // namespace

// The answer has no body, as TagResource's.
Status UntagResource(Context& context, const RequestObject& json, JsonWriter&) {
  return RunUntagResource(context, ReadUntagResourceRequest(json));
}

}  // namespace hashrange
