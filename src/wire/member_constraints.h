// The second pass of the binder: bounds, patterns, enums and required members, all in one
// message (reference 01, sections 7 to 10). Used by binder.cc only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/json.h"
#include "wire/shape.h"

namespace hashrange {

// What is wrong with the value itself, not with what it holds; null is absent.
Problem ProblemOf(const Shape& shape, const JsonValue* value);

class MemberConstraints {
 public:
  // `older`: the older layer's texts, whatever the operation's own are.
  explicit MemberConstraints(bool is_older) : is_older_(is_older) {}

  // slots[i] is the value of input.members[i].
  void CheckInput(const Shape& input, std::span<const JsonValue* const> slots);

  bool ok() const { return errors_.empty(); }
  // "2 validation errors detected: …; …".
  std::string Message() const;

 private:
  // Where the walk is: a member of a structure, an element, an entry. On the stack of the
  // walk; rendered only for an error.
  struct Place {
    const Place* parent = nullptr;
    const ShapeMember* member = nullptr;
    std::string_view key = {};
    std::size_t number = 0;  // of an element, from 1

    std::string Path() const;
    std::string ShortPath() const;
  };

  void CheckMember(const ShapeMember& member, const JsonValue* value, const Place* parent,
                   std::uint8_t stage);
  // A problem of the member at `place`.
  void AddProblem(Problem problem, const JsonValue& value, const Place& place, std::uint8_t stage);
  void CheckInside(const Shape& shape, const JsonValue& value, const Place& place,
                   std::uint8_t stage);
  void CheckElements(const Shape& shape, const JsonValue& value, const Place& place,
                     std::uint8_t stage);
  void CheckEntries(const Shape& shape, const JsonValue& value, const Place& place,
                    std::uint8_t stage);
  // The member that holds the value at `place` says how it is printed.
  std::string FailedText(const Shape& shape, const JsonValue& value, const Place& place,
                         std::string_view constraint) const;
  void AddError(std::uint8_t stage, std::string error);
  bool IsFull(std::uint8_t stage) const;

  const bool is_older_;
  std::uint8_t stage_ = 0;  // of the errors
  std::vector<std::string> errors_;
};

}  // namespace hashrange
