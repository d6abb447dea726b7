// ResourceArn: the table or stream whose tags an operation reads or changes
// (docs/service/12-streams-and-ttl.md, section D). Any thread.
//
//   a table    arn:aws:dynamodb:<region>:<account>:table/<name>
//   a stream   arn:aws:dynamodb:<region>:<account>:table/<name>/stream/<label>
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// The parts of an ARN; views of the request's text.
struct ResourceArn {
  std::string_view arn;
  std::string_view table;
  std::string_view stream_label;  // empty: the table itself
};

// Returns the parts of the ARN.
// Errors: ValidationException    it is not the ARN of a table or stream, or names another Region
//         AccessDeniedException  it names another account
Result<ResourceArn> ParseResourceArn(const Context& context, std::string_view arn);

// Returns the tags of the table or stream. Null: it does not exist, or the table is being created
// or deleted.
std::shared_ptr<TagSet> FindTags(const Context& context, const ResourceArn& resource);

}  // namespace hashrange
