// ListStreams (docs/service/12-streams-and-ttl.md, section A).
#include "operation/call/operations.h"
#include "operation/stream/stream_lookup.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultStreams = 100;

struct ListStreamsRequest {
  std::optional<std::string_view> table_name;
  std::optional<std::string_view> after;
  std::int64_t limit;
};

struct ListStreamsOutcome {
  std::vector<StreamRef> streams;
  bool has_more = false;
};

ListStreamsRequest ReadListStreamsRequest(const RequestObject& request) {
  return {request.String("TableName"), request.String("ExclusiveStartStreamArn"),
          request.Integer("Limit").value_or(kDefaultStreams)};
}

// The table need not exist: the streams of a deleted table can still be listed.
Result<ListStreamsOutcome> RunListStreams(Context& context, const ListStreamsRequest& request) {
  StreamSet::Selection selection{.after = request.after,
                                 .limit = static_cast<std::size_t>(request.limit)};
  if (request.table_name) {
    HR_RETURN_IF_ERROR(CheckArn(context, *request.table_name));
    selection.table = TableNameOf(*request.table_name);
  }
  if (request.after) HR_RETURN_IF_ERROR(CheckStreamArn(*request.after));
  ListStreamsOutcome outcome;
  outcome.streams = context.streams.List(context.account, selection, &outcome.has_more);
  return outcome;
}

void WriteListStreamsAnswer(const ListStreamsOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Streams");
  for (const StreamRef& stream : outcome.streams) {
    answer.BeginObject();
    answer.StringMember("StreamArn", stream->arn());
    answer.StringMember("TableName", stream->definition().table_name);
    answer.StringMember("StreamLabel", stream->label());
    answer.EndObject();
  }
  answer.EndArray();
  if (outcome.has_more) {
    answer.StringMember("LastEvaluatedStreamArn", outcome.streams.back()->arn());
  }
  answer.EndObject();
}

}  // namespace

Status ListStreams(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const ListStreamsOutcome outcome,
            RunListStreams(context, ReadListStreamsRequest(json)));
  WriteListStreamsAnswer(outcome, answer);
  return {};
}

}  // namespace hashrange
