// Tags as requests bring them, with the checks that CreateTable, TagResource and
// UntagResource share (docs/service/12-streams-and-ttl.md, section D; 03-tables-and-indexes.md,
// section 2, row 35).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/tags.h"
#include "wire/json.h"

namespace hashrange {

// The tags of a list of Tag structures: different keys, at most TagSet::kMaxTags.
// Errors: ValidationException  the first tag with an invalid or reserved key, an invalid
//                              value or the key of one before; then, too many
Result<std::vector<Tag>> ReadTags(std::span<const JsonValue> list);
// The same of a list of keys.
Result<std::vector<std::string>> ReadTagKeys(std::span<const JsonValue> list);

// ValidationException: more than TagSet::kMaxTags on one resource.
Error TooManyTags();

}  // namespace hashrange
