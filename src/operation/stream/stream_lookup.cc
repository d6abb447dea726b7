#include "operation/stream/stream_lookup.h"

#include "operation/call/error_texts.h"

namespace hashrange {
namespace {

// Removes everything up to and including `end` from the beginning of `*text`. False: `end` is
// missing, or nothing is before it.
bool TakeUntil(std::string_view end, std::string_view* text) {
  const std::size_t at = text->find(end);
  if (at == 0 || at == std::string_view::npos) return false;
  text->remove_prefix(at + end.size());
  return true;
}

bool IsStreamArn(std::string_view arn) {
  constexpr std::string_view kPrefix = "arn:aws:dynamodb:";
  if (!arn.starts_with(kPrefix)) return false;
  std::string_view rest = arn.substr(kPrefix.size());
  return TakeUntil(":", &rest) && TakeUntil(":table/", &rest) && TakeUntil("/stream/", &rest) &&
         !rest.empty();
}

}  // namespace

Status CheckStreamArn(std::string_view arn) {
  return IsStreamArn(arn) ? Status() : ValidationError("Invalid StreamArn");
}

Result<StreamRef> FindStream(const Context& context, std::string_view arn) {
  HR_RETURN_IF_ERROR(CheckStreamArn(arn));
  if (StreamRef stream = context.streams.Find(context.account, arn)) return stream;
  return ResourceNotFound(Concatenated({"Stream: ", arn, " not found"}));
}

std::optional<std::size_t> FindShard(const Stream& stream, std::string_view shard_id) {
  for (std::size_t i = 0; i < stream.shard_count(); ++i) {
    if (stream.ShardId(i) == shard_id) return i;
  }
  return std::nullopt;
}

Error TrimmedDataAccess() {
  return Error{ErrorCode::kTrimmedDataAccessException,
               "The operation attempted to read past the oldest stream record in a shard.",
               nullptr};
}

}  // namespace hashrange
