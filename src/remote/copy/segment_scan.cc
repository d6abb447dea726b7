#include "remote/copy/segment_scan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "base/workers.h"
#include "control/files/json_tree.h"
#include "value/capacity.h"
#include "value/item.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// The largest call of DynamoDB, 25 items of 400 KB with 25 indexes, takes 260,000 units.
constexpr double kMostUnitsOfACall = 1e6;

Error NoAnswer(const std::string& why) {
  return {ErrorCode::kInternalServerError, "the answer is none of a Scan: " + why, nullptr};
}

double NumberOf(const JsonValue& json) {
  if (json.type == Type::kInteger) return static_cast<double>(json.integer);
  return json.type == Type::kDecimal ? json.decimal : 0;
}

}  // namespace

Result<ScannedItem> ReadCheckedItem(const JsonValue& item, Arena& arena) {
  static const OperationShape& put_item = *FindOperationShape("PutItem");
  const JsonMember request[] = {{"TableName", JsonValue::String("table")}, {"Item", item}};
  HR_RETURN_IF_ERROR(BindRequest(put_item, MakeJsonObject(request)));
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(item, ValidationLayer::kBare, arena));
  const std::size_t size_bytes = ItemSizeBytes(attributes);
  if (size_bytes > kMaxItemSizeBytes) {
    return ValidationError("it has " + std::to_string(size_bytes) + " bytes, and " +
                           std::to_string(kMaxItemSizeBytes) + " are allowed");
  }
  return ScannedItem{attributes, size_bytes};
}

std::optional<double> ReportedUnits(const JsonValue& answer) {
  const JsonValue* const consumed = answer.Find("ConsumedCapacity");
  if (!consumed) return std::nullopt;
  std::optional<double> units;
  const auto add = [&units](const JsonValue& capacity) {
    const JsonValue* const reported = capacity.Find("CapacityUnits");
    if (!reported) return;
    const double number = NumberOf(*reported);
    if (!std::isfinite(number) || number < 0) return;
    units = std::min(units.value_or(0) + number, kMostUnitsOfACall);
  };
  if (consumed->type == Type::kArray) {
    for (const JsonValue& capacity : consumed->elements()) add(capacity);
  } else {
    add(*consumed);
  }
  return units;
}

Result<ScannedItems> ReadScanAnswer(std::string& answer, Arena& arena) {
  const auto json = ParseJsonData({answer.data(), answer.size()}, JsonDialect::kRequest, arena);
  if (!json.ok()) return NoAnswer(json.error().message);
  const JsonValue* const items = (*json)->Find("Items");
  if (!items || items->type != Type::kArray) return NoAnswer("it has no Items");
  ScannedItems scanned;
  scanned.items.reserve(items->size);
  std::size_t bytes = 0;
  for (const JsonValue& item : items->elements()) {
    auto checked = ReadCheckedItem(item, arena);
    if (!checked.ok()) {
      return InternalError("an item breaks a rule of DynamoDB: " + checked.error().message);
    }
    bytes += checked->size_bytes;
    scanned.items.push_back(*checked);
  }
  if (const JsonValue* const next = (*json)->Find("LastEvaluatedKey")) {
    if (next->type != Type::kObject) return NoAnswer("its LastEvaluatedKey is no object");
    scanned.next_key = JsonText(*next);
  }
  scanned.read_units = ReportedUnits(**json).value_or(ReadUnitsOfSize(bytes));
  return scanned;
}

namespace {

constexpr double kUnitsOfAPage = 256;  // of 1 MB, in units of 4 KB
constexpr double kMostItemsOfAPage = 1'000'000;

// Returns the whole number of items that fits both; 0 for `bound`: it is none.
double Fewer(double items, double bound) {
  const double greatest = bound > 0 ? bound : kMostItemsOfAPage;
  return std::clamp(std::floor(items), 1.0, std::max(1.0, std::floor(greatest)));
}

std::string ScanRequest(const SegmentScan& scan, const std::string& next_key, double most_items) {
  return JsonObjectText([&](JsonWriter& json) {
    json.StringMember("TableName", scan.table);
    json.BoolMember("ConsistentRead", true);
    json.StringMember("ReturnConsumedCapacity", "TOTAL");
    json.IntegerMember("Segment", scan.segment);
    json.IntegerMember("TotalSegments", scan.segments);
    if (most_items >= 1) json.IntegerMember("Limit", static_cast<std::int64_t>(most_items));
    if (!next_key.empty()) json.RawMember("ExclusiveStartKey", next_key);
  });
}

}  // namespace

Status ScanSegment(const SegmentScan& scan, TakePage take) {
  const UnitPace& pace = scan.meter.pace();
  // All segments together read about a second's units at a time.
  const double most_units =
      pace.has_limit() ? std::clamp(pace.units_a_second() / scan.segments, 1.0, kUnitsOfAPage)
                       : kUnitsOfAPage;
  double expected = most_units;
  // An item takes from a part of a unit to 100 units; the first pages show how many it does.
  double most_items = pace.has_limit() ? Fewer(most_units, scan.most_items) : scan.most_items;
  std::string next_key = scan.next_key;
  // Keys that come again would be read for ever. The key of each page is compared with the key of
  // page 1, 2, 4, 8, …, which finds a circle of any length (Brent's algorithm).
  std::string earlier_key;
  std::uint64_t pages = 0;
  std::uint64_t compared_until = 1;
  Arena arena;
  for (;;) {
    HR_RETURN_IF_ERROR(scan.meter.Begin(expected));
    auto answer = scan.caller.Call("Scan", scan.table, ScanRequest(scan, next_key, most_items));
    if (!answer.ok()) return std::move(answer).error();
    arena.Reset();
    auto page = ReadScanAnswer(*answer, arena);
    if (!page.ok()) {
      page.error().message =
          "the table " + scan.table + " at " + scan.caller.name() + ": " + page.error().message;
      return std::move(page).error();
    }
    scan.meter.End(expected, page->read_units, scan.usd_a_unit);
    HR_RETURN_IF_ERROR(take(*page));
    if (page->next_key.empty()) return {};
    if (page->next_key == next_key || page->next_key == earlier_key) {
      return InternalError(scan.caller.name() + " answers a Scan of the table " + scan.table +
                           " without going on");
    }
    next_key = page->next_key;
    if (++pages == compared_until) {
      earlier_key = next_key;
      compared_until *= 2;
    }
    if (page->items.empty()) continue;
    if (pace.has_limit()) {
      const double units_an_item =
          std::max(page->read_units / static_cast<double>(page->items.size()), 1e-6);
      most_items = Fewer(most_units / units_an_item, scan.most_items);
    }
    expected = std::min(most_units, std::max(1.0, page->read_units));
  }
}

Status RunSegments(std::size_t segments, CopyStop& stop,
                   const std::function<Status(std::size_t)>& job) {
  std::mutex mutex;
  std::optional<Error> cause;
  // No error is returned to RunJobs: segments that stop because another one has failed must not
  // hide the error of that one.
  (void)RunJobs(static_cast<int>(segments), segments, [&](std::size_t segment) {
    Status status = job(segment);
    if (status.ok()) return Status();
    std::lock_guard lock(mutex);
    stop.Fail();
    if (!cause || cause->message == StoppedError().message) cause = std::move(status).error();
    return Status();
  });
  return cause ? Status(*std::move(cause)) : Status();
}

}  // namespace hashrange
