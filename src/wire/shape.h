// The shape table: members, types, bounds, patterns and enums of every request. The build makes it
// of the API model and an overlay, which says where the service differs from the model
// (scripts/generate-shapes.py; model/README.md explains the overlay). Constant data, which the
// binder walks; any thread may read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire/validation_layer.h"

namespace hashrange {

// The kind of the values that a shape describes.
enum class ShapeKind : std::uint8_t {
  kString,
  kBoolean,
  kInteger,
  kLong,
  kDouble,
  kBlob,
  kTimestamp,
  kList,
  kMap,
  kStructure,
  kAttributeValue,
};

struct Shape;

// One member of a structure.
struct ShapeMember {
  std::string_view name = {};  // "TableName"
  std::string_view path = {};  // "tableName", as constraint messages spell it
  const Shape* shape = nullptr;
  bool is_required = false;
  // An error of a later stage is reported only when no earlier stage has one.
  std::uint8_t stage = 0;
  bool has_short_length_error = false;  // length errors read "Value at 'Member' …"
  bool is_echoed_as_json = false;       // the value is printed as JSON
  std::string_view enum_error = {};     // the current layer's whole message for kNotInEnum
};

// One type of the API model, with its constraints.
struct Shape {
  ShapeKind kind = ShapeKind::kString;
  std::string_view name = {};    // "KeySchemaElement"
  std::int64_t min = INT64_MIN;  // bounds of a number or of a length
  std::int64_t max = INT64_MAX;
  std::string_view pattern = {};  // as messages print it; the only one in use is [a-zA-Z0-9_.-]+
  bool accepts_arn = false;       // an ARN of up to 1,024 bytes is accepted whatever the bounds are
  // A text may have a wrong length and not match the pattern. Then it has two errors, the
  // length's first, unless one of these is true.
  bool reports_pattern_first = false;                  // the pattern's error is the first
  bool reports_length_alone = false;                   // only the length's error is reported
  std::span<const std::string_view> enum_values = {};  // in the order of messages
  // Of a structure, in the order of messages. Of an attribute value: its L and M, which hold
  // values.
  std::span<const ShapeMember> members = {};
  const Shape* element = nullptr;  // the shape of a list's element or a map's value
  const Shape* key = nullptr;  // the shape of a map's key, or of the keys of an attribute value's M
  bool is_constrained = false;  // the value, or a part of it, may fail a constraint
};

// The problems that a member itself may have, its parts not considered.
enum class Problem : std::uint8_t {
  kNone,
  kAbsent,
  kTooShort,
  kTooLong,
  kBelowMin,
  kAboveMax,
  kBadPattern,
  kNotInEnum,
};

// A problem of a member of the request that is reported before all others, and alone.
struct AloneRule {
  std::string_view member = {};
  Problem problem = Problem::kNone;
  std::string_view message = {};  // the whole message
};

// One operation of the API.
struct OperationShape {
  std::string_view name = {};  // "PutItem"
  std::string_view api = {};   // "DynamoDB_20120810", as the target header says it
  const Shape* input = nullptr;
  ValidationLayer layer = ValidationLayer::kOlder;
  std::span<const AloneRule> alone = {};  // applied on the operation's own layer only
  // A request without this member is answered by the older layer
  // (docs/service/01-wire-protocol.md, section 10). Empty: the operation has no such member.
  std::string_view older_without = {};
  // The text of a request is read strictly (wire/strict_text.h) before it is parsed.
  bool is_strict = false;
};

// The most members an operation's input has.
inline constexpr std::size_t kMaxInputMembers = 24;

// Returns the shape of an operation; null for a name that is not in the model.
const OperationShape* FindOperationShape(std::string_view operation);

// Returns every operation, ascending by name.
std::span<const OperationShape> OperationShapes();

}  // namespace hashrange
