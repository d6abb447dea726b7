// Stream look-up: the ARN of a request → the stream.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"
#include "stream/stream_set.h"

namespace hashrange {

// "arn:aws:dynamodb:<region>:<account>:table/<table>/stream/<label>", whatever the parts are.
// Errors: ValidationException "Invalid StreamArn"
Status CheckStreamArn(std::string_view arn);

// Errors: ValidationException        as CheckStreamArn
//         ResourceNotFoundException  "Requested resource not found: Stream: <arn> not found"
Result<StreamRef> FindStream(const Context& context, std::string_view arn);

// Which shard of the stream has that id; none: no shard has.
std::optional<std::size_t> FindShard(const Stream& stream, std::string_view shard_id);

// TrimmedDataAccessException, for a place in a shard before its oldest record.
Error TrimmedDataAccess();

}  // namespace hashrange
