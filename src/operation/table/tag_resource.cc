// TagResource (docs/service/12-streams-and-ttl.md, section D).
#include <memory>

#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/table/resource_tags.h"

namespace hashrange {
namespace {

struct TagResourceRequest {
  std::string_view arn;
  std::span<const JsonValue> tags;
};

TagResourceRequest ReadTagResourceRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), request.List("Tags")};
}

Status RunTagResource(Context& context, const TagResourceRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParseResourceArn(context, request.arn));
  if (request.tags.empty()) {
    return ValidationError("Atleast one Tag needs to be provided as Input.");
  }
  HR_ASSIGN(const std::vector<Tag> tags, ReadTags(request.tags));
  const std::shared_ptr<TagSet> tag_set = FindTags(context, resource);
  if (!tag_set) {
    return ResourceNotFound(Concatenated({"ResourcArn: ", resource.arn, " not found"}));
  }
  return tag_set->Add(tags) ? Status() : Status(TooManyTags());
}

}  // namespace

// The answer has no body, not even {}: the operation has no output in the API's model.
Status TagResource(Context& context, const RequestObject& json, JsonWriter&) {
  return RunTagResource(context, ReadTagResourceRequest(json));
}

}  // namespace hashrange
