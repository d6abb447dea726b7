// GetShardIterator (docs/service/12-streams-and-ttl.md, section A). Where the document gives no
// text for an error, the text is made up here.
#include <string>

#include "engine/stream/shard_iterator.h"
#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/stream/stream_lookup.h"

namespace hashrange {
namespace {

struct GetShardIteratorRequest {
  std::string_view stream_arn;
  std::string_view shard_id;
  std::string_view type;
  std::optional<std::string_view> sequence_number;
};

GetShardIteratorRequest ReadGetShardIteratorRequest(const RequestObject& request) {
  return {*request.String("StreamArn"), *request.String("ShardId"),
          *request.String("ShardIteratorType"), request.String("SequenceNumber")};
}

bool NeedsSequenceNumber(std::string_view type) {
  return type == "AT_SEQUENCE_NUMBER" || type == "AFTER_SEQUENCE_NUMBER";
}

Status CheckSequenceNumber(const GetShardIteratorRequest& request) {
  const bool needed = NeedsSequenceNumber(request.type);
  if (needed && !request.sequence_number) {
    return InvalidParameters("SequenceNumber must be specified when ShardIteratorType is " +
                             std::string(request.type));
  }
  if (!needed && request.sequence_number) {
    return InvalidParameters("SequenceNumber must not be specified when ShardIteratorType is " +
                             std::string(request.type));
  }
  if (needed && !ParseSequenceNumber(*request.sequence_number)) {
    return ValidationError("Invalid SequenceNumber");
  }
  return {};
}

// Returns the number of the record that the iterator reads first.
Result<std::uint64_t> PositionIn(const ShardExtent& extent,
                                 const GetShardIteratorRequest& request) {
  if (request.type == "TRIM_HORIZON") return extent.first;
  if (request.type == "LATEST") return extent.next;
  if (*request.sequence_number == SequenceNumberText(Shard::kStartNumber)) {
    // No record has this number: an iterator at it or after it begins with the first record.
    if (extent.first > Shard::kFirstNumber) return TrimmedDataAccess();
    return Shard::kFirstNumber;
  }
  const std::uint64_t number = *ParseSequenceNumber(*request.sequence_number);
  const bool is_after_last = extent.is_closed && number > extent.last_or_start();
  if (number < Shard::kFirstNumber || is_after_last) {
    return ValidationError("Invalid SequenceNumber for the shard");
  }
  if (number < extent.first) return TrimmedDataAccess();
  const bool is_after = request.type == "AFTER_SEQUENCE_NUMBER" && number < UINT64_MAX;
  return is_after ? number + 1 : number;
}

Result<std::string> RunGetShardIterator(Context& context, const GetShardIteratorRequest& request) {
  HR_RETURN_IF_ERROR(CheckStreamArn(request.stream_arn));
  HR_RETURN_IF_ERROR(CheckSequenceNumber(request));
  HR_ASSIGN(const StreamRef stream, FindStream(context, request.stream_arn));
  const auto shard = FindShard(*stream, request.shard_id);
  if (!shard) return ResourceNotFound("Shard does not exist");
  const std::int64_t now_ms = context.engine.clock().NowEpochMs();
  HR_ASSIGN(const std::uint64_t position,
            PositionIn(stream->shard(*shard).ExtentAt(now_ms), request));
  return ShardIteratorText({.stream_arn = stream->arn(),
                            .shard = static_cast<std::uint32_t>(*shard),
                            .position = position,
                            .issued_epoch_ms = now_ms});
}

}  // namespace

Status GetShardIterator(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const std::string iterator,
            RunGetShardIterator(context, ReadGetShardIteratorRequest(json)));
  answer.BeginObject();
  answer.StringMember("ShardIterator", iterator);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
