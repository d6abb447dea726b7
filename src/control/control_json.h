// The JSON objects of control calls. An array of Member lists the members that an object may have.
// All members are checked before one is read, so that a misspelt member is not ignored.
//
//   constexpr Member kMembers[] = {{"name", MemberType::kText, true},
//                                  {"advance", MemberType::kDuration}};
//   HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
//   const std::string_view name = *body.Text("name");
//
// Pure functions; any thread. The texts are views of the request's body.
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
  kAny,  // the caller checks it
};

struct Member {
  std::string_view name;
  MemberType type;
  bool is_required = false;
};

// An object whose members have passed the check. A function for one type is called only for a
// member of this type. For a missing member, the function returns nullopt, and List an empty list.
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

// Checks and returns the object. `place` names the object in error sentences, such as `"match"`.
// Errors: ValidationException  `json` is no object; a member is not in `members`, or has another
//                              type; a required member is missing
Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                 std::string_view place = "the body");

// These return the value of `json`, which ReadObject need not have checked; nullopt when `json` has
// another type.
std::optional<std::int64_t> DurationMsOf(const JsonValue& json);
std::optional<std::int64_t> InstantMsOf(const JsonValue& json);
std::optional<double> NumberOf(const JsonValue& json);
// A decimal without a fraction is whole: some clients write every number as a decimal.
std::optional<std::int64_t> WholeNumberOf(const JsonValue& json);

// Returns the text in quotes for a sentence, without control characters, and shortened when it is
// long.
std::string Quoted(std::string_view text);
// Returns `"a"`, `"a" and "b"` or `"a", "b" and "c"`. `joint` is the word before the last name.
std::string QuotedList(std::span<const std::string_view> names, std::string_view joint = "and");

}  // namespace hashrange
