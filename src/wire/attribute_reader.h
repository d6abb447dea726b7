// AttributeReader reads the attribute values of one request, on one thread. Used by
// attribute_json.cc only.
//
// One ValueWriter packs a list or a map with all its levels, so that nested values are copied
// once. The caller has refused values that are too deep, which bounds the recursion and the
// writer's stack.
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
  // `shape_prefix` precedes the messages that refuse the shape of a value.
  AttributeReader(ValidationLayer layer, Arena& arena, std::string_view shape_prefix = {})
      : layer_(layer), arena_(arena), shape_prefix_(shape_prefix) {}

  // Stores the value in `*out` and returns true. Returns false when the value is refused: `error()`
  // says why. `*out` points into the JSON text and the arena.
  bool ReadValue(const JsonValue& json, ValueView* out);

  Error&& error() && { return std::move(error_); }

 private:
  // Reads a value of any type but a list or a map.
  bool ReadLeaf(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadNumber(const JsonValue& json, Number* out);
  bool ReadSet(AttributeType type, const JsonValue& json, ValueView* out);
  bool ReadSetMember(AttributeType type, const JsonValue& json, std::string_view* out);
  std::string_view ReadBinary(const JsonValue& json);

  bool PackValue(const JsonValue& json, ValueWriter& writer);
  bool PackCollection(AttributeType type, const JsonValue& json, ValueWriter& writer);
  bool PackMap(const JsonValue& json, ValueWriter& writer);

  // Returns whether exactly one tag was found: `found` has one bit for each tag. Any other number
  // of tags is refused.
  bool CheckTags(unsigned found);
  // Each returns false and stores the error. Refuse adds the envelope when the layer has one;
  // RefuseBare is for the errors that never have an envelope.
  bool Refuse(std::string message);
  bool RefuseBare(std::string message);
  std::string DuplicateText(AttributeType type, const JsonValue& json);

  const ValidationLayer layer_;
  Arena& arena_;
  const std::string_view shape_prefix_;
  Error error_;
};

}  // namespace hashrange
