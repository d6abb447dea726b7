// UntagResource (docs/service/12-streams-and-ttl.md, section D).
#include <memory>

#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/table/resource_tags.h"

namespace hashrange {
namespace {

struct UntagResourceRequest {
  std::string_view arn;
  std::span<const JsonValue> keys;
};

UntagResourceRequest ReadUntagResourceRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), request.List("TagKeys")};
}

// The keys must satisfy the rules for tag keys, and must not be too many, although they are only
// removed.
Status RunUntagResource(Context& context, const UntagResourceRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParseResourceArn(context, request.arn));
  if (request.keys.empty()) {
    return ValidationError("Atleast one Tag Key needs to be provided as Input.");
  }
  HR_ASSIGN(const std::vector<std::string> keys, ReadTagKeys(request.keys));
  const std::shared_ptr<TagSet> tag_set = FindTags(context, resource);
  if (!tag_set) return ResourceNotFound();
  tag_set->Remove(keys);
  return {};
}

}  // namespace

// Like the answer of TagResource, this one has no body.
Status UntagResource(Context& context, const RequestObject& json, JsonWriter&) {
  return RunUntagResource(context, ReadUntagResourceRequest(json));
}

}  // namespace hashrange
