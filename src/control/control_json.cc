#include "control/control_json.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/duration.h"
#include "base/time_text.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// The values that a type allows, for sentences; by MemberType.
constexpr std::string_view kForms[] = {
    "a text of at least one character",
    "true or false",
    "a whole number from 0",
    "a number",
    kDurationForms,
    kInstantForms,
    "an object",
    "a list",
    "a value",
};

}  // namespace

std::optional<std::int64_t> WholeNumberOf(const JsonValue& json) {
  constexpr double kLargestExact = 1LL << 53;
  if (json.type == Type::kInteger && json.integer >= 0) return json.integer;
  if (json.type != Type::kDecimal) return std::nullopt;
  const bool is_whole = json.decimal >= 0 && json.decimal <= kLargestExact &&
                        std::floor(json.decimal) == json.decimal;
  return is_whole ? std::optional(static_cast<std::int64_t>(json.decimal)) : std::nullopt;
}

namespace {

bool IsOfType(const JsonValue& json, MemberType type) {
  switch (type) {
    case MemberType::kText:
      return json.type == Type::kString && json.size > 0;
    case MemberType::kBoolean:
      return json.type == Type::kTrue || json.type == Type::kFalse;
    case MemberType::kWhole:
      return WholeNumberOf(json).has_value();
    case MemberType::kNumber:
      return NumberOf(json).has_value();
    case MemberType::kDuration:
      return DurationMsOf(json).has_value();
    case MemberType::kInstant:
      return InstantMsOf(json).has_value();
    case MemberType::kObject:
      return json.type == Type::kObject;
    case MemberType::kList:
      return json.type == Type::kArray;
    case MemberType::kAny:
      return true;
  }
  return false;
}

Error UnknownMember(std::string_view name, std::span<const Member> members,
                    std::string_view place) {
  std::vector<std::string_view> names;
  for (const Member& member : members) names.push_back(member.name);
  return ValidationError(
      Quoted(name) + " is no member of " + std::string(place) +
      (names.empty() ? ", which has no members." : ", which may have " + QuotedList(names) + "."));
}

Error WrongType(const Member& member, std::string_view place) {
  return ValidationError(Quoted(member.name) + " in " + std::string(place) + " is not " +
                         std::string(kForms[static_cast<int>(member.type)]) + ".");
}

}  // namespace

std::optional<double> NumberOf(const JsonValue& json) {
  if (json.type == Type::kInteger) return static_cast<double>(json.integer);
  if (json.type == Type::kDecimal || json.type == Type::kHugeInteger) return json.decimal;
  return std::nullopt;
}

std::optional<std::int64_t> DurationMsOf(const JsonValue& json) {
  if (json.type == Type::kString) return ParseDuration(json.string());
  return WholeNumberOf(json) == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::optional<std::int64_t> InstantMsOf(const JsonValue& json) {
  if (json.type == Type::kString) return ParseInstant(json.string());
  const auto seconds = NumberOf(json);
  if (!seconds || !(*seconds >= 0 && *seconds * 1000 < static_cast<double>(kLastEpochMs))) {
    return std::nullopt;
  }
  return std::llround(*seconds * 1000);
}

std::optional<std::string_view> ControlObject::Text(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? std::optional(json->string()) : std::nullopt;
}

std::optional<bool> ControlObject::Boolean(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? std::optional(json->type == Type::kTrue) : std::nullopt;
}

std::optional<std::int64_t> ControlObject::Whole(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? WholeNumberOf(*json) : std::nullopt;
}

std::optional<double> ControlObject::Number(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? NumberOf(*json) : std::nullopt;
}

std::optional<std::int64_t> ControlObject::DurationMs(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? DurationMsOf(*json) : std::nullopt;
}

std::optional<std::int64_t> ControlObject::InstantMs(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? InstantMsOf(*json) : std::nullopt;
}

std::span<const JsonValue> ControlObject::List(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? json->elements() : std::span<const JsonValue>();
}

Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                 std::string_view place) {
  if (json.type != Type::kObject) {
    std::string subject(place);
    if (subject.starts_with('t')) subject.front() = 'T';
    return ValidationError(subject + " is not a JSON object.");
  }
  for (const JsonMember& given : json.members()) {
    const auto row = std::ranges::find(members, given.name, &Member::name);
    if (row == members.end()) return UnknownMember(given.name, members, place);
    if (!IsOfType(given.value, row->type)) return WrongType(*row, place);
  }
  for (const Member& member : members) {
    if (member.is_required && !json.Find(member.name)) {
      return ValidationError(Quoted(member.name) + " is missing in " + std::string(place) + ".");
    }
  }
  return ControlObject(json);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMaxBytes = 100;
  std::string quoted = "\"";
  std::string_view shown = text.substr(0, kMaxBytes);
  // The text is not cut in the middle of a character.
  if (shown.size() < text.size()) {
    const auto continues = [text](std::size_t i) { return (text[i] & 0xC0) == 0x80; };
    while (!shown.empty() && continues(shown.size())) shown.remove_suffix(1);
  }
  for (const char c : shown) quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return quoted + (shown.size() < text.size() ? "…\"" : "\"");
}

std::string QuotedList(std::span<const std::string_view> names, std::string_view joint) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " " + std::string(joint) + " ";
    list += Quoted(names[i]);
  }
  return list;
}

}  // namespace hashrange
