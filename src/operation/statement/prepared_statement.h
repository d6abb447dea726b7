// Statements of requests: the text and the parameters of one, read and looked up, shared by
// ExecuteStatement, BatchExecuteStatement and ExecuteTransaction (docs/service/11-partiql.md).
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/context.h"
#include "operation/table/table_lookup.h"
#include "partiql/bound_statement.h"
#include "partiql/statement.h"
#include "wire/binder.h"

namespace hashrange {

// The member Parameters.
// Errors: ValidationException  the first bad number or too deep value in the order of the
//         request; what makes a value invalid in itself, in the older layer's words
Result<std::span<const ValueView>> ReadParameters(const RequestObject& request,
                                                  const Context& context);

// A statement that could be read, and its parameters.
struct PreparedStatement {
  std::shared_ptr<const partiql::Statement> statement;
  std::span<const ValueView> parameters;
};

// Errors: those of ReadParameters; ValidationException  the statement is not well-formed, or has a
//         literal that is no value
Result<PreparedStatement> PrepareStatement(const RequestObject& request, const Context& context);

// An EXISTS statement where there is no transaction: the text of the function (unverified).
Error ExistsOutsideTransaction();

// A statement that is bound, with the table and index it reads.
struct LocatedStatement {
  partiql::BoundStatement bound;
  TableRef table;
  const IndexVersion* index = nullptr;
};

// Of a SELECT. An index of several attributes a part is refused before the statement is bound,
// a missing table after it.
// Errors: ResourceNotFoundException; ValidationException  those of BindStatement; no such index, or
//         one that PartiQL does not read
Result<LocatedStatement> LocateRead(const Context& context, TablesOfCall& tables,
                                    const PreparedStatement& prepared);

}  // namespace hashrange
