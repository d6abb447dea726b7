// The lowering of a statement: StatementWriter and AstBuilder fill in a Statement and its Asts from
// the syntax tree of the text. Expressions are bound from these Asts. Used by one thread, for one
// statement.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "expression/parser.h"
#include "expression/partiql/statement.h"
#include "expression/partiql/statement_parser.h"

namespace hashrange::partiql {

// Writes the names, the values and the errors of a statement, which all its Asts share. A function
// that returns a bool returns false when the statement has an error.
class StatementWriter {
 public:
  StatementWriter(const ParsedStatement& parsed, Statement* statement);

  const ParsedStatement& parsed() const { return parsed_; }
  const SyntaxTree& tree() const { return parsed_.tree; }
  const Node& node(std::uint16_t index) const { return parsed_.tree.nodes[index]; }
  std::string_view TokenText(const Token& token) const { return token.In(parsed_.text); }

  // Each stores the message and returns false: Refuse in `error` of the statement, RefuseLate in
  // `late_error`. Only the first message is stored; a later one is dropped.
  bool Refuse(std::string message);
  bool RefuseLate(std::string message);
  // Calls RefuseLate with "Unsupported operation: <what>"; the text of <what> is unverified.
  bool RefuseOperation(std::string_view what);

  // Adds a name to the names of the statement and returns its slice of them.
  TextSlice AddName(std::string_view name);
  // Adds the value of a literal or a parameter and sets `*number` to its number.
  bool AddValue(std::uint16_t node, std::uint16_t* number);
  // Adds a value of type S and returns its number.
  std::uint16_t AddText(std::string_view text);

 private:
  std::uint16_t AddLiteral(const ValueView& value);

  const ParsedStatement& parsed_;
  Statement& statement_;
  std::vector<std::uint16_t> parameters_;  // for each node that is a parameter, its number
  Arena arena_{4 << 10};
};

// Builds one Ast of a statement, the columns, the condition or the update, node by node.
class AstBuilder {
 public:
  AstBuilder(StatementWriter& writer, Ast* ast) : writer_(writer), ast_(*ast) {}

  // Each adds one node, which is then the last. AddPath and AddValue return false when the path or
  // the value has an error. `node` is an index of the syntax tree, `children` are indices of the
  // Ast.
  bool AddPath(const Node& path);
  bool AddValue(std::uint16_t node);
  void AddText(std::string_view text);
  void AddCall(const FunctionRow* function, std::span<const std::uint16_t> children);
  void AddOperator(Operator op, std::span<const std::uint16_t> children);

  std::uint16_t last() const { return static_cast<std::uint16_t>(ast_.nodes.size() - 1); }
  // Returns whether the Ast has at most kMaxOperators operators and calls; if not, calls
  // RefuseLate.
  bool CheckOperatorCount();

 private:
  void AddValueNode(std::uint16_t number);
  void AddParent(AstNode node, std::span<const std::uint16_t> children);
  bool AddStep(const PathStep& step);

  StatementWriter& writer_;
  Ast& ast_;
  int operators_ = 0;
};

// Lowers WHERE, whose root in the syntax tree is `root`. Returns false when the clause has an
// error.
bool LowerCondition(std::uint16_t root, StatementWriter& writer, Ast* ast);
// Lowers SET and REMOVE to statement->update. Returns false when an action has an error.
bool LowerUpdate(StatementWriter& writer, Statement* statement);

// Sets `*value` to the value of a literal and returns true. False when the node is no literal or
// its value is not allowed: `*error` says why, "… under root.a[1]". The recursion ends at the
// greatest depth of an attribute value.
bool ReadLiteral(const ParsedStatement& parsed, std::uint16_t node, Arena& arena, ValueView* value,
                 std::string* error);

}  // namespace hashrange::partiql
