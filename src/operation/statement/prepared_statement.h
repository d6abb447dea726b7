// The statement of a request: its text and parameters are read, and its table and index looked up.
// Shared by ExecuteStatement, BatchExecuteStatement and ExecuteTransaction
// (docs/service/11-partiql.md). Any thread.
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "engine/table_version.h"
#include "expression/partiql/bound_statement.h"
#include "expression/partiql/statement.h"
#include "operation/call/context.h"
#include "wire/binder.h"

namespace hashrange {

// Returns the values of the member Parameters.
// Errors: ValidationException  the first number that is invalid, or value that is nested too deep;
//         if there is none, the first value that is invalid in another way, with the text of
//         ValidationLayer::kOlder
Result<std::span<const ValueView>> ReadParameters(const RequestObject& request,
                                                  const Context& context);

// A statement that could be read, and its parameters.
struct PreparedStatement {
  std::shared_ptr<const partiql::Statement> statement;
  std::span<const ValueView> parameters;
};

// Returns the request's statement with its parameters.
// Errors: as ReadParameters
//         ValidationException  the statement is not well-formed, or one of its literals is not a
//         valid value
Result<PreparedStatement> PrepareStatement(const RequestObject& request, const Context& context);

// Returns the error for an EXISTS statement outside a transaction: the text for an unknown function
// (unverified).
Error ExistsOutsideTransaction();

// A statement that is bound, with the table and index it reads.
struct LocatedStatement {
  partiql::BoundStatement bound;
  TableRef table;
  const IndexVersion* index = nullptr;  // null: the table itself
};

// Returns the SELECT with its table and index. An index with a multi-attribute key is refused
// before the statement is bound, and a missing table is refused after that. `table`: what the
// look-up of the statement's table has returned.
// Errors: any error of the look-up
//         ValidationException  as BindStatement; the index does not exist, has a
//         multi-attribute key, is a vector index, or is not backfilled yet
Result<LocatedStatement> LocateRead(const Context& context, const PreparedStatement& prepared,
                                    Result<TableRef> table);

}  // namespace hashrange
