// The parser of expressions: text → Ast. It does not recurse: nesting is a stack of frames in
// memory, at most as deep as the text is long. Pure functions; any thread.
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

// The parsers and binders rely on this order: comparators first, in the order of their tokens in
// token.h and expression/partiql/statement_token.h; then BETWEEN and IN; then the logical
// operators; then arithmetic.
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

// Returns the operator as messages name it: "=", "BETWEEN", …
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
  Operator op = Operator::kEqual;  // kOperator
  TextSlice text;                  // kValue of an expression: the placeholder
  // kPath: the range of its elements; kCall, kOperator: the range of its children. `first` of a
  // kValue of a PartiQL statement is the number of the value.
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  const FunctionRow* function = nullptr;  // kCall
};

// One `target = operand`, `target`, or `target :value` of an update.
struct AstAction {
  UpdateVerb verb = UpdateVerb::kSet;
  std::uint16_t target = 0;   // the index of a node
  std::uint16_t operand = 0;  // the index of a node; not used for REMOVE
};

// A parsed expression, before its names and values are known.
//
// The nodes are stored in the order in which they end in the text, children before parents,
// so that every later pass is a loop, never a recursion. Nodes hold offsets, not text: one
// Ast serves every request that sends the same text.
//
//   a.#b = :v AND NOT contains(c, :w)
//   nodes: 0 path a.#b · 1 :v · 2 `=`(0, 1) · 3 path c · 4 :w · 5 contains(3, 4)
//          6 NOT(5) · 7 AND(2, 6)
struct Ast {
  std::vector<AstPathElement> elements;
  // The last node of a condition is its root; the nodes of a projection are its paths.
  std::vector<AstNode> nodes;
  std::vector<std::uint16_t> children;
  std::vector<AstAction> actions;
  // The message of an error that no names and values can avoid. When there is one, all other
  // members are empty.
  std::string error;

  std::span<const std::uint16_t> ChildrenOf(const AstNode& node) const {
    return {children.data() + node.first, node.count};
  }
  std::span<const AstPathElement> ElementsOf(const AstNode& node) const {
    return {elements.data() + node.first, node.count};
  }
};

// The limits of docs/service/04-expressions.md, section 3. Calls of functions count as operators.
inline constexpr int kMaxOperators = 300;
inline constexpr int kMaxInOperands = 100;
inline constexpr std::uint64_t kMaxListIndex = 2147483647;

// Returns the Ast of `text`, which has at most kMaxExpressionBytes and not only blanks. An error is
// in Ast::error.
Ast ParseText(Grammar grammar, std::string_view text);

}  // namespace hashrange
