// The statements of an ExecuteTransaction: what each must be, and the reads and actions of a
// transaction that they come to (docs/service/11-partiql.md, section 7).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operation/context.h"
#include "operation/statement/prepared_statement.h"
#include "operation/transaction/transaction_action.h"
#include "operation/transaction/transaction_read.h"

namespace hashrange {

struct TransactionStatement {
  std::string_view text;
  PreparedStatement prepared;
  partiql::BoundStatement bound;  // once it is located
  bool old_on_condition_failure = false;

  const partiql::Statement& statement() const { return *prepared.statement; }
  bool is_read() const { return statement().is_read(); }
};

// All parameters are read before the first statement is.
// Errors: ValidationException  as PrepareStatement, a literal's with the statement's place in the
//         request
Result<std::vector<TransactionStatement>> ReadTransactionStatements(
    const Context& context, std::span<const JsonValue> entries);

// Tables, the rules of transactions, keys, duplicates. `reads` has an element for each statement,
// which gets its table and position.
// Errors: ValidationException "Validation failed in TransactStatements[<i>]: …"  a statement that
//         no transaction takes
//         TransactionCanceledException  missing tables; keys that do not fit their schema
//         ValidationException  one item twice
Status LocateReads(const Context& context, TablesOfCall& tables,
                   std::span<TransactionStatement> statements, std::span<TransactionRead> reads);

// The same for writes and EXISTS.
Status LocateActions(const Context& context, std::span<TransactionStatement> statements,
                     std::span<TransactionAction> actions);

// What an idempotency token stands for: the statements and their parameters.
RequestDigest DigestOfStatements(std::span<const TransactionStatement> statements);

}  // namespace hashrange
