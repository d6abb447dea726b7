// DescribeStream (docs/service/12-streams-and-ttl.md, section A).
#include <algorithm>

#include "engine/stream/shard_iterator.h"
#include "operation/call/operations.h"
#include "operation/stream/stream_lookup.h"
#include "operation/table/table_description.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultShards = 100;

struct DescribeStreamRequest {
  std::string_view stream_arn;
  std::optional<std::string_view> after;  // the id of a shard: the answer begins with the next one
  std::int64_t limit;
  bool only_children;  // ShardFilter: only the child shards of one shard
};

// The shards to describe are [begin, end).
struct DescribeStreamOutcome {
  StreamRef stream;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool has_more = false;
  std::int64_t now_ms = 0;
};

DescribeStreamRequest ReadDescribeStreamRequest(const RequestObject& request) {
  return {*request.String("StreamArn"), request.String("ExclusiveStartShardId"),
          request.Integer("Limit").value_or(kDefaultShards), request.Has("ShardFilter")};
}

Result<DescribeStreamOutcome> RunDescribeStream(Context& context,
                                                const DescribeStreamRequest& request) {
  DescribeStreamOutcome outcome;
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
  outcome.has_more = outcome.end < count;
  return outcome;
}

std::string_view StreamStatusName(StreamStatus status) {
  static constexpr std::string_view kNames[] = {"ENABLING", "ENABLED", "DISABLING", "DISABLED"};
  return kNames[static_cast<int>(status)];
}

// A closed shard ends with its newest record, or where it starts if it has no records.
void WriteShard(Stream& stream, std::size_t i, std::int64_t now_ms, JsonWriter& writer) {
  const ShardExtent extent = stream.shard(i).ExtentAt(now_ms);
  writer.BeginObject();
  writer.StringMember("ShardId", stream.ShardId(i));
  writer.BeginObject("SequenceNumberRange");
  writer.StringMember("StartingSequenceNumber", SequenceNumberText(Shard::kStartNumber));
  if (extent.is_closed) {
    writer.StringMember("EndingSequenceNumber", SequenceNumberText(extent.last_or_start()));
  }
  writer.EndObject();
  writer.EndObject();
}

void WriteDescribeStreamAnswer(const DescribeStreamOutcome& outcome, JsonWriter& answer) {
  Stream& stream = *outcome.stream;
  const StreamDefinition& definition = stream.definition();
  answer.BeginObject();
  answer.BeginObject("StreamDescription");
  answer.StringMember("StreamArn", stream.arn());
  answer.StringMember("StreamLabel", stream.label());
  answer.StringMember("StreamStatus", StreamStatusName(stream.StatusAt(outcome.now_ms)));
  answer.StringMember("StreamViewType", StreamViewName(definition.view));
  answer.TimestampMember("CreationRequestDateTime", definition.creation_epoch_ms);
  answer.StringMember("TableName", definition.table_name);
  WriteKeySchema(definition.key, answer);
  answer.BeginArray("Shards");
  for (std::size_t i = outcome.begin; i < outcome.end; ++i) {
    WriteShard(stream, i, outcome.now_ms, answer);
  }
  answer.EndArray();
  if (outcome.has_more)
    answer.StringMember("LastEvaluatedShardId", stream.ShardId(outcome.end - 1));
  answer.EndObject();
  answer.EndObject();
}

}  // namespace

Status DescribeStream(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const DescribeStreamOutcome outcome,
            RunDescribeStream(context, ReadDescribeStreamRequest(json)));
  WriteDescribeStreamAnswer(outcome, answer);
  return {};
}

}  // namespace hashrange
