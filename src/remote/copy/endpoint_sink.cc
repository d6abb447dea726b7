#include "remote/copy/endpoint_sink.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "remote/copy/segment_scan.h"
#include "value/capacity.h"
#include "wire/attribute_json.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

constexpr std::size_t kMostItems = 25;
// A batch of that many bytes gets no more items. The service takes 16 MB, and the largest item
// has less than 4 MB of JSON: 400 KB of empty strings in a list, {"S":""}, of a byte each.
constexpr std::size_t kMostBytes = 12 << 20;

// Collects PutRequests until a batch is full.
class PutBatch {
 public:
  explicit PutBatch(double most_units) : most_units_(most_units) {}

  // Returns whether the batch has no room for one more item of these units.
  bool IsFullFor(double units) const {
    return items_ == kMostItems || text_.size() >= kMostBytes ||
           (items_ > 0 && most_units_ > 0 && units_ + units > most_units_);
  }
  void Add(const ScannedItem& item, double units) {
    if (items_ > 0) text_.Append(',');
    JsonWriter json(text_);
    json.BeginObject();
    json.Name("PutRequest");
    json.BeginObject();
    json.Name("Item");
    WriteAttributes(item.attributes, json);
    json.EndObject();
    json.EndObject();
    ++items_;
    units_ += units;
  }
  bool is_empty() const { return items_ == 0; }
  double units() const { return units_; }
  std::string Requests() const { return "[" + std::string(text_.view()) + "]"; }
  void Clear() {
    text_.Clear();
    items_ = 0;
    units_ = 0;
  }

 private:
  const double most_units_;  // 0: no limit
  OutputBuffer text_;
  std::size_t items_ = 0;
  double units_ = 0;
};

std::string BatchRequest(const std::string& table, const std::string& requests) {
  OutputBuffer text;
  JsonWriter json(text);
  json.BeginObject();
  json.Name("RequestItems");
  json.BeginObject();
  json.Name(table);
  json.Raw(requests);
  json.EndObject();
  json.StringMember("ReturnConsumedCapacity", "TOTAL");
  json.EndObject();
  return std::string(text.view());
}

struct BatchAnswer {
  std::string unprocessed;  // a list of PutRequests as JSON; empty: none
  std::size_t unprocessed_count = 0;
  std::optional<double> units;
};

Result<BatchAnswer> ReadBatchAnswer(std::string& text, const std::string& table) {
  Arena arena;
  const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kRequest, arena);
  if (!json.ok() || (*json)->type != Type::kObject) {
    return Error{ErrorCode::kInternalServerError, "the answer of BatchWriteItem is no JSON",
                 nullptr};
  }
  BatchAnswer answer;
  answer.units = ReportedUnits(**json);
  const JsonValue* const unprocessed = (*json)->Find("UnprocessedItems");
  if (!unprocessed) return answer;
  const Error wrong{
      ErrorCode::kInternalServerError,
      "the answer of BatchWriteItem has UnprocessedItems that are not of the table " + table,
      nullptr};
  if (unprocessed->type != Type::kObject) return wrong;
  for (const JsonMember& member : unprocessed->members()) {
    if (member.value.type != Type::kArray) return wrong;
    if (member.value.size == 0) continue;
    if (member.name != table) return wrong;
    answer.unprocessed_count = member.value.size;
    answer.unprocessed = JsonText(member.value);
  }
  return answer;
}

}  // namespace

Status EndpointSink::Send(const std::string& requests, double units) {
  std::string left = requests;
  std::size_t left_count = kMostItems;
  double expected = units;
  BackOff back_off(parts_.caller.patience());
  for (;;) {
    const auto paced_from = std::chrono::steady_clock::now();
    HR_RETURN_IF_ERROR(parts_.writes.Begin(expected));
    back_off.LeaveOut(std::chrono::steady_clock::now() - paced_from);
    auto text = parts_.caller.Call("BatchWriteItem", table_, BatchRequest(table_, left));
    if (!text.ok()) return std::move(text).error();
    HR_ASSIGN(BatchAnswer answer, ReadBatchAnswer(*text, table_));
    parts_.writes.End(expected, answer.units.value_or(expected), parts_.usd_a_write_unit);
    if (answer.unprocessed_count == 0) return {};
    if (answer.unprocessed_count > kMostItems) {
      return Error{ErrorCode::kInternalServerError,
                   parts_.caller.name() + " gives back more items than were sent", nullptr};
    }
    if (answer.unprocessed_count < left_count) back_off.Reset();
    left_count = answer.unprocessed_count;
    if (back_off.IsOver()) {
      return Error{ErrorCode::kInternalServerError,
                   parts_.caller.name() + " leaves items of the table " + table_ +
                       " unprocessed: its capacity does not suffice",
                   nullptr};
    }
    back_off.Wait(parts_.caller.stop());
    left = std::move(answer.unprocessed);
    expected = static_cast<double>(left_count);
  }
}

Status EndpointSink::Write(const ScannedItems& items, const WrittenPage& page) {
  const UnitPace& pace = parts_.writes.pace();
  PutBatch batch(pace.has_limit() ? pace.units_a_second() : 0);
  for (const ScannedItem& item : items.items) {
    const auto units = static_cast<double>(WriteUnits(item.size_bytes));
    if (batch.IsFullFor(units)) {
      HR_RETURN_IF_ERROR(Send(batch.Requests(), batch.units()));
      batch.Clear();
    }
    batch.Add(item, units);
  }
  if (!batch.is_empty()) HR_RETURN_IF_ERROR(Send(batch.Requests(), batch.units()));
  return parts_.state.Update([&page](CopyState& state) { NotePage(page, 0, state); });
}

Result<ItemDigest> EndpointSink::ReadBack() {
  ItemDigest sum;
  std::mutex mutex;
  const auto read = [&](std::size_t segment) -> Status {
    const SegmentScan scan{.caller = parts_.caller,
                           .meter = parts_.reads,
                           .usd_a_unit = parts_.usd_a_read_unit,
                           .table = table_,
                           .segment = static_cast<int>(segment),
                           .segments = parts_.segments};
    ItemDigest digest;
    HR_RETURN_IF_ERROR(ScanSegment(scan, [&](const ScannedItems& items) -> Status {
      for (const ScannedItem& item : items.items) digest.AddItem(item.attributes);
      return parts_.state.Update([this](CopyState& state) { state.usd = parts_.spending.usd(); });
    }));
    std::lock_guard lock(mutex);
    sum.Add(digest);
    return {};
  };
  HR_RETURN_IF_ERROR(RunSegments(static_cast<std::size_t>(parts_.segments), parts_.stop, read));
  return sum;
}

}  // namespace hashrange
