// SyntaxTree: the expressions of a statement as they were written, before they are lowered to
// DynamoDB's conditions and updates. The nodes are stored in the order in which they end in the
// text, children before parents, so that every pass over them is a loop, never a recursion.
//
//   pk = ? AND size("a".b) > 1
//   0 path pk · 1 ? · 2 `=`(0, 1) · 3 path a.b · 4 size(3) · 5 number 1 · 6 `>`(4, 5) · 7 AND(2, 6)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "expression/partiql/statement_token.h"

namespace hashrange::partiql {

// IsLiteral (literal.h) relies on the order: kString to kNull and kList to kStruct are literals.
enum class NodeKind : std::uint8_t {
  kPath,
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull,
  kMissing,
  kParameter,
  kList,    // [a, b], and (a, b)
  kBag,     // <<a, b>>
  kStruct,  // {k: v}: the children are keys and values in turn
  kCall,    // name(a, b)
  kCount,   // COUNT(*)
  kSign,    // - or + in front of something that is no number
  kNot,
  kInfix,    // a op b; AND and OR are infix operators, too
  kBetween,  // a BETWEEN b AND c
  kIs,       // a IS type
};

// One step of a path; the first step is its first name.
struct PathStep {
  Token token;  // the name or the number
  bool is_index = false;
  bool is_negative = false;  // the number has a minus
};

struct Node {
  NodeKind kind = NodeKind::kPath;
  Word op = Word::kOther;   // kInfix, kSign
  bool is_negated = false;  // NOT IN, NOT BETWEEN, IS NOT; a number with a minus
  std::uint16_t first = 0;  // kPath: the range of its steps; others: the range of their children
  std::uint16_t count = 0;
  Token token;  // messages point at it: the name of a path or call, the sign, the type of IS
};

struct SyntaxTree {
  std::vector<Node> nodes;
  std::vector<std::uint16_t> children;
  std::vector<PathStep> steps;

  std::span<const std::uint16_t> ChildrenOf(const Node& node) const {
    return {children.data() + node.first, node.count};
  }
  std::span<const PathStep> StepsOf(const Node& node) const {
    return {steps.data() + node.first, node.count};
  }
};

}  // namespace hashrange::partiql
