#include "wire/member_constraints.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text/short_text.h"
#include "base/text/text_encodings.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// The printing of values in messages (docs/service/01-wire-protocol.md, section 7).

using Type = JsonValue::Type;

std::string EchoOfNumber(const Shape& shape, const JsonValue& value) {
  if (value.type == Type::kInteger) return std::to_string(value.integer);
  if (shape.kind == ShapeKind::kInteger || shape.kind == ShapeKind::kLong) {
    return std::to_string(static_cast<std::int64_t>(std::floor(value.decimal)));
  }
  OutputBuffer text;
  JsonWriter(text).Double(value.decimal);
  return std::string(text.view());
}

std::string LowerFirst(std::string_view name) {
  std::string text(name);
  if (!text.empty()) text[0] = LowerCase(text[0]);
  return text;
}

// Prints values whose types were checked by the binder's first pass.
class JavaPrinter {
 public:
  explicit JavaPrinter(std::string& out) : out_(out) {}

  void Print(const Shape& shape, const JsonValue& value) {
    if (IsFull()) return;
    if (value.is_null()) {
      out_.append("null");
      return;
    }
    switch (shape.kind) {
      case ShapeKind::kList:
        PrintElements(value, [&](const JsonValue& element) { Print(*shape.element, element); });
        return;
      case ShapeKind::kMap:
        PrintEntries(value, [&](const JsonValue& entry) { Print(*shape.element, entry); });
        return;
      case ShapeKind::kStructure:
        PrintStructure(shape, value);
        return;
      case ShapeKind::kAttributeValue:
        PrintAttributeValue(value);
        return;
      default:
        PrintScalar(shape, value);
    }
  }

 private:
  bool IsFull() const { return out_.size() >= kMaxEchoBytes; }

  void PrintScalar(const Shape& shape, const JsonValue& value) {
    if (value.type == Type::kString) {
      out_.append(value.string());
    } else if (shape.kind == ShapeKind::kBoolean) {
      out_.append(BooleanOf(value).value_or(false) ? "true" : "false");
    } else {
      out_.append(EchoOfNumber(shape, value));
    }
  }

  template <typename PrintElement>
  void PrintElements(const JsonValue& list, PrintElement print) {
    out_.push_back('[');
    for (std::size_t i = 0; i < list.size && !IsFull(); ++i) {
      if (i > 0) out_.append(", ");
      print(list.elements()[i]);
    }
    out_.push_back(']');
  }

  template <typename PrintEntry>
  void PrintEntries(const JsonValue& map, PrintEntry print) {
    out_.push_back('{');
    for (std::size_t i = 0; i < map.size && !IsFull(); ++i) {
      if (i > 0) out_.append(", ");
      out_.append(map.members()[i].name).append("=");
      print(map.members()[i].value);
    }
    out_.push_back('}');
  }

  void PrintStructure(const Shape& shape, const JsonValue& value) {
    out_.append(shape.name).append("(");
    for (const ShapeMember& member : shape.members) {
      if (&member != shape.members.data()) out_.append(", ");
      out_.append(member.path).append("=");
      const JsonValue* given = value.Find(member.name);
      Print(*member.shape, given ? *given : JsonValue());
    }
    out_.append(")");
  }

  void PrintAttributeValue(const JsonValue& value) {
    if (IsFull()) return;
    if (value.type == Type::kString) {
      out_.append(value.string());
    } else if (value.type == Type::kArray) {
      PrintElements(value, [&](const JsonValue& element) { PrintAttributeValue(element); });
    } else if (value.type != Type::kObject) {
      out_.append(BooleanOf(value) ? (*BooleanOf(value) ? "true" : "false") : "null");
    } else {
      PrintTagged(value);
    }
  }

  void PrintTagged(const JsonValue& value) {
    out_.append("AttributeValue(");
    bool is_first = true;
    for (const JsonMember& tag : value.members()) {
      if (IsFull()) break;
      // A member of another name is no tag and was never checked: it may be anything.
      if (!TypeOfTag(tag.name)) continue;
      if (!is_first) out_.append(", ");
      is_first = false;
      out_.append(LowerFirst(tag.name)).append("=");
      if (tag.name == "M") {
        PrintEntries(tag.value, [&](const JsonValue& entry) { PrintAttributeValue(entry); });
      } else {
        PrintAttributeValue(tag.value);
      }
    }
    out_.append(")");
  }

