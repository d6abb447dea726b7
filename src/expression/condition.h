// A bound condition: its tests in the order of the text. Each test has two links: to the test
// that follows when it holds, and to the one that follows when it does not. AND, OR and NOT
// exist only as these links, so evaluating is a walk without recursion that stops as soon as
// the result is known. Immutable once bound.
//
//   a = :x AND (b < :y OR c = :z)
//
//   [a = :x] ─true→ [b < :y] ─true→ holds
//      │               └─false→ [c = :z] ─true→ holds
//      └─false→ fails                └─false→ fails
//
// Legacy conditions (Expected, filters) are made of the same nodes. A PartiQL statement may
// compare the result of a condition, `attribute_exists(a) = true`: the operand of the test is
// then a walk of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "expression/functions.h"
#include "expression/parser.h"
#include "expression/path.h"
#include "value/attribute_value.h"

namespace hashrange {

struct AstBinding;  // expression/binding.h
struct ConditionNode;

struct ConditionOperand {
  // kKeyValue: a value, on both sides of a comparison that is true of every item that a statement
  // may find. It was compared with a key attribute, and the item was found by it.
  enum class Form : std::uint8_t { kValue, kPath, kCall, kCondition, kKeyValue };
  Form form = Form::kValue;
  const FunctionRow* function = nullptr;     // kCall: applied to the value at `path`
  Path path;                                 // kPath, kCall
  ValueView value;                           // kValue, kKeyValue
  const ConditionNode* condition = nullptr;  // kCondition: the first test of its walk

  // Returns the type that the operand has on every item; none for a path, whose value has any
  // type.
  std::optional<AttributeType> type() const {
    if (form == Form::kPath) return std::nullopt;
    if (form == Form::kCondition) return AttributeType::kBool;
    return form == Form::kCall ? AttributeType::kN : value.type;
  }
};

struct ConditionNode {
  // A comparator, kBetween or kIn; ignored when `function` is not null.
  Operator op = Operator::kEqual;
  const FunctionRow* function = nullptr;
  std::span<const ConditionOperand> operands;
  // The values of a legacy IN, in place of all operands but the first. The values have one type
  // and ascend by bytes; their number is not limited.
  std::span<const ValueView> listed;
  const ConditionNode* if_true = nullptr;
  const ConditionNode* if_false = nullptr;
};

// The two ends of a walk: at the first the condition is true, at the second it is false. The ends
// are only compared by address: their members have no meaning.
extern const ConditionNode kConditionHolds;
extern const ConditionNode kConditionFails;

// Returns the bound operand of each node of the Ast; the operands of AND, OR, NOT and tests have
// only a form. Applies every rule of docs/service/04-expressions.md, section 6 that needs names and
// values.
// Errors: ValidationException "Invalid <Kind>: …"
Result<std::span<ConditionOperand>> BindOperands(const AstBinding& from);

// Returns the condition that walks the tests of `ast`. When `ast` has no nodes, the condition is
// always true.
Condition LinkCondition(const Ast& ast, std::span<const ConditionOperand> operands, Arena& arena);

}  // namespace hashrange
