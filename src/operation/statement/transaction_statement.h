// The statements of an ExecuteTransaction: these functions check the rules for each statement, and
// make a read or an action of the transaction from it (docs/service/11-partiql.md, section 7). Any
// thread.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operation/call/context.h"
#include "operation/statement/prepared_statement.h"
#include "operation/table/table_lookup.h"
#include "operation/transaction/transaction_action.h"
#include "operation/transaction/transaction_read.h"

namespace hashrange {

struct TransactionStatement {
  std::string_view text;
  PreparedStatement prepared;
  partiql::BoundStatement bound;  // set when the statement is located
  bool old_on_condition_failure = false;

  const partiql::Statement& statement() const { return *prepared.statement; }
  bool is_read() const { return statement().is_read(); }
};

// Returns the statements of the request. All parameters are read before the first statement.
// Errors: ValidationException  those of PrepareStatement; an error of a statement's text gets the
//         statement's place in the request
Result<std::vector<TransactionStatement>> ReadTransactionStatements(
    const Context& context, std::span<const JsonValue> entries);

// Checks the tables, the rules of transactions, the keys and that no item is named twice. `reads`
// has an element for each statement, and gets the element's table and position.
// Errors: ValidationException "Validation failed in TransactStatements[<i>]: …"  a statement that
//         is not allowed in a transaction
//         TransactionCanceledException  a table is missing; a key does not fit its schema
//         ValidationException  two statements name one item
Status LocateReads(const Context& context, TablesOfCall& tables,
                   std::span<TransactionStatement> statements, std::span<TransactionRead> reads);

// Does the same for writes and EXISTS. `actions` has an element for each statement.
Status LocateActions(const Context& context, std::span<TransactionStatement> statements,
                     std::span<TransactionAction> actions);

// Returns the digest of what an idempotency token stands for: the entries of the request.
RequestDigest DigestOfStatements(std::span<const TransactionStatement> statements);

}  // namespace hashrange
