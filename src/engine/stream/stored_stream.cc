#include "engine/stream/stored_stream.h"

#include <algorithm>

#include "base/record_fields.h"
#include "engine/schema_fields.h"

namespace hashrange {
namespace {

constexpr std::int64_t kYear10000EpochMs = 253'402'300'800'000;
// A shard never gets so many records that its numbers would end.
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 62;

Error DamagedStream(std::string_view problem) {
  return InternalError("the record of a stream is damaged: " + std::string(problem));
}

bool IsUsableNumber(std::uint64_t number) {
  return number >= Shard::kFirstNumber && number < kMostRecords;
}

}  // namespace

template <typename Fields>
void VisitFields(Fields& fields, StreamDefinition& definition) {
  fields.Field(1, definition.id);
  fields.Field(2, definition.account_id);
  fields.Field(3, definition.account_region);
  fields.Field(4, definition.table_name);
  fields.Field(5, definition.table_arn);
  fields.Field(6, definition.region);
  fields.Field(7, definition.key);
  fields.Enum(8, definition.view, StreamView::kNewAndOldImages);
  fields.Field(9, definition.creation_epoch_ms);
  fields.Field(10, definition.enabled_epoch_ms);
}

template <typename Fields>
void VisitFields(Fields& fields, StreamClosing& closing) {
  fields.Field(1, closing.closed_epoch_ms);
  fields.Field(2, closing.disabled_epoch_ms);
}

template <typename Fields>
void VisitFields(Fields& fields, StoredStream& stream) {
  fields.Field(1, stream.definition);
  fields.Field(2, stream.event_seeds[0]);
  fields.Field(3, stream.event_seeds[1]);
  fields.Field(4, stream.first_numbers);
  fields.Field(5, stream.closing);
}

template <typename Fields>
void VisitFields(Fields& fields, StoredStreamRecord& record) {
  fields.Field(1, record.epoch_ms);
  fields.Enum(2, record.event, StreamEvent::kRemove);
  fields.Enum(3, record.origin, WriteOrigin::kTimeToLive);
  fields.Field(4, record.before);
  fields.Field(5, record.after);
}

StoredStream DescribeStream(Stream& stream, std::int64_t now_ms) {
  StoredStream stored{stream.definition(), stream.event_seeds(), {}, stream.closing()};
  for (std::size_t i = 0; i < stream.shard_count(); ++i) {
    stored.first_numbers.push_back(stream.shard(i).ExtentAt(now_ms).first);
  }
  return stored;
}

std::string EncodeStream(const StoredStream& stream) { return EncodeRecord(stream); }

Result<StoredStream> DecodeStream(std::string_view bytes) {
  StoredStream stream;
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of a stream", &stream));
  StreamDefinition& definition = stream.definition;
  definition.is_durable = true;
  if (definition.id == 0) return DamagedStream("it has no id");
  if (definition.account_id.empty() || definition.table_arn.empty()) {
    return DamagedStream("it has no table");
  }
  if (!IsUsableTableKey(definition.key)) return DamagedStream("it has an impossible key");
  if (definition.creation_epoch_ms < 0 || definition.creation_epoch_ms >= kYear10000EpochMs) {
    return DamagedStream("it was made at an impossible time");
  }
  if (stream.first_numbers.empty()) return DamagedStream("it has no shards");
  if (!std::ranges::all_of(stream.first_numbers, IsUsableNumber)) {
    return DamagedStream("a shard begins at an impossible number");
  }
  return stream;
}

std::string EncodeStreamRecord(const StoredStreamRecord& record) { return EncodeRecord(record); }

Result<StoredStreamRecord> DecodeStreamRecord(std::string_view bytes) {
  StoredStreamRecord record;
  HR_RETURN_IF_ERROR(DecodeRecord(bytes, "the record of a change", &record));
  if (!record.before.empty() || !record.after.empty()) return record;
  return InternalError("the record of a change is damaged: it has no item");
}

}  // namespace hashrange
