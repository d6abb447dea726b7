// GetRecords (docs/service/12-streams-and-ttl.md, section A).
#include "engine/stream/shard_iterator.h"
#include "operation/call/operations.h"
#include "operation/stream/record_json.h"
#include "operation/stream/stream_lookup.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultRecords = 1000;
constexpr std::size_t kMaxPageBytes = 1 << 20;  // the sum of the records' SizeBytes

struct GetRecordsRequest {
  std::string_view iterator;
  std::int64_t limit;
};

struct GetRecordsOutcome {
  StreamRef stream;
  ShardIterator iterator;
  ShardPage page;
  std::int64_t now_ms = 0;
};

GetRecordsRequest ReadGetRecordsRequest(const RequestObject& request) {
  return {*request.String("ShardIterator"), request.Integer("Limit").value_or(kDefaultRecords)};
}

Result<GetRecordsOutcome> RunGetRecords(Context& context, const GetRecordsRequest& request) {
  GetRecordsOutcome outcome;
  outcome.now_ms = context.engine.clock().NowEpochMs();
  const auto iterator = ParseShardIterator(request.iterator);
  if (!iterator) return ValidationError("Invalid ShardIterator");
  outcome.iterator = *iterator;
  if (iterator->IsExpired(outcome.now_ms)) {
    return Error{ErrorCode::kExpiredIteratorException, "Shard iterator has expired", nullptr};
  }
  HR_ASSIGN(outcome.stream, FindStream(context, iterator->stream_arn));
  if (iterator->shard >= outcome.stream->shard_count()) {
    return ValidationError("Invalid ShardIterator");
  }
  outcome.page =
      outcome.stream->shard(iterator->shard)
          .Read(iterator->position, static_cast<std::size_t>(request.limit), outcome.now_ms);
  if (outcome.page.is_trimmed) return TrimmedDataAccess();
  return outcome;
}

RecordView ViewOf(const StreamDefinition& stream, const StreamRecord& record) {
  return {stream.key,
          ItemView(stream.key, record.before.get()),
          ItemView(stream.key, record.after.get()),
          {.old_image = ShowsOldImage(stream.view) && record.event != StreamEvent::kInsert,
           .new_image = ShowsNewImage(stream.view) && record.event != StreamEvent::kRemove}};
}

void WriteChange(const Stream& stream, const StreamRecord& record, const RecordView& view,
                 std::uint64_t number, JsonWriter& writer) {
  writer.BeginObject("dynamodb");
  writer.IntegerMember("ApproximateCreationDateTime", record.epoch_ms / 1000);
  WriteKeyAndImages(view, writer);
  writer.StringMember("SequenceNumber", SequenceNumberText(number));
  writer.IntegerMember("SizeBytes", static_cast<std::int64_t>(view.size_bytes()));
  writer.StringMember("StreamViewType", StreamViewName(stream.definition().view));
  writer.EndObject();
}

// Writes as many of the page's records as fit into an answer, at least one unless the page is
// empty. Returns the number of the next record.
std::uint64_t WriteRecords(const GetRecordsOutcome& outcome, JsonWriter& writer) {
  const Stream& stream = *outcome.stream;
  std::uint64_t number = outcome.page.first;
  std::size_t size_bytes = 0;
  for (const StreamRecord& record : outcome.page.records) {
    const RecordView view = ViewOf(stream.definition(), record);
    size_bytes += view.size_bytes();
    if (size_bytes > kMaxPageBytes && number > outcome.page.first) break;
    writer.BeginObject();
    writer.StringMember("eventID", stream.EventId(outcome.iterator.shard, number));
    writer.StringMember("eventName", EventName(record.event));
    writer.StringMember("eventVersion", "1.1");
    writer.StringMember("eventSource", "aws:dynamodb");
    writer.StringMember("awsRegion", stream.definition().region);
    WriteChange(stream, record, view, number, writer);
    if (record.origin == WriteOrigin::kTimeToLive) WriteTimeToLiveIdentity(writer);
    writer.EndObject();
    ++number;
  }
  return number;
}

void WriteGetRecordsAnswer(const GetRecordsOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Records");
  const std::uint64_t next = WriteRecords(outcome, answer);
  answer.EndArray();
  const ShardExtent& extent = outcome.page.extent;
  const bool is_drained = extent.is_closed && next >= extent.next;
  if (!is_drained) {
    answer.StringMember("NextShardIterator",
                        ShardIteratorText({.stream_arn = outcome.stream->arn(),
                                           .shard = outcome.iterator.shard,
                                           .position = next,
                                           .issued_epoch_ms = outcome.now_ms}));
  }
  answer.EndObject();
}

}  // namespace

Status GetRecords(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const GetRecordsOutcome outcome, RunGetRecords(context, ReadGetRecordsRequest(json)));
  WriteGetRecordsAnswer(outcome, answer);
  return {};
}

}  // namespace hashrange
