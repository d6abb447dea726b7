// The strict reading of a request's text, which SearchVectors has
// (docs/service/15-vector-search.md, section 7): its errors name the line and the column. Pure
// function; any thread.
//
// The service's front end for SearchVectors reads a body as serde_json, a library of Rust, reads a
// structure. The messages of errors that nobody has observed are those of that library
// (unverified).
#pragma once

#include <string_view>

#include "base/result.h"
#include "wire/shape.h"

namespace hashrange {

// Checks that the text of a request is one JSON object with the members of `input`: none of them
// twice, none of a wrong type, all that are required. Other members are ignored. A member that is
// null counts as absent if it is not required. Strings are not checked for valid UTF-8, which
// ParseJson (wire/json.h) does.
// Errors: SerializationException  the text is not JSON, or a member has another type or is twice
//         ValidationException     "missing field `TableName` at line 1 column 2"
// Cost: one pass; recursion of 128 levels at most.
Status CheckStrictText(const Shape& input, std::string_view text);

}  // namespace hashrange
