// The first pass of the binder: every member has the JSON type its shape declares
// (docs/service/01-wire-protocol.md, section 6). Used by binder.cc only.
//
// The values are checked depth-first in the order of the request; the first error wins. JSON
// nulls count as absent, unknown members are ignored. The recursion is as deep as the nesting
// of the JSON (at most kMaxJsonDepth levels), with two small frames for each attribute value.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "value/attribute_value.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

class MemberTypes {
 public:
  // Sets slots[i] to the value of input.members[i]; the slot of an absent member stays as it is.
  // Returns false when a member has another type: message() names the problem.
  bool BindInput(const Shape& input, const JsonValue& body, std::span<const JsonValue*> slots);

  const std::string& message() const { return message_; }
  // Returns the levels of the deepest attribute value in the request; a scalar has one level.
  int value_levels() const { return value_levels_; }
  // Returns the bytes of the longest name in a map of an attribute value.
  std::size_t longest_name_bytes() const { return longest_name_bytes_; }

 private:
  // The holder of the value. The message for a scalar in place of a collection depends on it.
  enum class Holder { kStructure, kCollection };

  bool CheckValue(const Shape& shape, const JsonValue& value, Holder holder);
  bool CheckStructure(const Shape& shape, const JsonValue& value, Holder holder);
  bool CheckList(const Shape& shape, const JsonValue& value, Holder holder);
  bool CheckMap(const Shape& shape, const JsonValue& value, Holder holder);
  bool CheckString(const JsonValue& value);
  bool CheckBoolean(const JsonValue& value);
  bool CheckNumber(const Shape& shape, const JsonValue& value);
  bool CheckBlob(const JsonValue& value);
  bool CheckAttributeValue(const JsonValue& value, Holder holder, int level);
  bool CheckTagged(AttributeType type, const JsonValue& value, int level);
  bool CheckSet(AttributeType type, const JsonValue& value);
  bool CheckValueList(const JsonValue& value, int level);
  bool CheckValueMap(const JsonValue& value, int level);

  // Each stores the message of an error and returns false.
  bool Refuse(std::string message);
  // Refuses an array or an object in place of a scalar, or a scalar that cannot be converted.
  bool RefuseScalar(const JsonValue& value, std::string_view java_class);
  // Refuses a scalar in place of a structure, a list or a map.
  bool RefuseCollection(ShapeKind kind, Holder holder);

  std::string message_;
  int value_levels_ = 0;
  std::size_t longest_name_bytes_ = 0;
};

// Returns the Boolean that a value means: true and the strings "true", "1" and "yes"; false and the
// strings "false", "0" and "no". Letters may be in upper or lower case. None for any other value.
std::optional<bool> BooleanOf(const JsonValue& value);

}  // namespace hashrange
