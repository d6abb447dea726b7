// AstBuilder: from the syntax tree of a statement to the Asts that expressions are bound from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "expression/ast.h"
#include "partiql/statement.h"
#include "partiql/statement_parser.h"

namespace hashrange::partiql {

// Names and values of all Asts of a statement, and what is wrong with it. A step returns whether
// nothing is.
class StatementWriter {
 public:
  StatementWriter(const ParsedStatement& parsed, Statement* statement);

  const ParsedStatement& parsed() const { return parsed_; }
  const SyntaxTree& tree() const { return parsed_.tree; }
  const Node& node(std::uint16_t index) const { return parsed_.tree.nodes[index]; }
  std::string_view TokenText(const Token& token) const { return token.In(parsed_.text); }

  // Returns false. Of several problems the first stays.
  bool Refuse(std::string message);
  bool RefuseLate(std::string message);
  // "Unsupported operation: …"; what it says behind that is unverified.
  bool RefuseOperation(std::string_view what);

  TextSlice AddName(std::string_view name);
  // A literal or a parameter; the number of its value.
  bool AddValue(std::uint16_t node, std::uint16_t* number);
  std::uint16_t AddText(std::string_view text);

 private:
  std::uint16_t AddLiteral(const ValueView& value);

  const ParsedStatement& parsed_;
  Statement& statement_;
  std::vector<std::uint16_t> parameters_;  // of each node, its number
  Arena arena_{4 << 10};
};

class AstBuilder {
 public:
  AstBuilder(StatementWriter& writer, Ast* ast) : writer_(writer), ast_(*ast) {}

  // Each adds one node, the last.
  bool AddPath(const Node& path);
  bool AddValue(std::uint16_t node);
  void AddText(std::string_view text);
  void AddCall(const FunctionRow* function, std::span<const std::uint16_t> children);
  void AddOperator(Operator op, std::span<const std::uint16_t> children);

  std::uint16_t last() const { return static_cast<std::uint16_t>(ast_.nodes.size() - 1); }
  // "The expression contains too many operators; …"
  bool CheckOperatorCount();

 private:
  void AddValueNode(std::uint16_t number);
  void AddParent(AstNode node, std::span<const std::uint16_t> children);
  bool AddStep(const PathStep& step);

  StatementWriter& writer_;
  Ast& ast_;
  int operators_ = 0;
};

// The lowering of each clause, into the statement.
bool LowerCondition(std::uint16_t root, StatementWriter& writer, Ast* ast);
bool LowerUpdate(StatementWriter& writer, Statement* statement);

}  // namespace hashrange::partiql
