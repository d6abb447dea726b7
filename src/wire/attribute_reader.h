// AttributeReader reads the attribute values of one request. Used by attribute_json.cc only.
//
// A list or a map is packed by one ValueWriter from its outermost level, so that nested
// values are copied once. The caller has refused what is too deep: recursion and the
// writer's stack are bounded by that.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "value/attribute_value.h"
#include "value/number.h"
#include "value/value_writer.h"
#include "wire/json.h"
#include "wire/validation_layer.h"

namespace hashrange {

class AttributeReader {
 public:
  // `shape_prefix` stands before the texts that refuse a value's shape.
  AttributeReader(ValidationLayer layer, Arena& arena, std::string_view shape_prefix = {})
      : layer_(layer), arena_(arena), shape_prefix_(shape_prefix) {}

  // False when the value is refused: `error()` says why.
  bool ReadValue(const JsonValue& json, ValueView* out);

  Error&& error() && { return std::move(error_); }

 private:
  // Any type but a list or a map.
  bool ReadLeaf(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadNumber(const JsonValue& json, Number* out);
  bool ReadSet(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadSetMember(AttributeType type, const JsonValue& json, std::string_view* out);
  std::string_view ReadBinary(const JsonValue& json);

  bool PackValue(const JsonValue& json, ValueWriter& writer);
  bool PackCollection(AttributeType type, const JsonValue& json, ValueWriter& writer);
  bool PackMap(const JsonValue& json, ValueWriter& writer);

  // True when exactly one tag was found.
  bool CheckTags(unsigned found);
  // Families that Put-, Update- and DeleteItem envelope, and those they do not.
  bool Refuse(std::string message);
  bool RefuseBare(std::string message);
  std::string DuplicateText(AttributeType type, const JsonValue& json);

  const ValidationLayer layer_;
  Arena& arena_;
  const std::string_view shape_prefix_;
  Error error_;
};

}  // namespace hashrange
