#include "remote/copy/scanned_items.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/files/json_tree.h"
#include "value/capacity.h"
#include "value/item.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
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
      return Error{ErrorCode::kInternalServerError,
                   "an item breaks a rule of DynamoDB: " + checked.error().message, nullptr};
    }
    bytes += checked->size_bytes;
    scanned.items.push_back(*checked);
  }
  if (const JsonValue* const next = (*json)->Find("LastEvaluatedKey")) {
    if (next->type != Type::kObject) return NoAnswer("its LastEvaluatedKey is no object");
    scanned.next_key = JsonText(*next);
  }
  scanned.read_units = ReportedUnits(**json).value_or(static_cast<double>(ReadUnits(bytes)));
  return scanned;
}

}  // namespace hashrange
