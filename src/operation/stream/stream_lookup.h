// Stream look-up: the ARN of a request → the stream. Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/stream/stream_set.h"
#include "operation/call/context.h"

namespace hashrange {

// Checks that the text has the form
// "arn:aws:dynamodb:<region>:<account>:table/<table>/stream/<label>". The parts may be any text.
// Errors: ValidationException "Invalid StreamArn"
Status CheckStreamArn(std::string_view arn);

// Returns the stream of the caller's account with this ARN.
// Errors: ValidationException        as CheckStreamArn
//         ResourceNotFoundException  "Requested resource not found: Stream: <arn> not found"
Result<StreamRef> FindStream(const Context& context, std::string_view arn);

// Returns the index of the stream's shard with this id, or nullopt.
std::optional<std::size_t> FindShard(const Stream& stream, std::string_view shard_id);

// Returns TrimmedDataAccessException: the position in a shard is before the shard's oldest record.
Error TrimmedDataAccess();

}  // namespace hashrange
