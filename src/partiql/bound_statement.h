// BoundStatement: a statement with its parameters, before its table is known: every rule of
// docs/service/11-partiql.md that needs no schema has been applied.
//
// What is bound lives in the arena and points into the statement, which it keeps, and into the
// parameters.
#pragma once

#include <memory>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "expression/condition.h"
#include "expression/expression.h"
#include "partiql/statement.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

struct BoundStatement {
  std::shared_ptr<const Statement> statement;
  std::span<const Path> columns;               // none: *
  std::span<const ConditionOperand> operands;  // of each node of statement->where
  Update update;
  std::span<const Attribute> item;  // of INSERT, ascending by name
};

// Errors: ValidationException  the statement's late_error; another number of parameters; operands
//         of wrong types, overlapping targets (bare, as docs/service/04-expressions.md, section 8,
//         row 6 words them); a set function whose parameter is no set
Result<BoundStatement> BindStatement(std::shared_ptr<const Statement> statement,
                                     std::span<const ValueView> parameters, Arena& arena);

}  // namespace hashrange::partiql
