// The tags of tables and streams in requests: the resource that an ARN names, and the tags that
// CreateTable, TagResource and UntagResource read and check (docs/service/12-streams-and-ttl.md,
// section D; 03-tables-and-indexes.md, section 2, row 35). Any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/tags.h"
#include "operation/call/context.h"
#include "wire/json.h"

namespace hashrange {

// The table or stream whose tags an operation reads or changes. Its members are views of the
// request's text.
//
//   a table    arn:aws:dynamodb:<region>:<account>:table/<name>
//   a stream   arn:aws:dynamodb:<region>:<account>:table/<name>/stream/<label>
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

// Returns the tags of a list of Tag structures: different keys, at most TagSet::kMaxTags.
// Errors: ValidationException  about the first tag that has an invalid or reserved key, an invalid
//         value, or the key of an earlier tag; otherwise, if there are too many tags
Result<std::vector<Tag>> ReadTags(std::span<const JsonValue> list);
// Returns the strings of a list of tag keys, with the same checks of the keys.
Result<std::vector<std::string>> ReadTagKeys(std::span<const JsonValue> list);

// Returns ValidationException: one resource would have more than TagSet::kMaxTags.
Error TooManyTags();

}  // namespace hashrange
