// Reads the tags of requests, with the checks that CreateTable, TagResource and UntagResource share
// (docs/service/12-streams-and-ttl.md, section D; 03-tables-and-indexes.md, section 2, row 35).
// Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/tags.h"
#include "wire/json.h"

namespace hashrange {

// Returns the tags of a list of Tag structures: different keys, at most TagSet::kMaxTags.
// Errors: ValidationException  about the first tag that has an invalid or reserved key, an invalid
//         value, or the key of an earlier tag; otherwise, if there are too many tags
Result<std::vector<Tag>> ReadTags(std::span<const JsonValue> list);
// Returns the strings of a list of tag keys, with the same checks of the keys.
Result<std::vector<std::string>> ReadTagKeys(std::span<const JsonValue> list);

// Returns ValidationException: one resource would have more than TagSet::kMaxTags.
Error TooManyTags();

}  // namespace hashrange
