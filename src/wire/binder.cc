#include "wire/binder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text/short_text.h"
#include "base/text/text_encodings.h"
#include "wire/attribute_json.h"
#include "wire/member_constraints.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

constexpr std::string_view kUnexpectedStart = "Start of structure or map found where not expected";
constexpr std::string_view kModelPackage = "com.amazonaws.dynamodb.v20120810.";

bool IsCollection(const JsonValue& value) {
  return value.type == Type::kArray || value.type == Type::kObject;
}

std::string_view TokenName(const JsonValue& value) {
  switch (value.type) {
    case Type::kTrue:
      return "TRUE_VALUE";
    case Type::kFalse:
      return "FALSE_VALUE";
    case Type::kDecimal:
      return "DECIMAL_VALUE";
    case Type::kString:
      return "STRING_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

std::string_view JavaClassOf(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::kInteger:
      return "java.lang.Integer";
    case ShapeKind::kLong:
      return "java.lang.Long";
    case ShapeKind::kDouble:
      return "java.lang.Double";
    default:
      return "java.util.Date";
  }
}

// Returns the Java type of a shape as messages print it; a null pointer means the AttributeValue
// in a list or a map of an AttributeValue.
std::string JavaTypeOf(const Shape* shape) {
  if (!shape) return std::string(kModelPackage).append("AttributeValue");
  switch (shape->kind) {
    case ShapeKind::kList:
      return "java.util.List<" + JavaTypeOf(shape->element) + ">";
    case ShapeKind::kMap:
      return "java.util.Map<java.lang.String, " + JavaTypeOf(shape->element) + ">";
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue:
      return std::string(kModelPackage).append(shape->name);
    case ShapeKind::kString:
      return "java.lang.String";
    case ShapeKind::kBoolean:
      return "java.lang.Boolean";
    case ShapeKind::kBlob:
      return "java.nio.ByteBuffer";
    default:
      return std::string(JavaClassOf(shape->kind));
  }
}

std::string UnrecognizedMap(const Shape* element) {
  return "Unrecognized collection type java.util.Map<java.lang.String, " + JavaTypeOf(element) +
         ">";
}

// Returns "Integer" for "java.lang.Integer".
std::string_view SimpleName(std::string_view java_class) {
  return java_class.substr(java_class.rfind('.') + 1);
}

// Whether an integer or a decimal, which is floored, is within the type of the shape.
bool FitsNumberType(ShapeKind kind, const JsonValue& value) {
  if (kind == ShapeKind::kDouble || kind == ShapeKind::kTimestamp) return true;
  if (value.type == Type::kHugeInteger) return false;
  const bool is_long = kind == ShapeKind::kLong;
  if (value.type == Type::kInteger) {
    return is_long || (value.integer >= INT32_MIN && value.integer <= INT32_MAX);
  }
  // 2^31 and 2^63 are exact doubles, but 2^63 - 1 is no double: the upper bound is exclusive.
  const double limit = is_long ? 0x1p63 : 0x1p31;
  const double floored = std::floor(value.decimal);
  return floored >= -limit && floored < limit;
}

// Decodes the text piece by piece and drops the bytes. Returns the first error.
Base64Error CheckBase64(std::string_view text) {
  constexpr std::size_t kPiece = 1024;
  if (text.size() % 4 != 0) return Base64Error::kLength;
  char decoded[kPiece];
  std::size_t size_bytes = 0;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, kPiece);
    text.remove_prefix(piece.size());
    const Base64Error error = DecodeBase64(piece, decoded, &size_bytes);
    if (error != Base64Error::kNone) return error;
    if (!text.empty() && piece.back() == '=') return Base64Error::kCharacter;
  }
  return Base64Error::kNone;
}

// The first pass of the binder: every member has the JSON type its shape declares
// (docs/service/01-wire-protocol.md, section 6). The values are checked depth-first in the order of
// the request; the first error wins. JSON nulls count as absent, unknown members are ignored. The
// recursion is as deep as the nesting of the JSON (at most kMaxJsonDepth levels), with two small
// frames for each attribute value.
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

