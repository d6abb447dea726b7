#include "expression/partiql/bound_statement.h"

#include <utility>

#include "expression/binding.h"
#include "expression/update.h"
#include "value/value_writer.h"

namespace hashrange::partiql {
namespace {

std::span<const ValueView> BindValues(const Statement& statement,
                                      std::span<const ValueView> parameters, Arena& arena) {
  const std::span<ValueView> values = arena.NewArray<ValueView>(statement.values.size());
  const std::string_view literals = statement.literals;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const StatementValue& value = statement.values[i];
    values[i] = value.is_parameter
                    ? parameters[value.parameter]
                    : ValueView(value.type, literals.substr(value.offset, value.size));
  }
  return values;
}

Status CheckSetArguments(const Statement& statement, std::span<const ValueView> values) {
  for (const Statement::SetArgument& argument : statement.set_arguments) {
    if (!IsSet(values[argument.value].type)) return ValidationError(argument.error);
  }
  return {};
}

// When a name is repeated, its last value counts (unverified).
std::span<const Attribute> BindItem(const Statement& statement, std::span<const ValueView> values,
                                    Arena& arena) {
  const std::span<Attribute> item = arena.NewArray<Attribute>(statement.inserted.size());
  for (std::size_t i = 0; i < item.size(); ++i) {
    const InsertedAttribute& attribute = statement.inserted[i];
    item[i] = {attribute.name.In(statement.names), values[attribute.value]};
  }
  return SortAttributes(item);
}

Result<std::span<const Path>> BindColumns(const AstBinding& from) {
  const std::span<Path> columns = from.arena.NewArray<Path>(from.ast.nodes.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    HR_ASSIGN(columns[i], BindPath(from, from.ast.nodes[i]));
  }
  return std::span<const Path>(columns);
}

}  // namespace

Result<BoundStatement> BindStatement(std::shared_ptr<const Statement> shared,
                                     std::span<const ValueView> parameters, Arena& arena) {
  const Statement& statement = *shared;
  if (!statement.late_error.empty()) return ValidationError(statement.late_error);
  if (parameters.size() != statement.parameter_count) {
    return ValidationError("Number of parameters in request and statement don't match.");
  }
  const std::span<const ValueView> values = BindValues(statement, parameters, arena);
  HR_RETURN_IF_ERROR(CheckSetArguments(statement, values));
  Placeholders placeholders(values);
  const auto binding = [&](const Ast& ast) {
    return AstBinding{ExpressionKind::kStatement, ast, statement.names, placeholders, arena};
  };
  BoundStatement bound;
  HR_ASSIGN(bound.columns, BindColumns(binding(statement.columns)));
  if (!statement.update.actions.empty()) {
    HR_ASSIGN(bound.update, BindUpdateAst(binding(statement.update)));
  }
  HR_ASSIGN(bound.operands, BindOperands(binding(statement.where)));
  bound.item = BindItem(statement, values, arena);
  bound.statement = std::move(shared);
  return bound;
}

}  // namespace hashrange::partiql
