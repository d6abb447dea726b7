// The functions of expressions. Each has one row, which says where the function is allowed,
// which operands it takes, and what it does. To add a function, write it and its row in
// functions.cc. The rows are constant data, which any thread may read.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "value/attribute_value.h"
#include "value/number.h"

namespace hashrange {

struct UpdateOperand;  // expression/update.h
struct UpdateSource;
struct UpdateValue;

// A set of attribute types, one bit for each.
using TypeMask = std::uint16_t;
constexpr TypeMask MaskOf(AttributeType type) {
  return static_cast<TypeMask>(1 << static_cast<int>(type));
}
inline constexpr TypeMask kAnyType = (1 << kAttributeTypes) - 1;
// The types that have an order: S, N, B.
inline constexpr TypeMask kOrderedTypes =
    MaskOf(AttributeType::kS) | MaskOf(AttributeType::kN) | MaskOf(AttributeType::kB);
// The types that are a text or bytes: S, B.
inline constexpr TypeMask kTextOrBytes = MaskOf(AttributeType::kS) | MaskOf(AttributeType::kB);
constexpr bool Allows(TypeMask mask, AttributeType type) { return (mask & MaskOf(type)) != 0; }

enum class FunctionPlace : std::uint8_t {
  kCondition,         // the call is a condition: contains(a, :v)
  kConditionOperand,  // the call is an operand of a condition: size(a) > :n
  kUpdateOperand,     // the call is an operand of SET
};

enum class ArgumentForm : std::uint8_t {
  kAny,       // any operand; the type of a value (and in a condition, of a call) is in `types`
  kPath,      // a document path
  kTypeName,  // a value of type S that names a type
};

struct ArgumentRule {
  ArgumentForm form = ArgumentForm::kAny;
  TypeMask types = kAnyType;
};

// An argument's value on an item; none when the item has no value at the argument's path.
using Argument = std::optional<ValueView>;

struct FunctionRow {
  std::string_view name;
  FunctionPlace place;
  int arity;
  ArgumentRule arguments[2];
  // What a call in an update adds to the statement charge, its operands not counted
  // (docs/service/02-types-and-sizes.md, section 8).
  std::size_t charge_bytes;
  // The function itself: one of the three, in the order of FunctionPlace; the others are null.
  // `second` is empty when the arity is 1.
  bool (*holds)(const Argument& first, const Argument& second);
  std::optional<Number> (*measure)(const Argument& argument);
  Result<UpdateValue> (*compute)(const UpdateOperand& first, const UpdateOperand& second,
                                 const UpdateSource& source);
  // The type of the result of an update's function, where it is always the same.
  std::optional<AttributeType> result_type = std::nullopt;
  // Whether the call has to be the whole value of a SET: it may not be an argument of another
  // function or a side of + or -.
  bool is_whole_value = false;
};

// Returns the row of the function, or null. The name is case-sensitive.
const FunctionRow* FindFunction(std::string_view name);

}  // namespace hashrange
