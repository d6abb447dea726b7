// ResourceArn: what the tag operations are asked for (docs/service/12-streams-and-ttl.md,
// section D). A table:
//
//   arn:aws:dynamodb:<region>:<account>:table/<name>
//
// or one of its streams, with /stream/<label> behind it.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"

namespace hashrange {

// Views of the request.
struct ResourceArn {
  std::string_view arn;
  std::string_view table;
  std::string_view stream_label;  // empty: the table itself
};

// Errors: ValidationException    no ARN of a table or stream, or of another Region
//         AccessDeniedException  of another account
Result<ResourceArn> ParseResourceArn(const Context& context, std::string_view arn);

// The tags of the table, neither being created nor deleted, or of the stream; null when there is
// none.
std::shared_ptr<TagSet> FindTags(const Context& context, const ResourceArn& resource);

}  // namespace hashrange
