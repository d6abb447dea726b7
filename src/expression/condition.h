// A bound condition: its tests in the order of the text, each knowing which test to go
// to when it holds and when it does not. AND, OR and NOT are only in these links, so
// evaluating is a walk without recursion, and short-circuits by itself.
//
//   a = :x AND (b < :y OR c = :z)
//
//   [a = :x] ─true→ [b < :y] ─true→ holds
//      │               └─false→ [c = :z] ─true→ holds
//      └─false→ fails                └─false→ fails
//
// Legacy conditions (Expected, filters) are made of the same nodes. A PartiQL statement may
// compare what a condition gives, `attribute_exists(a) = true`: then a test has such a walk of
// its own as operand.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "expression/ast.h"
#include "expression/functions.h"
#include "expression/path.h"
#include "value/attribute_value.h"

namespace hashrange {

struct ConditionNode;

struct ConditionOperand {
  enum class Form : std::uint8_t { kValue, kPath, kCall, kCondition };
  Form form = Form::kValue;
  const FunctionRow* function = nullptr;     // kCall: applied to the value at `path`
  Path path;                                 // kPath, kCall
  ValueView value;                           // kValue
  const ConditionNode* condition = nullptr;  // kCondition: where its walk begins

  // The type it has on every item; none for a path.
  std::optional<AttributeType> type() const {
    if (form == Form::kPath) return std::nullopt;
    if (form == Form::kCondition) return AttributeType::kBool;
    return form == Form::kCall ? AttributeType::kN : value.type;
  }
};

struct ConditionNode {
  // A comparator, kBetween or kIn; not looked at when there is a function.
  Operator op = Operator::kEqual;
  const FunctionRow* function = nullptr;
  std::span<const ConditionOperand> operands;
  // Of a legacy IN, in place of operands behind the first: values of one type, ascending by
  // bytes. There is no limit to their number.
  std::span<const ValueView> listed;
  const ConditionNode* if_true = nullptr;
  const ConditionNode* if_false = nullptr;
};

// Where a walk ends.
extern const ConditionNode kConditionHolds;
extern const ConditionNode kConditionFails;

// Every rule of docs/service/04-expressions.md, section 6 that needs names and values. Returns the
// bound operand of each node of `ast`; of AND, OR, NOT and tests only its form.
// Errors: ValidationException "Invalid <Kind>: …"
Result<std::span<ConditionOperand>> BindOperands(ExpressionKind kind, const Ast& ast,
                                                 std::string_view text, Placeholders& placeholders,
                                                 Arena& arena);

// The walk of `ast` with its operands; always true when it has no nodes.
Condition LinkCondition(const Ast& ast, std::span<const ConditionOperand> operands, Arena& arena);

}  // namespace hashrange
