// The JSON objects of control calls: a table of the members that an object may have, checked
// before any of them is read, so that a misspelt one does not pass silently.
//
//   constexpr Member kMembers[] = {{"name", MemberType::kText, true}, {"advance", kDuration}};
//   HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
//   const std::string_view name = *body.Text("name");
//
// Pure functions; any thread. What is read are views of the request's body.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/json.h"

namespace hashrange {

enum class MemberType : std::uint8_t {
  kText,      // a string, not empty
  kBoolean,   // true or false
  kWhole,     // a whole number from 0
  kNumber,    // any number
  kDuration,  // base/duration.h: a text, or the number 0
  kInstant,   // time_text.h: a text, or a number of seconds since 1970
  kObject,
  kList,
  kAny,  // whoever reads it checks it
};

struct Member {
  std::string_view name;
  MemberType type;
  bool is_required = false;
};

// An object that has passed the check of its members. Reading one gives none where it is absent;
// its type is that of its row.
class ControlObject {
 public:
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const JsonValue* Find(std::string_view name) const { return json_->Find(name); }
  std::optional<std::string_view> Text(std::string_view name) const;
  std::optional<bool> Boolean(std::string_view name) const;
  std::optional<std::int64_t> Whole(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::optional<std::int64_t> DurationMs(std::string_view name) const;
  std::optional<std::int64_t> InstantMs(std::string_view name) const;
  std::span<const JsonValue> List(std::string_view name) const;

 private:
  friend Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                          std::string_view place);
  explicit ControlObject(const JsonValue& json) : json_(&json) {}

  const JsonValue* json_;
};

// `place` names the object in sentences: `"match"`, `"rules"[0]`.
// Errors: ValidationException  no object, a member that has no row, one of another type, a
//         required one that is absent
Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                 std::string_view place = "the body");

// The same of one value that stands in no object of its own, by its JSON; none when it is of
// another type.
std::optional<std::int64_t> DurationMsOf(const JsonValue& json);
std::optional<std::int64_t> InstantMsOf(const JsonValue& json);
std::optional<double> NumberOf(const JsonValue& json);
// A decimal without a fraction, as some clients write every number, is whole.
std::optional<std::int64_t> WholeNumberOf(const JsonValue& json);

// The text in quotes, for sentences; of a long one the beginning, without control characters.
std::string Quoted(std::string_view text);
// `"a"`, `"a" and "b"`, `"a", "b" and "c"`; the last joint is `joint`.
std::string QuotedList(std::span<const std::string_view> names, std::string_view joint = "and");

}  // namespace hashrange
