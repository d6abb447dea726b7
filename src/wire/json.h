// JsonValue: a request's body, parsed in place into the request's Arena. Strings are
// views into the body; nothing is owned. The only JSON type the operations see.
// Immutable once parsed: any thread may read it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
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
    kHugeInteger,  // an integer that does not; `decimal` is near it
    kDecimal,      // written with a point or an exponent
    kString,
    kArray,
    kObject,
    kNumberText,  // a number as it was written; of a document only
  };

  Type type = Type::kNull;
  std::uint32_t size = 0;  // bytes of a string or a number's text, elements, members
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
  // In the order of the request. Of repeated names only the last is there, and none is JSON
  // null, which counts as absent (docs/service/01-wire-protocol.md, section 2), but in a document.
  std::span<const JsonMember> members() const;

  // The object's member of that name; null when there is none.
  const JsonValue* Find(std::string_view name) const;
};

struct JsonMember {
  std::string_view name;
  JsonValue value;
};

inline std::span<const JsonMember> JsonValue::members() const { return {first_member, size}; }

// Nesting beyond this is refused like any broken JSON.
inline constexpr int kMaxJsonDepth = 1000;

// Parses `body`, which it overwrites (escapes are decoded in place). The whole body must be
// one value. body.data()[body.size()] must be writable: it is a terminator while this
// runs, and has its old content again afterwards.
// Errors: SerializationException without a message  not JSON, invalid UTF-8, a lone
//         surrogate, too deep (docs/service/01-wire-protocol.md, section 2), a number beyond a
//         double's range
// Cost: one pass, no recursion, no allocation but the Arena's; O(n log n) for the n members of
//       one object beyond 32, or with repeats or nulls.
Result<const JsonValue*> ParseJson(std::span<char> body, Arena& arena);

// How JSON is read: a request, in which null counts as absent, or a document, which is data:
// null is a value, and a number keeps its text (kNumberText), however many digits it has; or
// strictly: a member that is null, or named twice, is an error.
enum class JsonDialect : std::uint8_t { kRequest, kDocument, kStrict };

// The same for text that is no request but, say, a line of a file.
// Errors: SerializationException  as above, with a sentence that says what is wrong and where
Result<const JsonValue*> ParseJsonData(std::span<char> text, JsonDialect dialect, Arena& arena);

// Writes a part of a request back, as an answer that echoes it does: compact, members in
// the order of the request, numbers beyond 64 bits approximately.
void WriteJson(const JsonValue& json, JsonWriter& writer);

}  // namespace hashrange