bool MemberTypes::Refuse(std::string message) {
  message_ = std::move(message);
  return false;
}

bool MemberTypes::RefuseScalar(const JsonValue& value, std::string_view java_class) {
  if (value.type == Type::kObject) return Refuse(std::string(kUnexpectedStart));
  if (value.type == Type::kArray) {
    return Refuse(std::string("Unrecognized collection type class ").append(java_class));
  }
  return Refuse(std::string(TokenName(value))
                    .append(" cannot be converted to ")
                    .append(SimpleName(java_class)));
}

bool MemberTypes::RefuseCollection(ShapeKind kind, Holder holder) {
  if (holder == Holder::kStructure) return Refuse("Unexpected field type");
  if (kind == ShapeKind::kStructure) return Refuse("Unexpected value type in payload");
  return Refuse(
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
      "java.lang.Class are in module java.base of loader 'bootstrap')");
}

bool MemberTypes::BindInput(const Shape& input, const JsonValue& body,
                            std::span<const JsonValue*> slots) {
  for (const JsonMember& given : body.members()) {
    for (std::size_t i = 0; i < input.members.size(); ++i) {
      const ShapeMember& member = input.members[i];
      if (!SameText(member.name, given.name)) continue;
      slots[i] = &given.value;
      if (!CheckValue(*member.shape, given.value, Holder::kStructure)) return false;
      break;
    }
  }
  return true;
}

bool MemberTypes::CheckValue(const Shape& shape, const JsonValue& value, Holder holder) {
  if (value.is_null()) return true;
  switch (shape.kind) {
    case ShapeKind::kString:
      return CheckString(value);
    case ShapeKind::kBoolean:
      return CheckBoolean(value);
    case ShapeKind::kInteger:
    case ShapeKind::kLong:
    case ShapeKind::kDouble:
    case ShapeKind::kTimestamp:
      return CheckNumber(shape, value);
    case ShapeKind::kBlob:
      return CheckBlob(value);
    case ShapeKind::kList:
      return CheckList(shape, value, holder);
    case ShapeKind::kMap:
      return CheckMap(shape, value, holder);
    case ShapeKind::kStructure:
      return CheckStructure(shape, value, holder);
    case ShapeKind::kAttributeValue:
      return CheckAttributeValue(value, holder, 1);
  }
  return true;
}

bool MemberTypes::CheckString(const JsonValue& value) {
  return value.type == Type::kString || RefuseScalar(value, "java.lang.String");
}

bool MemberTypes::CheckBoolean(const JsonValue& value) {
  if (BooleanOf(value)) return true;
  if (value.type == Type::kString) return Refuse("Unexpected token received from parser");
  return RefuseScalar(value, "java.lang.Boolean");
}

bool MemberTypes::CheckNumber(const Shape& shape, const JsonValue& value) {
  const bool is_number = value.type == Type::kInteger || value.type == Type::kHugeInteger ||
                         value.type == Type::kDecimal;
  if (!is_number) return RefuseScalar(value, JavaClassOf(shape.kind));
  if (FitsNumberType(shape.kind, value)) return true;
  // A decimal has this message, too, since it is floored to an integer that is outside the type
  // (docs/service/01-wire-protocol.md, section 2).
  return Refuse(std::string("NUMBER_VALUE cannot be converted to ")
                    .append(SimpleName(JavaClassOf(shape.kind))));
}

bool MemberTypes::CheckBlob(const JsonValue& value) {
  if (IsCollection(value)) return RefuseScalar(value, "java.nio.ByteBuffer");
  if (value.type != Type::kString) {
    return Refuse("only base-64-encoded strings are convertible to bytes");
  }
  switch (CheckBase64(value.string())) {
    case Base64Error::kNone:
      return true;
    case Base64Error::kLength:
      return Refuse("Base64 encoded length is expected a multiple of 4 bytes but found: " +
                    std::to_string(value.size));
    default:
      return Refuse("Invalid last non-pad Base64 character dectected");
  }
}

