// The shape table: members, types, bounds, patterns and enums of every request, generated
// from the API model and one overlay (what the service does otherwise) into
// shape_table.inc by scripts/generate-shapes.py. Data only, constant from the start; the
// binder walks it. model/README.md explains the overlay's part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "wire/validation_layer.h"

namespace hashrange {

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

struct ShapeMember {
  std::string_view name = {};  // "TableName"
  std::string_view path = {};  // "tableName", as constraint messages spell it
  const Shape* shape = nullptr;
  bool is_required = false;
  // Errors of a later stage are reported only when the earlier stages found none.
  std::uint8_t stage = 0;
  bool has_short_length_error = false;  // length errors read "Value at 'Member' …"
  bool is_echoed_as_json = false;       // the value is printed as JSON
  std::string_view enum_error = {};     // the current layer's whole text of an enum error
};

struct Shape {
  ShapeKind kind = ShapeKind::kString;
  std::string_view name = {};    // "KeySchemaElement"
  std::int64_t min = INT64_MIN;  // of a number, or of a length
  std::int64_t max = INT64_MAX;
  std::string_view pattern = {};  // printed; the only one in use is [a-zA-Z0-9_.-]+
  bool accepts_arn = false;       // an ARN passes whatever the bounds say
  // A text of a wrong length that does not match the pattern either has two errors: …
  bool reports_pattern_first = false;  // … in this order; else the other way round
  bool reports_length_alone = false;   // … but here it has one
  std::span<const std::string_view> enum_values = {};  // in the service's printed order
  std::span<const ShapeMember> members = {};           // of a structure, in printed order
  const Shape* element = nullptr;                      // of a list, or a map's value
  const Shape* key = nullptr;                          // of a map
  bool is_constrained = false;                         // something in it may fail a constraint
};

// What may be wrong with a member itself.
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

// A problem of a request's member that is reported alone, ahead of all others.
struct AloneRule {
  std::string_view member = {};
  Problem problem = Problem::kNone;
  std::string_view message = {};  // whole
};

// One operation of the API.
struct OperationShape {
  std::string_view name = {};  // "PutItem"
  std::string_view api = {};   // "DynamoDB_20120810", as the target header says it
  const Shape* input = nullptr;
  ValidationLayer layer = ValidationLayer::kOlder;
  std::span<const AloneRule> alone = {};  // on the operation's own layer only
  // Without this member the older layer answers (reference 01, section 10). Empty: none.
  std::string_view older_without = {};
};

// The most members an operation's input has.
inline constexpr std::size_t kMaxInputMembers = 24;

// Null for a name that is not in the model.
const OperationShape* FindOperationShape(std::string_view operation);

// Every operation, ascending by name.
std::span<const OperationShape> OperationShapes();

}  // namespace hashrange