  std::string& out_;
};

bool IsCollection(ShapeKind kind) {
  return kind == ShapeKind::kList || kind == ShapeKind::kMap || kind == ShapeKind::kStructure;
}

// Returns at most the first kMaxEchoBytes of the text. The cut is between two characters.
std::string CutEcho(std::string text) {
  if (text.size() <= kMaxEchoBytes) return text;
  std::size_t end = kMaxEchoBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

// Each returns the text of a value. EchoOf prints a scalar as sent and a collection as Java prints
// it, [KeySchemaElement(attributeName=pk, keyType=HASH)]; JsonEchoOf prints any value as compact
// JSON.
std::string EchoOf(const Shape& shape, const JsonValue& value) {
  std::string text;
  JavaPrinter(text).Print(shape, value);
  return IsCollection(shape.kind) ? CutEcho(std::move(text)) : text;
}

std::string JsonEchoOf(const JsonValue& value) {
  OutputBuffer text;
  JsonWriter writer(text);
  WriteJson(value, writer);
  return CutEcho(std::string(text.view()));
}

constexpr std::size_t kMaxErrors = 10;
constexpr std::size_t kMaxArnLength = 1024;
constexpr std::string_view kNotNull = "Member must not be null";

// Whether the text matches [a-zA-Z0-9_.-]+, the only pattern that the generator puts into the
// table.
bool MatchesPattern(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

Problem ProblemOfLength(const Shape& shape, std::int64_t length) {
  if (length < shape.min) return Problem::kTooShort;
  if (length > shape.max) return Problem::kTooLong;
  return Problem::kNone;
}

Problem ProblemOfString(const Shape& shape, std::string_view text) {
  if (!shape.enum_values.empty()) {
    const bool is_known = std::ranges::find(shape.enum_values, text) != shape.enum_values.end();
    return is_known ? Problem::kNone : Problem::kNotInEnum;
  }
  if (shape.accepts_arn && text.starts_with("arn:") && text.size() <= kMaxArnLength) {
    return Problem::kNone;
  }
  // A text has at most as many characters as bytes, so that most texts need no counting.
  const bool is_short = static_cast<std::int64_t>(text.size()) <= shape.max;
  if (shape.min != INT64_MIN || !is_short) {
    const auto length = static_cast<std::int64_t>(Utf16Length(text));
    if (const Problem problem = ProblemOfLength(shape, length); problem != Problem::kNone) {
      return problem;
    }
  }
  return shape.pattern.empty() || MatchesPattern(text) ? Problem::kNone : Problem::kBadPattern;
}

Problem ProblemOfNumber(const Shape& shape, const JsonValue& value) {
  if (value.type == JsonValue::Type::kInteger) {
    if (value.integer < shape.min) return Problem::kBelowMin;
    return value.integer > shape.max ? Problem::kAboveMax : Problem::kNone;
  }
  const double floored = std::floor(value.decimal);
  if (shape.min != INT64_MIN && floored < static_cast<double>(shape.min)) return Problem::kBelowMin;
  if (shape.max != INT64_MAX && floored > static_cast<double>(shape.max)) return Problem::kAboveMax;
  return Problem::kNone;
}

std::string EnumText(const Shape& shape) {
  std::string text = "Member must satisfy enum value set: [";
  for (std::string_view value : shape.enum_values) {
    text.append(text.back() == '[' ? "" : ", ").append(value);
  }
  return text.append("]");
}

std::string ConstraintText(const Shape& shape, Problem problem) {
  switch (problem) {
    case Problem::kTooShort:
      return "Member must have length greater than or equal to " + std::to_string(shape.min);
    case Problem::kTooLong:
      return "Member must have length less than or equal to " + std::to_string(shape.max);
    case Problem::kBelowMin:
      return "Member must have value greater than or equal to " + std::to_string(shape.min);
    case Problem::kAboveMax:
      return "Member must have value less than or equal to " + std::to_string(shape.max);
    case Problem::kBadPattern:
      return std::string("Member must satisfy regular expression pattern: ").append(shape.pattern);
    case Problem::kNotInEnum:
      return EnumText(shape);
    default:
      return std::string(kNotNull);
  }
}

// Returns the list of all constraints of a shape. A message has this list when a key, an entry or
// an element fails any constraint of the shape.
std::string AllConstraints(const Shape& shape) {
  const bool is_number = shape.kind == ShapeKind::kInteger || shape.kind == ShapeKind::kLong ||
                         shape.kind == ShapeKind::kDouble;
  std::string text = "[";
  const auto add = [&](Problem problem) {
    text.append(text.size() > 1 ? ", " : "").append(ConstraintText(shape, problem));
  };
  if (shape.max != INT64_MAX) add(is_number ? Problem::kAboveMax : Problem::kTooLong);
  if (shape.min != INT64_MIN) add(is_number ? Problem::kBelowMin : Problem::kTooShort);
  if (!shape.pattern.empty()) add(Problem::kBadPattern);
  if (!shape.enum_values.empty()) add(Problem::kNotInEnum);
  return text.append("]");
}

bool IsLength(Problem problem) {
  return problem == Problem::kTooShort || problem == Problem::kTooLong;
}

// Whether a text of a wrong length has a second error: it does not match the pattern either.
bool FailsPatternToo(const Shape& shape, Problem problem, const JsonValue& value) {
  return IsLength(problem) && !shape.pattern.empty() && !shape.reports_length_alone &&
         !MatchesPattern(value.string());
}

// Whether a part of a collection is a structure, whose members have errors of their own. Any other
// part makes the whole collection fail.
bool IsStructure(const Shape& shape) {
  return shape.kind == ShapeKind::kStructure || shape.kind == ShapeKind::kAttributeValue;
}

}  // namespace

Problem ProblemOf(const Shape& shape, const JsonValue* value) {
  if (!value || value->is_null()) return Problem::kAbsent;
  switch (shape.kind) {
    case ShapeKind::kString:
      return ProblemOfString(shape, value->string());
    case ShapeKind::kInteger:
    case ShapeKind::kLong:
    case ShapeKind::kDouble:
      return ProblemOfNumber(shape, *value);
    case ShapeKind::kList:
    case ShapeKind::kMap:
      return ProblemOfLength(shape, value->size);
    default:
      return Problem::kNone;
  }
}

namespace {

// Checks one request and keeps its errors: CheckInput is called once, then ok and Message.
class MemberConstraints {
 public:
  MemberConstraints(bool is_older, std::size_t longest_name_bytes)
      : is_older_(is_older), longest_name_bytes_(longest_name_bytes) {}

  // Checks the request. slots[i] is the value of input.members[i], null when it is absent.
  void CheckInput(const Shape& input, std::span<const JsonValue* const> slots);

  bool ok() const { return errors_.empty(); }
  // Returns "2 validation errors detected: …; …".
  std::string Message() const;

 private:
  // The place that is checked: a member of a structure, an element of a list, or an entry of a map.
  // Places are linked local variables of the functions below; they become text only for an error.
  struct Place {
    const Place* parent = nullptr;
    const ShapeMember* member = nullptr;  // null: the place is an element or an entry
    std::string_view key = {};            // the key of an entry
    std::size_t number = 0;               // the number of an element, from 1; 0: no element

    // Returns the place as messages print it: "requestItems.a.member". Length errors without the
    // value spell the members as the API model does, ShapeMember::name: "RequestItems.a.member".
    std::string Path(std::string_view ShapeMember::*spelling = &ShapeMember::path) const;
  };

  // Whether a value of the shape, or a part of it, may fail a constraint.
  bool MayFail(const Shape& shape) const;
  void CheckMember(const ShapeMember& member, const JsonValue* value, const Place* parent,
                   std::uint8_t stage);
  // Adds the error for a problem of the member at `place`.
  void AddProblem(Problem problem, const JsonValue& value, const Place& place, std::uint8_t stage);
  void CheckInside(const Shape& shape, const JsonValue& value, const Place& place,
                   std::uint8_t stage);
  void CheckElements(const Shape& shape, const JsonValue& value, const Place& place,
                     std::uint8_t stage);
  void CheckEntries(const Shape& shape, const JsonValue& value, const Place& place,
                    std::uint8_t stage);
  // Returns "Value '…' at '…' failed to satisfy constraint: …". The member that holds the value at
  // `place` determines how the value is printed.
  std::string FailedText(const Shape& shape, const JsonValue& value, const Place& place,
                         std::string_view constraint) const;
  void AddError(std::uint8_t stage, std::string error);
  // Whether no error of that stage can be reported any more.
  bool IsFull(std::uint8_t stage) const;

  const bool is_older_;
  const std::size_t longest_name_bytes_;
  std::uint8_t stage_ = 0;  // the stage of all `errors_`
  std::vector<std::string> errors_;
};

std::string MemberConstraints::Place::Path(std::string_view ShapeMember::*spelling) const {
  std::string path = parent ? parent->Path(spelling) + "." : "";
  if (member) return path.append(member->*spelling);
  if (number > 0) return path + std::to_string(number) + ".member";
  return path.append(key).append(".member");
}

bool MemberConstraints::IsFull(std::uint8_t stage) const {
  return !errors_.empty() && (stage > stage_ || (stage == stage_ && errors_.size() == kMaxErrors));
}

void MemberConstraints::AddError(std::uint8_t stage, std::string error) {
  if (IsFull(stage)) return;
  if (stage < stage_) errors_.clear();
  stage_ = stage;
  errors_.push_back(std::move(error));
}

std::string MemberConstraints::Message() const {
  std::string text = std::to_string(errors_.size());
  text.append(errors_.size() == 1 ? " validation error detected: "
                                  : " validation errors detected: ");
  for (const std::string& error : errors_) {
    text.append(&error == errors_.data() ? "" : "; ").append(error);
  }
  return text;
}

std::string MemberConstraints::FailedText(const Shape& shape, const JsonValue& value,
                                          const Place& place, std::string_view constraint) const {
  const bool is_json = place.member && place.member->is_echoed_as_json;
  return std::string("Value '")
      .append(is_json ? JsonEchoOf(value) : EchoOf(shape, value))
      .append("' at '")
      .append(place.Path())
      .append("' failed to satisfy constraint: ")
      .append(constraint);
}

void MemberConstraints::CheckInput(const Shape& input, std::span<const JsonValue* const> slots) {
  for (std::size_t i = 0; i < input.members.size(); ++i) {
    CheckMember(input.members[i], slots[i], nullptr, 0);
  }
}

bool MemberConstraints::MayFail(const Shape& shape) const {
  if (shape.kind != ShapeKind::kAttributeValue) return shape.is_constrained;
  return longest_name_bytes_ > static_cast<std::size_t>(shape.key->max);
}

void MemberConstraints::CheckMember(const ShapeMember& member, const JsonValue* value,
                                    const Place* parent, std::uint8_t stage) {
  const Shape& shape = *member.shape;
  if (value ? !MayFail(shape) : !member.is_required) return;
  stage = std::max(stage, member.stage);
  if (IsFull(stage)) return;
  const Place place{.parent = parent, .member = &member};
  const Problem problem = ProblemOf(shape, value);
  if (problem == Problem::kAbsent) {
    AddError(stage, "Value null at '" + place.Path() +
                        "' failed to satisfy constraint: " + std::string(kNotNull));
    return;
  }
  const bool has_two_errors = FailsPatternToo(shape, problem, *value);
  if (has_two_errors && shape.reports_pattern_first)
    AddProblem(Problem::kBadPattern, *value, place, stage);
  AddProblem(problem, *value, place, stage);
  if (has_two_errors && !shape.reports_pattern_first)
    AddProblem(Problem::kBadPattern, *value, place, stage);
  CheckInside(shape, *value, place, stage);
}

void MemberConstraints::AddProblem(Problem problem, const JsonValue& value, const Place& place,
                                   std::uint8_t stage) {
  const ShapeMember& member = *place.member;
  const Shape& shape = *member.shape;
  if (problem == Problem::kNotInEnum && !is_older_ && !member.enum_error.empty()) {
    AddError(stage, std::string(member.enum_error));
  } else if (IsLength(problem) && member.has_short_length_error) {
    AddError(stage, "Value at '" + place.Path(&ShapeMember::name) +
                        "' failed to satisfy constraint: " + ConstraintText(shape, problem));
  } else if (problem != Problem::kNone) {
    AddError(stage, FailedText(shape, value, place, ConstraintText(shape, problem)));
  }
}

void MemberConstraints::CheckInside(const Shape& shape, const JsonValue& value, const Place& place,
                                    std::uint8_t stage) {
  switch (shape.kind) {
    case ShapeKind::kStructure:
    case ShapeKind::kAttributeValue:
      for (const ShapeMember& member : shape.members) {
        CheckMember(member, value.Find(member.name), &place, stage);
      }
      return;
    case ShapeKind::kList:
      return CheckElements(shape, value, place, stage);
    case ShapeKind::kMap:
      return CheckEntries(shape, value, place, stage);
    default:
      return;
  }
}

void MemberConstraints::CheckElements(const Shape& shape, const JsonValue& value,
                                      const Place& place, std::uint8_t stage) {
  const Shape& element_shape = *shape.element;
  // A list of attribute values may have a null element.
  const bool is_of_values = element_shape.kind == ShapeKind::kAttributeValue;
  if (is_of_values && !MayFail(element_shape)) return;
  std::size_t number = 0;
  for (const JsonValue& element : value.elements()) {
    if (IsFull(stage)) return;
    const Place at{.parent = &place, .number = ++number};
    if (element.is_null() && is_of_values) continue;
    if (element.is_null()) {
      AddError(stage, "Value null at '" + at.Path() +
                          "' failed to satisfy constraint: " + std::string(kNotNull));
    } else if (!IsStructure(element_shape) &&
               ProblemOf(element_shape, &element) != Problem::kNone) {
      AddError(stage,
               FailedText(shape, value, place,
                          "Member must satisfy constraint: " + AllConstraints(element_shape)));
      return;
    } else if (MayFail(element_shape)) {
      CheckInside(element_shape, element, at, stage);
    }
  }
}

void MemberConstraints::CheckEntries(const Shape& shape, const JsonValue& value, const Place& place,
                                     std::uint8_t stage) {
  const auto has_bad_key = [&](const JsonMember& entry) {
    const JsonValue key = JsonValue::String(entry.name);
    return ProblemOf(*shape.key, &key) != Problem::kNone;
  };
  if (shape.key->is_constrained && std::ranges::any_of(value.members(), has_bad_key)) {
    AddError(stage, FailedText(shape, value, place,
                               "Map keys must satisfy constraint: " + AllConstraints(*shape.key)));
  }
  if (!MayFail(*shape.element)) return;
  const auto has_bad_value = [&](const JsonMember& entry) {
    return ProblemOf(*shape.element, &entry.value) != Problem::kNone;
  };
  if (!IsStructure(*shape.element) && std::ranges::any_of(value.members(), has_bad_value)) {
    AddError(stage,
             FailedText(shape, value, place,
                        "Map value must satisfy constraint: " + AllConstraints(*shape.element)));
  }
  for (const JsonMember& entry : value.members()) {
    if (IsFull(stage)) return;
    const Place at{.parent = &place, .key = entry.name};
    CheckInside(*shape.element, entry.value, at, stage);
  }
}

}  // namespace

std::optional<std::string> BrokenConstraints(const Shape& input,
                                             std::span<const JsonValue* const> slots, bool is_older,
                                             std::size_t longest_name_bytes) {
  MemberConstraints constraints(is_older, longest_name_bytes);
  constraints.CheckInput(input, slots);
  return constraints.ok() ? std::nullopt : std::optional(constraints.Message());
}

}  // namespace hashrange
