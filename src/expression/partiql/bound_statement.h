// BoundStatement: a statement with its parameters, before its table is known. It has passed every
// rule of docs/service/11-partiql.md that needs no schema.
//
// The columns, the operands, the update and the item are stored in the arena. They point into the
// parameters and into the statement, which the BoundStatement keeps alive. Pure functions.
#pragma once

#include <memory>
#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "expression/condition.h"
#include "expression/expression.h"
#include "expression/partiql/statement.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

struct BoundStatement {
  std::shared_ptr<const Statement> statement;
  std::span<const Path> columns;               // empty: SELECT *
  std::span<const ConditionOperand> operands;  // one for each node of statement->where
  Update update;
  std::span<const Attribute> item;  // the item of INSERT, ascending by name
};

// Returns the statement with its parameters.
// Errors: ValidationException  the statement's late_error; the wrong number of parameters; a set
//         function whose parameter is no set; operands of wrong types, overlapping targets (in
//         the words of docs/service/04-expressions.md, section 8, row 6, without the prefix
//         "Invalid …")
Result<BoundStatement> BindStatement(std::shared_ptr<const Statement> statement,
                                     std::span<const ValueView> parameters, Arena& arena);

}  // namespace hashrange::partiql
