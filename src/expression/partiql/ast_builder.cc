#include "expression/partiql/ast_builder.h"

#include <utility>

#include "base/text/parse_whole.h"
#include "expression/parser.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

StatementWriter::StatementWriter(const ParsedStatement& parsed, Statement* statement)
    : parsed_(parsed), statement_(*statement), parameters_(parsed.tree.nodes.size()) {
  // Leaves are in the order of the text, and so are the parameters.
  std::uint16_t next = 0;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parsed.tree.nodes[i].kind == NodeKind::kParameter) parameters_[i] = next++;
  }
}

bool StatementWriter::Refuse(std::string message) {
  if (statement_.error.empty()) statement_.error = std::move(message);
  return false;
}

bool StatementWriter::RefuseLate(std::string message) {
  if (statement_.late_error.empty()) statement_.late_error = std::move(message);
  return false;
}

bool StatementWriter::RefuseOperation(std::string_view what) {
  return RefuseLate("Unsupported operation: " + std::string(what));
}

TextSlice StatementWriter::AddName(std::string_view name) {
  const TextSlice slice{static_cast<std::uint16_t>(statement_.names.size()),
                        static_cast<std::uint16_t>(name.size())};
  statement_.names += name;
  return slice;
}

std::uint16_t StatementWriter::AddLiteral(const ValueView& value) {
  StatementValue stored;
  stored.type = value.type;
  stored.offset = static_cast<std::uint32_t>(statement_.literals.size());
  stored.size = value.size;
  statement_.literals += value.bytes();
  statement_.values.push_back(stored);
  return static_cast<std::uint16_t>(statement_.values.size() - 1);
}

bool StatementWriter::AddValue(std::uint16_t index, std::uint16_t* number) {
  if (node(index).kind == NodeKind::kParameter) {
    StatementValue parameter;
    parameter.is_parameter = true;
    parameter.parameter = parameters_[index];
    statement_.values.push_back(parameter);
    *number = static_cast<std::uint16_t>(statement_.values.size() - 1);
    return true;
  }
  ValueView value;
  std::string error;
  if (!ReadLiteral(parsed_, index, arena_, &value, &error)) {
    return Refuse(std::move(error));
  }
  *number = AddLiteral(value);
  return true;
}

std::uint16_t StatementWriter::AddText(std::string_view text) {
  return AddLiteral({AttributeType::kS, text});
}

bool AstBuilder::AddStep(const PathStep& step) {
  AstPathElement element;
  if (!step.is_index) {
    const std::string name = Unquoted(writer_.TokenText(step.token));
    if (name.empty()) return writer_.Refuse("Empty attribute name");
    element.text = writer_.AddName(name);
    ast_.elements.push_back(element);
    return true;
  }
  const std::string_view digits = writer_.TokenText(step.token);
  const auto index = ParseWhole<std::uint64_t>(digits);
  if (!index || *index > kMaxListIndex || (step.is_negative && *index > 0)) {
    return writer_.RefuseLate("List index is not within the allowable range; index: [" +
                              std::string(step.is_negative ? "-" : "") + std::string(digits) +
                              "] at " + PlaceOf(writer_.parsed().text, step.token));
  }
  element.kind = AstPathElement::Kind::kIndex;
  element.index = static_cast<std::uint32_t>(*index);
  ast_.elements.push_back(element);
  return true;
}

bool AstBuilder::AddPath(const Node& path) {
  AstNode node;
  node.kind = AstNode::Kind::kPath;
  node.first = static_cast<std::uint16_t>(ast_.elements.size());
  node.count = path.count;
  for (const PathStep& step : writer_.tree().StepsOf(path)) {
    if (!AddStep(step)) return false;
  }
  ast_.nodes.push_back(node);
  return true;
}

void AstBuilder::AddValueNode(std::uint16_t number) {
  AstNode node;
  node.kind = AstNode::Kind::kValue;
  node.first = number;
  ast_.nodes.push_back(node);
}

bool AstBuilder::AddValue(std::uint16_t index) {
  std::uint16_t number = 0;
  if (!writer_.AddValue(index, &number)) return false;
  AddValueNode(number);
  return true;
}

void AstBuilder::AddText(std::string_view text) { AddValueNode(writer_.AddText(text)); }

void AstBuilder::AddParent(AstNode node, std::span<const std::uint16_t> children) {
  ++operators_;
  node.first = static_cast<std::uint16_t>(ast_.children.size());
  node.count = static_cast<std::uint16_t>(children.size());
  ast_.children.insert(ast_.children.end(), children.begin(), children.end());
  ast_.nodes.push_back(node);
}

void AstBuilder::AddCall(const FunctionRow* function, std::span<const std::uint16_t> children) {
  AstNode node;
  node.kind = AstNode::Kind::kCall;
  node.function = function;
  AddParent(node, children);
}

void AstBuilder::AddOperator(Operator op, std::span<const std::uint16_t> children) {
  AstNode node;
  node.kind = AstNode::Kind::kOperator;
  node.op = op;
  AddParent(node, children);
}

bool AstBuilder::CheckOperatorCount() {
  if (operators_ <= kMaxOperators) return true;
  return writer_.RefuseLate("The expression contains too many operators; operator count: " +
                            std::to_string(operators_));
}

}  // namespace hashrange::partiql
