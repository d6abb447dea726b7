// The second pass of the binder: bounds, patterns, enums and required members. All errors are
// reported in one message (docs/service/01-wire-protocol.md, sections 7 to 10). Used by binder.cc
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

// Returns the problem of the value itself, its parts not considered. A null pointer and JSON null
// are kAbsent.
Problem ProblemOf(const Shape& shape, const JsonValue* value);

// Checks one request and keeps its errors: CheckInput is called once, then ok and Message.
class MemberConstraints {
 public:
  // `is_older`: the texts are the ones of the older layer, whatever the operation's layer is.
  // `longest_name_bytes`: of the names in maps of attribute values. Only when it is greater than
  // the limit, the inside of attribute values is checked.
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

    // Each returns the place as messages print it. Path: "requestItems.a.member". ShortPath, for
    // length errors without the value: "RequestItems.a.member", with the names of the API model.
    std::string Path() const;
    std::string ShortPath() const;
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

}  // namespace hashrange
