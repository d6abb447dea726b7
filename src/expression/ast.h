// Ast: a parsed expression, before its names and values are known.
//
// Nodes stand in the order in which they end in the text, children before parents, so
// every later pass is a loop, never a recursion. Nodes hold offsets, not text: one Ast
// serves every request that sends the same text.
//
//   a.#b = :v AND NOT contains(c, :w)
//   nodes: 0 path a.#b · 1 :v · 2 `=`(0, 1) · 3 path c · 4 :w · 5 contains(3, 4)
//          6 NOT(5) · 7 AND(2, 6)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/expression.h"
#include "expression/token.h"

namespace hashrange {

struct FunctionRow;  // expression/functions.h

enum class Grammar : std::uint8_t { kCondition, kUpdate, kProjection };

enum class Operator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAnd,
  kOr,
  kNot,
  kPlus,
  kMinus,
};

// As messages name it: "=", "BETWEEN", …
std::string_view OperatorName(Operator op);

struct AstPathElement {
  enum class Kind : std::uint8_t { kName, kPlaceholder, kIndex };
  Kind kind = Kind::kName;
  TextSlice text;
  std::uint32_t index = 0;
};

struct AstNode {
  enum class Kind : std::uint8_t { kPath, kValue, kCall, kOperator };
  Kind kind = Kind::kPath;
  Operator op = Operator::kEqual;         // kOperator
  TextSlice text;                         // kValue: the placeholder
  std::uint16_t first = 0;                // kPath: its elements; kCall, kOperator: its children;
  std::uint16_t count = 0;                // kValue of a statement: its number
  const FunctionRow* function = nullptr;  // kCall
};

// One `target = operand`, `target`, or `target :value` of an update.
struct AstAction {
  UpdateVerb verb = UpdateVerb::kSet;
  std::uint16_t target = 0;   // a node
  std::uint16_t operand = 0;  // a node; none for REMOVE
};

struct Ast {
  std::vector<AstPathElement> elements;
  std::vector<AstNode> nodes;  // a condition's root is the last; a projection's are its paths
  std::vector<std::uint16_t> children;
  std::vector<AstAction> actions;
  // What is wrong whatever the names and values are; when not empty, the rest is void.
  std::string error;

  std::span<const std::uint16_t> ChildrenOf(const AstNode& node) const {
    return {children.data() + node.first, node.count};
  }
  std::span<const AstPathElement> ElementsOf(const AstNode& node) const {
    return {elements.data() + node.first, node.count};
  }
};

}  // namespace hashrange
