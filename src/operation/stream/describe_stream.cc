// DescribeStream (docs/service/12-streams-and-ttl.md, section A).
#include <algorithm>

#include "operation/operations.h"
#include "operation/stream/stream_lookup.h"
#include "operation/table/table_description.h"
#include "stream/sequence_number.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultLimit = 100;

struct DescribeStreamRequest {
  std::string_view stream_arn;
  std::optional<std::string_view> after;  // a shard
  std::int64_t limit;
  bool only_children;  // of one shard
};

// The shards to describe: from `begin` to before `end`.
struct Outcome {
  StreamRef stream;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool more = false;
  std::int64_t now_ms = 0;
};

DescribeStreamRequest Read(const RequestObject& request) {
  return {*request.String("StreamArn"), request.String("ExclusiveStartShardId"),
          request.Integer("Limit").value_or(kDefaultLimit), request.Has("ShardFilter")};
}

Result<Outcome> Run(Context& context, const DescribeStreamRequest& request) {
  Outcome outcome;
  outcome.now_ms = context.engine.clock().NowEpochMs();
  HR_ASSIGN(outcome.stream, FindStream(context, request.stream_arn));
  // Shards never split, so none has children.
  if (request.only_children) return outcome;
  const std::size_t count = outcome.stream->shard_count();
  if (request.after) {
    const auto after = FindShard(*outcome.stream, *request.after);
    outcome.begin = after ? *after + 1 : count;
  }
  outcome.end = std::min(count, outcome.begin + static_cast<std::size_t>(request.limit));
  outcome.more = outcome.end < count;
  return outcome;
}

std::string_view NameOf(StreamStatus status) {
  switch (status) {
    case StreamStatus::kEnabling:
      return "ENABLING";
    case StreamStatus::kEnabled:
      return "ENABLED";
    case StreamStatus::kDisabling:
      return "DISABLING";
    case StreamStatus::kDisabled:
      break;
  }
  return "DISABLED";
}

void Member(JsonWriter& writer, std::string_view name, std::string_view value) {
  writer.Name(name);
  writer.String(value);
}

// A shard that is closed ends with its newest record, or where it starts.
void WriteShard(Stream& stream, std::size_t i, std::int64_t now_ms, JsonWriter& writer) {
  const ShardExtent extent = stream.shard(i).ExtentAt(now_ms);
  writer.BeginObject();
  Member(writer, "ShardId", stream.ShardId(i));
  writer.Name("SequenceNumberRange");
  writer.BeginObject();
  Member(writer, "StartingSequenceNumber", SequenceNumberText(Shard::kStartNumber));
  if (extent.is_closed) {
    Member(writer, "EndingSequenceNumber", SequenceNumberText(extent.last_or_start()));
  }
  writer.EndObject();
  writer.EndObject();
}

void Write(const Outcome& outcome, JsonWriter& answer) {
  Stream& stream = *outcome.stream;
  const StreamDefinition& definition = stream.definition();
  answer.BeginObject();
  answer.Name("StreamDescription");
  answer.BeginObject();
  Member(answer, "StreamArn", stream.arn());
  Member(answer, "StreamLabel", stream.label());
  Member(answer, "StreamStatus", NameOf(stream.StatusAt(outcome.now_ms)));
  Member(answer, "StreamViewType", StreamViewName(definition.view));
  answer.Name("CreationRequestDateTime");
  answer.Timestamp(definition.creation_epoch_ms);
  Member(answer, "TableName", definition.table_name);
  WriteKeySchema(definition.key, answer);
  answer.Name("Shards");
  answer.BeginArray();
  for (std::size_t i = outcome.begin; i < outcome.end; ++i) {
    WriteShard(stream, i, outcome.now_ms, answer);
  }
  answer.EndArray();
  if (outcome.more) Member(answer, "LastEvaluatedShardId", stream.ShardId(outcome.end - 1));
  answer.EndObject();
  answer.EndObject();
}

}  // namespace

Status DescribeStream(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const Outcome outcome, Run(context, Read(json)));
  Write(outcome, answer);
  return {};
}

}  // namespace hashrange
