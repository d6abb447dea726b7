#include "operation/read/start_key.h"

#include <algorithm>
#include <string>

#include "operation/parameter/item_key.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kInvalidStartKey = "The provided starting key is invalid";
constexpr std::string_view kInvalidPrefix = "The provided starting key is invalid: ";

Error InvalidStartKey() { return ValidationError(std::string(kInvalidStartKey)); }
Error StartKeyMismatch(bool has_prefix) {
  return has_prefix ? ValidationError(std::string(kInvalidPrefix).append(kKeyMismatch))
                    : KeyMismatch();
}

std::size_t ExpectedMemberCount(const KeySchema& table, const IndexVersion* index) {
  std::size_t members = table.parts();
  if (!index) return members;
  for (std::size_t i = 0; i < index->schema.key.parts(); ++i) {
    if (!table.Find(index->schema.key.part(i).name)) ++members;
  }
  return members;
}

void WriteKeyAttribute(ItemView item, std::string_view name, JsonWriter& writer) {
  writer.Name(name);
  WriteAttributeValue(*item.Find(name), writer);
}

}  // namespace

Result<std::optional<std::span<const Attribute>>> ReadStartKey(const RequestObject& request,
                                                               const Context& context) {
  const JsonValue* json = request.Find("ExclusiveStartKey");
  if (!json) return std::optional<std::span<const Attribute>>();
  HR_ASSIGN(const auto start, ReadAttributes(*json, context.layer, context.arena, kInvalidPrefix));
  return std::optional<std::span<const Attribute>>(start);
}

Status CheckStartKeyCount(const TableVersion& table, const IndexVersion* index,
                          std::span<const Attribute> start, bool is_scan) {
  if (start.size() == ExpectedMemberCount(table.key, index)) return {};
  return is_scan && !index ? StartKeyMismatch(true) : InvalidStartKey();
}

Status CheckStartKeyElement(const IndexVersion* index, const KeyPart& part,
                            std::span<const Attribute> start) {
  const ValueView* value = FindAttribute(start, part.name);
  if (!value && index) return InvalidStartKey();
  return value && value->type == part.type ? Status() : KeyMismatch();
}

Status CheckStartKeyOfTable(const TableVersion& table, const IndexVersion* index,
                            std::span<const Attribute> start, bool is_scan) {
  for (std::size_t i = 0; i < table.key.parts(); ++i) {
    const KeyPart& part = table.key.part(i);
    const ValueView* value = FindAttribute(start, part.name);
    if (!value || value->type != part.type) return StartKeyMismatch(index || is_scan);
  }
  return CheckKeyValues(table.key, start);
}

Position StartPosition(const TableVersion& table, const IndexVersion* index,
                       std::span<const Attribute> start, Arena& arena) {
  const Position table_position = PositionOf(table.key, start, arena);
  if (!index) return table_position;
  ValueView parts[kMaxKeyParts];
  const KeySchema& key = index->schema.key;
  for (std::size_t i = 0; i < key.parts(); ++i) {
    parts[i] = *FindAttribute(start, key.part(i).name);
  }
  return IndexEntryPosition(key, {parts, key.parts()}, table_position, arena);
}

Status CheckStartBoundaries(const KeySchema& key, const KeyInterval& query, const Position& start,
                            Arena& arena) {
  const Interval& interval = query.interval;
  const bool same_hash =
      start.hash == interval.begin.hash && start.bytes.starts_with(query.hash_bytes);
  if (!query.has_range_condition) {
    if (same_hash) return {};
    return ValidationError(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  // The start key's range part behind the query's hash part: the position that the start key would
  // have if its hash part were the query's.
  std::size_t hash_size = 0;
  for (const KeyPart& part : key.hash) DecodePart(start.bytes, &hash_size, part.type, arena);
  const std::string position = std::string(query.hash_bytes).append(start.bytes.substr(hash_size));
  if (position < interval.begin.bytes || position >= interval.end->bytes) {
    return ValidationError("The provided starting key does not match the range key predicate");
  }
  if (same_hash) return {};
  return ValidationError("The query can return at most one row and cannot be restarted");
}

Interval IntervalAfterStart(const Interval& interval, const Position& start, bool forward,
                            Arena& arena) {
  Interval rest = interval;
  if (forward) {
    rest.begin = std::max(interval.begin, Position{start.hash, Successor(start.bytes, arena)});
  } else if (!rest.end || start < *rest.end) {
    rest.end = start;
  }
  return rest;
}

void WriteLastEvaluatedKey(ItemView last, const IndexVersion* index, JsonWriter& writer) {
  writer.BeginObject("LastEvaluatedKey");
  const KeySchema& table = last.schema();
  for (std::size_t i = 0; i < table.parts(); ++i) {
    WriteKeyAttribute(last, table.part(i).name, writer);
  }
  for (std::size_t i = 0; index && i < index->schema.key.parts(); ++i) {
    const std::string& name = index->schema.key.part(i).name;
    if (!table.Find(name)) WriteKeyAttribute(last, name, writer);
  }
  writer.EndObject();
}

}  // namespace hashrange
