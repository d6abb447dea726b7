#include "operation/kinesis/kinesis_record.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text/short_text.h"
#include "operation/stream/record_json.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMicrosecondsPerMs = 1000;
constexpr std::string_view kStreamPrefix = "stream/";

// "arn:aws:kinesis:<region>:<account>:stream/<name>"
constexpr std::size_t kArnFields = 6;
using ArnFields = std::array<std::string_view, kArnFields>;

std::optional<ArnFields> SplitArn(std::string_view arn) {
  ArnFields fields;
  for (std::size_t i = 0; i + 1 < kArnFields; ++i) {
    const std::size_t colon = arn.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    fields[i] = arn.substr(0, colon);
    arn.remove_prefix(colon + 1);
  }
  fields.back() = arn;
  return fields;
}

bool IsLowerOrDash(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

bool IsRegionName(std::string_view text) {
  constexpr std::size_t kMostBytes = 32;
  return !text.empty() && text.size() <= kMostBytes &&
         std::ranges::all_of(text, [](char c) { return IsLowerOrDash(c) || IsDigit(c); });
}

bool IsAccountNumber(std::string_view text) {
  constexpr std::size_t kDigits = 12;
  return text.size() == kDigits && std::ranges::all_of(text, IsDigit);
}

bool IsKinesisStreamName(std::string_view text) {
  constexpr std::size_t kMostBytes = 128;
  return !text.empty() && text.size() <= kMostBytes && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '-' || c == '.';
  });
}

StreamEvent EventOf(const SentChange& change) {
  if (!change.before) return StreamEvent::kInsert;
  return change.after ? StreamEvent::kModify : StreamEvent::kRemove;
}

void WriteSentItem(const SentChange& change, JsonWriter& writer) {
  const KinesisDestination* const destination = change.table->settings.ActiveDestination();
  const bool is_fine = destination && destination->precision == TimePrecision::kMicrosecond;
  const KeySchema& key = change.table->key;
  const RecordView view(key, ItemView(key, change.before.get()), ItemView(key, change.after.get()),
                        ShownImages());
  writer.BeginObject("dynamodb");
  writer.IntegerMember("ApproximateCreationDateTime",
                       is_fine ? change.epoch_ms * kMicrosecondsPerMs : change.epoch_ms);
  writer.StringMember("ApproximateCreationDateTimePrecision",
                      is_fine ? "MICROSECOND" : "MILLISECOND");
  WriteKeyAndImages(view, writer);
  writer.IntegerMember("SizeBytes", static_cast<std::int64_t>(view.size_bytes()));
  writer.EndObject();
}

}  // namespace

void WriteKinesisRecord(const SentChange& change, std::string_view event_id, JsonWriter& writer) {
  const auto table = SplitArn(change.table->arn);
  writer.BeginObject();
  // Shared tables belong to no Region; the ARN has the Region of the call that made the table.
  writer.StringMember("awsRegion", table ? (*table)[3] : change.table->region);
  writer.StringMember("eventID", event_id);
  writer.StringMember("eventName", EventName(EventOf(change)));
  if (change.origin == WriteOrigin::kTimeToLive) {
    WriteTimeToLiveIdentity(writer);
  } else {
    writer.RawMember("userIdentity", "null");
  }
  writer.StringMember("recordFormat", "application/json");
  writer.StringMember("tableName", change.table->name);
  WriteSentItem(change, writer);
  writer.StringMember("eventSource", "aws:dynamodb");
  writer.EndObject();
}

std::optional<std::string> KinesisFileName(std::string_view stream_arn) {
  const auto fields = SplitArn(stream_arn);
  if (!fields) return std::nullopt;
  const auto& [scheme, partition, service, region, account, resource] = *fields;
  const bool is_stream = scheme == "arn" && partition.starts_with("aws") &&
                         std::ranges::all_of(partition, IsLowerOrDash) && service == "kinesis" &&
                         resource.starts_with(kStreamPrefix);
  if (!is_stream) return std::nullopt;
  const std::string_view name = resource.substr(kStreamPrefix.size());
  if (!IsRegionName(region) || !IsAccountNumber(account) || !IsKinesisStreamName(name)) {
    return std::nullopt;
  }
  std::string file(region);
  file.append("_").append(account).append("_").append(name).append(".jsonl");
  return file;
}

}  // namespace hashrange
