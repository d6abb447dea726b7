// The functions of expressions: one row each, with where it is allowed, what its
// operands may be, and what it does. To add one: a row and a function in functions.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "value/number.h"

namespace hashrange {

struct UpdateOperand;  // expression/update.h
struct UpdateSource;
struct UpdateValue;

// A set of attribute types, a bit each.
using TypeMask = std::uint16_t;
constexpr TypeMask MaskOf(AttributeType type) {
  return static_cast<TypeMask>(1 << static_cast<int>(type));
}
inline constexpr TypeMask kAnyType = (1 << kAttributeTypes) - 1;
// What has an order: S, N, B.
inline constexpr TypeMask kOrderedTypes =
    MaskOf(AttributeType::kS) | MaskOf(AttributeType::kN) | MaskOf(AttributeType::kB);
constexpr bool Allows(TypeMask mask, AttributeType type) { return (mask & MaskOf(type)) != 0; }

enum class FunctionPlace : std::uint8_t {
  kCondition,         // is a condition: contains(a, :v)
  kConditionOperand,  // stands where a condition has an operand: size(a) > :n
  kUpdateOperand,     // stands where SET has an operand
};

enum class ArgumentForm : std::uint8_t {
  kAny,       // a path, or a value of `types`
  kPath,      // a document path
  kTypeName,  // a value of type S that names a type
};

struct ArgumentRule {
  ArgumentForm form = ArgumentForm::kAny;
  TypeMask types = kAnyType;
};

// An argument's value on an item; none when the item has none at its path.
using Argument = std::optional<ValueView>;

struct FunctionRow {
  std::string_view name;
  FunctionPlace place;
  int arity;
  ArgumentRule arguments[2];
  std::size_t charge_bytes;  // of an update's function (reference 02, section 8)
  // One of these, as `place` says. `second` is empty with an arity of 1.
  bool (*holds)(const Argument& first, const Argument& second);
  std::optional<Number> (*measure)(const Argument& argument);
  Result<UpdateValue> (*compute)(const UpdateOperand& first, const UpdateOperand& second,
                                 const UpdateSource& source);
  // The type that an update's function always gives.
  std::optional<AttributeType> result_type = std::nullopt;
  // Whether it is the whole value of a SET: no argument of a function, no side of + or -.
  bool is_whole_value = false;
};

// The row of that name (case counts), or null.
const FunctionRow* FindFunction(std::string_view name);

}  // namespace hashrange
