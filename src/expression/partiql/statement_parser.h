// ParseClauses: text → a statement as it was written: its clauses, SELECT, FROM, WHERE, SET and so
// on, and the expressions in them (docs/service/11-partiql.md, section 2). ParseStatement
// (statement.h) turns it into a Statement. A pure function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expression/partiql/statement.h"
#include "expression/partiql/statement_token.h"

namespace hashrange::partiql {

// IsLiteral relies on the order: kString to kNull and kList to kStruct are literals.
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

// The expressions of a statement as they were written, before they are lowered to
// DynamoDB's conditions and updates. The nodes are stored in the order in which they end in the
// text, children before parents, so that every pass over them is a loop, never a recursion.
//
//   pk = ? AND size("a".b) > 1
//   0 path pk · 1 ? · 2 `=`(0, 1) · 3 path a.b · 4 size(3) · 5 number 1 · 6 `>`(4, 5) · 7 AND(2, 6)
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

// Returns whether the node has the form of a literal; its parts are not checked.
inline bool IsLiteral(const Node& node) {
  return (node.kind >= NodeKind::kString && node.kind <= NodeKind::kNull) ||
         (node.kind >= NodeKind::kList && node.kind <= NodeKind::kStruct);
}

inline constexpr std::uint16_t kNoNode = 0xFFFF;

// One `target = value` of SET, or the target of REMOVE.
struct Assignment {
  std::uint16_t target = kNoNode;
  std::uint16_t value = kNoNode;  // kNoNode: REMOVE
};

// A statement as it was written. Numbers of nodes are indices of `tree`; kNoNode: the statement has
// no such clause.
struct ParsedStatement {
  StatementKind kind = StatementKind::kSelect;
  std::string_view text;
  SyntaxTree tree;
  std::uint16_t table = kNoNode;
  bool has_alias = false;
  std::vector<std::uint16_t> columns;  // empty: SELECT *
  std::uint16_t where = kNoNode;
  struct SortKey {
    std::uint16_t path = kNoNode;
    bool is_descending = false;
  };
  std::vector<SortKey> order_by;
  std::uint16_t item = kNoNode;  // the value of INSERT
  std::vector<Assignment> assignments;
  Returning returning = Returning::kNone;
  std::size_t parameter_count = 0;
  // The error of a clause that PartiQL has and DynamoDB does not support. The statement is still
  // well-formed.
  std::string unsupported;

  bool is_malformed = false;
  std::string detail;  // why it is malformed
};

// Returns the clauses of `text`, which has at most kMaxStatementBytes. The result points into the
// text.
ParsedStatement ParseClauses(std::string_view text);

}  // namespace hashrange::partiql