bool MemberTypes::CheckStructure(const Shape& shape, const JsonValue& value, Holder holder) {
  if (value.type == Type::kArray) {
    return Refuse("Unrecognized collection type class " + JavaTypeOf(&shape));
  }
  if (value.type != Type::kObject) return RefuseCollection(shape.kind, holder);
  for (const JsonMember& given : value.members()) {
    const auto member = std::ranges::find(shape.members, given.name, &ShapeMember::name);
    if (member == shape.members.end()) continue;
    if (!CheckValue(*member->shape, given.value, Holder::kStructure)) return false;
  }
  return true;
}

bool MemberTypes::CheckList(const Shape& shape, const JsonValue& value, Holder holder) {
  if (value.type == Type::kObject) return Refuse(std::string(kUnexpectedStart));
  if (value.type != Type::kArray) return RefuseCollection(shape.kind, holder);
  return std::ranges::all_of(value.elements(), [&](const JsonValue& element) {
    return CheckValue(*shape.element, element, Holder::kCollection);
  });
}

bool MemberTypes::CheckMap(const Shape& shape, const JsonValue& value, Holder holder) {
  if (value.type == Type::kArray) return Refuse(UnrecognizedMap(shape.element));
  if (value.type != Type::kObject) return RefuseCollection(shape.kind, holder);
  return std::ranges::all_of(value.members(), [&](const JsonMember& entry) {
    return CheckValue(*shape.element, entry.value, Holder::kCollection);
  });
}

bool MemberTypes::CheckAttributeValue(const JsonValue& value, Holder holder, int level) {
  if (value.is_null()) return true;
  if (value.type == Type::kArray) {
    return Refuse("Unrecognized collection type class " + JavaTypeOf(nullptr));
  }
  if (value.type != Type::kObject) return RefuseCollection(ShapeKind::kStructure, holder);
  value_levels_ = std::max(value_levels_, level);
  for (const JsonMember& given : value.members()) {
    const auto type = TypeOfTag(given.name);
    if (type && !CheckTagged(*type, given.value, level)) return false;
  }
  return true;
}

bool MemberTypes::CheckTagged(AttributeType type, const JsonValue& value, int level) {
  switch (type) {
    case AttributeType::kS:
    case AttributeType::kN:
      return CheckString(value);
    case AttributeType::kB:
      return CheckBlob(value);
    case AttributeType::kBool:
    case AttributeType::kNull:
      return CheckBoolean(value);
    case AttributeType::kSS:
    case AttributeType::kNS:
    case AttributeType::kBS:
      return CheckSet(type, value);
    case AttributeType::kL:
      return CheckValueList(value, level);
    case AttributeType::kM:
      return CheckValueMap(value, level);
  }
  return true;
}

bool MemberTypes::CheckSet(AttributeType type, const JsonValue& value) {
  if (value.type == Type::kObject) return Refuse(std::string(kUnexpectedStart));
  if (value.type != Type::kArray) return RefuseCollection(ShapeKind::kList, Holder::kStructure);
  return std::ranges::all_of(value.elements(), [&](const JsonValue& member) {
    if (member.is_null()) return true;
    return type == AttributeType::kBS ? CheckBlob(member) : CheckString(member);
  });
}

bool MemberTypes::CheckValueList(const JsonValue& value, int level) {
  if (value.type == Type::kObject) return Refuse(std::string(kUnexpectedStart));
  if (value.type != Type::kArray) return RefuseCollection(ShapeKind::kList, Holder::kStructure);
  for (const JsonValue& element : value.elements()) {
    if (!CheckAttributeValue(element, Holder::kCollection, level + 1)) return false;
  }
  return true;
}

bool MemberTypes::CheckValueMap(const JsonValue& value, int level) {
  if (value.type == Type::kArray) return Refuse(UnrecognizedMap(nullptr));
  if (value.type != Type::kObject) return RefuseCollection(ShapeKind::kMap, Holder::kStructure);
  for (const JsonMember& entry : value.members()) {
    longest_name_bytes_ = std::max(longest_name_bytes_, entry.name.size());
    if (!CheckAttributeValue(entry.value, Holder::kCollection, level + 1)) return false;
  }
  return true;
}

