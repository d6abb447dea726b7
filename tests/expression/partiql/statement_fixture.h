// Statements as text: the lowered statement, or its error.
//
//   Parsed("SELECT a.b FROM T WHERE pk = ? AND n IN [1]")
//     SELECT a.b AS b FROM T WHERE (AND (= pk ?0) (IN n 1))
#pragma once

#include <string>
#include <string_view>

#include "expression/expression_fixture.h"
#include "expression/functions.h"
#include "expression/partiql/bound_statement.h"
#include "expression/partiql/statement.h"

namespace hashrange::partiql::testing {

using namespace hashrange::testing;  // NOLINT: S(), N(), Print()

class StatementPrinter {
 public:
  explicit StatementPrinter(const Statement& statement) : statement_(statement) {}

  std::string Print() const {
    static constexpr std::string_view kKinds[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "EXISTS"};
    std::string text(kKinds[static_cast<int>(statement_.kind)]);
    for (std::size_t i = 0; i < statement_.column_names.size(); ++i) {
      text += " " + PrintNode(statement_.columns, i) + " AS " + statement_.column_names[i];
    }
    text += " FROM " + statement_.table;
    if (statement_.has_index) text += "." + statement_.index;
    for (const AstAction& action : statement_.update.actions) text += PrintAction(action);
    for (const InsertedAttribute& attribute : statement_.inserted) {
      text += " " + std::string(attribute.name.In(statement_.names)) + ":" +
              PrintValue(attribute.value);
    }
    if (!statement_.where.nodes.empty()) {
      text += " WHERE " + PrintNode(statement_.where, statement_.where.nodes.size() - 1);
    }
    for (const OrderTerm& term : statement_.order_by) {
      text += " BY " + term.path + (term.is_descending ? " DESC" : "");
    }
    if (statement_.returning != Returning::kNone) {
      text += " RETURNING " + std::string(ReturningName(statement_.returning));
    }
    return text;
  }

 private:
  std::string PrintValue(std::size_t number) const {
    const StatementValue& value = statement_.values[number];
    if (value.is_parameter) return "?" + std::to_string(value.parameter);
    const std::string_view literals = statement_.literals;
    return hashrange::testing::Print(
        ValueView(value.type, literals.substr(value.offset, value.size)));
  }

  std::string PrintNode(const Ast& ast, std::size_t index) const {
    const AstNode& node = ast.nodes[index];
    if (node.kind == AstNode::Kind::kValue) return PrintValue(node.first);
    std::string text;
    if (node.kind == AstNode::Kind::kPath) {
      for (const AstPathElement& element : ast.ElementsOf(node)) {
        if (element.kind == AstPathElement::Kind::kIndex) {
          text += "[" + std::to_string(element.index) + "]";
        } else {
          text += (text.empty() ? "" : ".") + std::string(element.text.In(statement_.names));
        }
      }
      return text;
    }
    text = "(";
    text += node.function ? node.function->name : OperatorName(node.op);
    for (const std::uint16_t child : ast.ChildrenOf(node)) text += " " + PrintNode(ast, child);
    return text + ")";
  }

  std::string PrintAction(const AstAction& action) const {
    static constexpr std::string_view kVerbs[] = {"SET", "REMOVE", "ADD", "DELETE"};
    std::string text = " " + std::string(kVerbs[static_cast<int>(action.verb)]) + " " +
                       PrintNode(statement_.update, action.target);
    if (action.verb != UpdateVerb::kRemove) {
      text += " " + PrintNode(statement_.update, action.operand);
    }
    return text;
  }

  const Statement& statement_;
};

// Returns the lowered statement as text, or its error.
inline std::string Described(const Statement& statement) {
  constexpr std::string_view kMalformed = "Statement wasn't well formed, can't be processed: ";
  if (statement.is_malformed) return "malformed: " + statement.error.substr(kMalformed.size());
  if (!statement.error.empty()) return "error: " + statement.error;
  if (!statement.late_error.empty()) return "late: " + statement.late_error;
  return StatementPrinter(statement).Print();
}

inline std::string Parsed(std::string_view text) { return Described(ParseStatement(text)); }

}  // namespace hashrange::partiql::testing
