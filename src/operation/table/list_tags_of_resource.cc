// ListTagsOfResource (docs/service/12-streams-and-ttl.md, section D).
#include <memory>
#include <string>

#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/table/resource_tags.h"

namespace hashrange {
namespace {

struct ListTagsOfResourceRequest {
  std::string_view arn;
  std::optional<std::string_view> next_token;
};

ListTagsOfResourceRequest ReadListTagsOfResourceRequest(const RequestObject& request) {
  return {*request.String("ResourceArn"), request.String("NextToken")};
}

// The service answers for a missing table as if the caller had no right to see it.
Error NotAuthorized(const Context& context, const ResourceArn& resource) {
  return Error{
      ErrorCode::kAccessDeniedException,
      Concatenated({"User: arn:aws:iam::", context.account.account_id,
                    ":root is not authorized to perform: dynamodb:ListTagsOfResource on resource: ",
                    resource.arn}),
      nullptr};
}

Result<std::vector<Tag>> RunListTagsOfResource(Context& context,
                                               const ListTagsOfResourceRequest& request) {
  HR_ASSIGN(const ResourceArn resource, ParseResourceArn(context, request.arn));
  const std::shared_ptr<TagSet> tag_set = FindTags(context, resource);
  if (!tag_set) return NotAuthorized(context, resource);
  // All tags that a table may have fit on one page, so no token was ever returned (the text is
  // unverified).
  if (request.next_token) {
    return ValidationError("Invalid NextToken: " + std::string(*request.next_token));
  }
  return tag_set->All();
}

void WriteListTagsOfResourceAnswer(std::span<const Tag> tags, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Tags");
  for (const Tag& tag : tags) {
    answer.BeginObject();
    answer.StringMember("Key", tag.key);
    answer.StringMember("Value", tag.value);
    answer.EndObject();
  }
  answer.EndArray();
  answer.EndObject();
}

}  // namespace

Status ListTagsOfResource(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const std::vector<Tag> tags,
            RunListTagsOfResource(context, ReadListTagsOfResourceRequest(json)));
  WriteListTagsOfResourceAnswer(tags, answer);
  return {};
}

}  // namespace hashrange
