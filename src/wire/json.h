// JsonValue: a request's body, parsed in place into the request's Arena. Strings are views
// into the body; a JsonValue owns no memory. Operations use no other type for JSON.
// Immutable after the parsing: any thread may read it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"

namespace hashrange {

class JsonWriter;
struct JsonMember;

struct JsonValue {
  enum class Type : std::uint8_t {
    kNull,
    kFalse,
    kTrue,
    kInteger,      // fits 64 bits, signed
    kHugeInteger,  // an integer that does not fit; `decimal` is the nearest double
    kDecimal,      // written with a point or an exponent
    kString,
    kArray,
    kObject,
    kNumberText,  // a number as it was written; only in a document
  };

  Type type = Type::kNull;
  // The number of bytes of a string or a number's text, of elements, or of members.
  std::uint32_t size = 0;
  union {
    const char* text = nullptr;
    const JsonValue* first_element;
    const JsonMember* first_member;
    std::int64_t integer;
    double decimal;
  };

  static JsonValue String(std::string_view text) {
    JsonValue value;
    value.type = Type::kString;
    value.size = static_cast<std::uint32_t>(text.size());
    value.text = text.data();
    return value;
  }

  bool is_null() const { return type == Type::kNull; }
  std::string_view string() const { return {text, size}; }
  std::span<const JsonValue> elements() const { return {first_element, size}; }
  // The members in the order of the request. Of members with the same name only the last is kept.
  // A member that is JSON null counts as absent (docs/service/01-wire-protocol.md, section 2),
  // except in a document.
  std::span<const JsonMember> members() const;

  // Returns the value of the member of that name; null when there is none or this is no object.
  const JsonValue* Find(std::string_view name) const;
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

inline std::span<const JsonMember> JsonValue::members() const { return {first_member, size}; }

// A text with more levels of nesting is refused as one that is not JSON.
inline constexpr int kMaxJsonDepth = 1000;

// Returns the value of `body`, which is overwritten (escapes are decoded in place). The whole
// body must be one value. body.data()[body.size()] must be writable: it is a terminator during
// the parsing, and has its old content again afterwards.
// Errors: SerializationException without a message  not JSON, invalid UTF-8, a lone
//         surrogate, too deep (docs/service/01-wire-protocol.md, section 2), a number beyond a
//         double's range
// Cost: two passes, of which the first validates UTF-8; memory is taken from the Arena and from a
//       stack that the thread keeps; recursion of kMaxJsonDepth levels at most; O(n log n) for an
//       object of n members when n is above 32 or the object has repeated names or nulls.
Result<const JsonValue*> ParseJson(std::span<char> body, Arena& arena);

// How JSON is read. kRequest: a member that is null counts as absent. kDocument, for data: null is
// a value, and a number keeps its text (kNumberText), however many digits it has. kStrict: a
// member that is null, or whose name is repeated, is an error.
enum class JsonDialect : std::uint8_t { kRequest, kDocument, kStrict };

// Returns the value of a text that is not a request's body, for example a line of a file. The text
// is read, and overwritten, as ParseJson does it.
// Errors: SerializationException  as ParseJson, with a sentence that says what is wrong and where
Result<const JsonValue*> ParseJsonData(std::span<char> text, JsonDialect dialect, Arena& arena);

// Writes a value, for answers that repeat a part of the request: compact, with the members in the
// order of the request. Numbers beyond 64 bits are approximate.
void WriteJson(const JsonValue& json, JsonWriter& writer);

}  // namespace hashrange
