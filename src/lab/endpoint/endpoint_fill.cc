#include "lab/endpoint/endpoint_fill.h"

#include <algorithm>
#include <chrono>

#include "base/memory/arena.h"
#include "lab/endpoint/endpoint_replies.h"
#include "lab/endpoint/prefixed_tables.h"
#include "measure/number_text.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kSegments = 16;  // of a table
constexpr std::size_t kBatchesAtATime = 16;
constexpr milliseconds kFirstWait{50};
constexpr int kMostDoublings = 7;  // up to 6.4 s

std::string ScanInput(const std::string& table, int segment, const std::string& start_key) {
  std::string json = R"({"TableName":")" + table + R"(","Limit":25,"TotalSegments":)" +
                     std::to_string(kSegments) + R"(,"Segment":)" + std::to_string(segment);
  if (!start_key.empty()) json += R"(,"ExclusiveStartKey":)" + start_key;
  return json + "}";
}

std::string BatchInput(const std::string& table, const JsonValue& items) {
  std::string json;
  for (const JsonValue& item : items.elements()) {
    json += (json.empty() ? "" : ",") + (R"({"PutRequest":{"Item":)" + JsonText(item)) + "}}";
  }
  return R"({"RequestItems":{")" + table + R"(":[)" + json +
         R"(]},"ReturnConsumedCapacity":"TOTAL"})";
}

std::uint64_t CountMembers(std::string_view unprocessed) {
  Arena arena;
  std::string text(unprocessed);
  const auto json = ParseJsonData(text, JsonDialect::kDocument, arena);
  std::uint64_t members = 0;
  if (!json.ok()) return members;
  for (const JsonMember& table : (*json)->members()) {
    if (table.value.type == JsonValue::Type::kArray) members += table.value.size;
  }
  return members;
}

}  // namespace

EndpointFill::EndpointFill(const Parts& parts) : parts_(parts) {
  for (int number = 0; number < kSegments; ++number) {
    for (const LabTable& table : parts.twin.layout().tables) {
      segments_.push_back({.table = table.name, .number = number});
    }
  }
  batches_.resize(kBatchesAtATime);
}

// Reads items from the next segment that has any; returns false where none has.
Result<bool> EndpointFill::MakeBatch(Batch& batch) {
  for (std::size_t tried = 0; tried < segments_.size(); ++tried) {
    Segment& segment = segments_[next_segment_++ % segments_.size()];
    HR_ASSIGN(const bool has_items, ReadBatch(segment, batch));
    if (has_items) return true;
  }
  return false;
}

Result<bool> EndpointFill::ReadBatch(Segment& segment, Batch& batch) {
  while (!segment.is_read) {
    std::string answer;
    const int status = parts_.twin.database().Call(
        "Scan", ScanInput(segment.table, segment.number, segment.start_key), answer);
    Arena arena;
    std::string text = answer;
    const auto json = ParseJsonData(text, JsonDialect::kDocument, arena);
    if (status != kOkStatus || !json.ok()) {
      return InternalError("The twin of " + segment.table + " cannot be read: " + answer);
    }
    segment.is_read = true;
    if (const JsonValue* const key = (*json)->Find("LastEvaluatedKey")) {
      segment.start_key = JsonText(*key);
      segment.is_read = false;
    }
    const JsonValue* const items = (*json)->Find("Items");
    if (items == nullptr || items->size == 0) continue;
    batch = {.json = BatchInput(segment.table, *items), .items = items->size};
    return true;
  }
  return false;
}

Status EndpointFill::SendDue() {
  const Instant now = steady_clock::now();
  for (std::size_t place = 0; place < batches_.size(); ++place) {
    Batch& batch = batches_[place];
    if (batch.is_open || (batch.items > 0 && batch.due > now)) continue;
    if (batch.items == 0) {
      HR_ASSIGN(const bool is_made, MakeBatch(batch));
      if (!is_made) continue;
    }
    batch.is_open = true;
    ++batch.attempts;
    SendInto(replies_, place, "BatchWriteItem", batch.json, parts_.client);
  }
  return {};
}

void EndpointFill::SendAgain(Batch& batch) {
  const int doublings = std::min(batch.attempts - 1, kMostDoublings);
  batch.due = steady_clock::now() + kFirstWait * (1 << doublings);
}

Status EndpointFill::TakeReply(const QueuedReply& queued) {
  Batch& batch = batches_[queued.request];
  batch.is_open = false;
  const EndpointAnswer read(queued.reply);
  const LabAnswer& answer = read.answer();
  parts_.spend.Add(false, answer.units);
  if (answer.kind != LabAnswer::Kind::kOk) {
    latest_refusal_ = RefusalText("BatchWriteItem", queued.reply, parts_.client.endpoint());
    const bool may_pass =
        answer.kind == LabAnswer::Kind::kThrottled || answer.kind == LabAnswer::Kind::kBroken;
    if (!may_pass) return InternalError(latest_refusal_);
    SendAgain(batch);
    return {};
  }
  const std::uint64_t left =
      answer.unprocessed.empty() ? 0 : std::min(batch.items, CountMembers(answer.unprocessed));
  if (left < batch.items) {
    latest_success_ = queued.came;
    batch.attempts = 1;
  }
  items_ += batch.items - left;
  batch.items = left;
  if (left == 0) return {};
  latest_refusal_ =
      "BatchWriteItem at " + parts_.client.endpoint().Text() + " left items unprocessed";
  batch.json = R"({"RequestItems":)" + std::string(answer.unprocessed) +
               R"(,"ReturnConsumedCapacity":"TOTAL"})";
  SendAgain(batch);
  return {};
}

Result<bool> EndpointFill::Run(const std::function<void(std::uint64_t)>& progress) {
  latest_success_ = steady_clock::now();
  const auto is_done = [](const Batch& batch) { return batch.items == 0; };
  while (true) {
    if (parts_.stop != nullptr && parts_.stop->load(std::memory_order_relaxed)) return false;
    parts_.spend.CountHours(steady_clock::now());
    if (parts_.spend.IsExceeded()) return InternalError(parts_.spend.ExceededText());
    HR_RETURN_IF_ERROR(SendDue());
    if (std::ranges::all_of(batches_, is_done)) return true;
    if (const auto reply = replies_->TakeUntil(steady_clock::now() + kFirstWait)) {
      HR_RETURN_IF_ERROR(TakeReply(*reply));
      progress(items_);
    }
    if (steady_clock::now() - latest_success_ < parts_.limits.fill_silence) continue;
    return InternalError(
        "While the tables were filled, no item was put for " +
        NumberText(static_cast<double>(parts_.limits.fill_silence.count()) / 1000) +
        " s; the latest answer: " + latest_refusal_);
  }
}

}  // namespace hashrange