using Slots = std::span<const JsonValue* const>;

const JsonValue* MemberValue(const Shape& input, Slots slots, std::string_view name) {
  const auto member = std::ranges::find(input.members, name, &ShapeMember::name);
  return member == input.members.end()
             ? nullptr
             : slots[static_cast<std::size_t>(member - input.members.begin())];
}

// Whether the older layer handles the request instead of the operation's own layer
// (docs/service/01-wire-protocol.md, sections 8 and 10).
bool FallsToOlderLayer(const OperationShape& operation, Slots slots, int value_levels) {
  if (operation.layer == ValidationLayer::kOlder) return false;
  if (!operation.older_without.empty() &&
      !MemberValue(*operation.input, slots, operation.older_without)) {
    return true;
  }
  return operation.layer == ValidationLayer::kEnveloped && value_levels > kMaxCurrentLayerLevels;
}

const AloneRule* FindAloneRule(const OperationShape& operation, Slots slots) {
  const Shape& input = *operation.input;
  for (const AloneRule& rule : operation.alone) {
    const auto member = std::ranges::find(input.members, rule.member, &ShapeMember::name);
    const JsonValue* value = slots[static_cast<std::size_t>(member - input.members.begin())];
    if (ProblemOf(*member->shape, value) == rule.problem) return &rule;
  }
  return nullptr;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, [](char c) { return LowerCase(c); });
}

}  // namespace

Status BindRequest(const OperationShape& operation, const JsonValue& body, ValidationLayer* layer) {
  if (body.type != JsonValue::Type::kObject) {
    return Error{ErrorCode::kSerializationException, {}, nullptr};
  }
  const JsonValue* slots[kMaxInputMembers] = {};
  MemberTypes types;
  if (!types.BindInput(*operation.input, body, slots)) {
    return Error{ErrorCode::kSerializationException, types.message(), nullptr};
  }
  const bool is_older = FallsToOlderLayer(operation, slots, types.value_levels());
  if (layer) *layer = is_older ? ValidationLayer::kOlder : operation.layer;
  if (!is_older) {
    if (const AloneRule* rule = FindAloneRule(operation, slots)) {
      return ValidationError(std::string(rule->message));
    }
  }
  auto broken = BrokenConstraints(*operation.input, slots, is_older, types.longest_name_bytes());
  return broken ? Status(ValidationError(*std::move(broken))) : Status();
}

std::optional<bool> BooleanOf(const JsonValue& value) {
  if (value.type == Type::kTrue) return true;
  if (value.type == Type::kFalse) return false;
  if (value.type != Type::kString) return std::nullopt;
  for (std::string_view text : {"true", "1", "yes"}) {
    if (EqualsIgnoringCase(value.string(), text)) return true;
  }
  for (std::string_view text : {"false", "0", "no"}) {
    if (EqualsIgnoringCase(value.string(), text)) return false;
  }
  return std::nullopt;
}

std::optional<std::string_view> RequestObject::String(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  return value->string();
}

std::optional<std::int64_t> RequestObject::Integer(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  if (value->type == JsonValue::Type::kInteger) return value->integer;
  return static_cast<std::int64_t>(std::floor(value->decimal));
}

std::optional<double> RequestObject::Double(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  if (value->type == JsonValue::Type::kInteger) return static_cast<double>(value->integer);
  return value->decimal;
}

std::optional<bool> RequestObject::Boolean(std::string_view name) const {
  const JsonValue* value = Find(name);
  return value ? BooleanOf(*value) : std::nullopt;
}

std::optional<RequestObject> RequestObject::Object(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return std::nullopt;
  return RequestObject(*value);
}

std::span<const JsonValue> RequestObject::List(std::string_view name) const {
  const JsonValue* value = Find(name);
  if (!value) return {};
  return value->elements();
}

}  // namespace hashrange
