// One action of a write transaction: Put, Update, Delete or ConditionCheck. TransactWriteItems
// reads it from JSON, ExecuteTransaction makes it from a statement; DecideAction is what the commit
// runs (docs/service/10-transactions.md, sections 2 to 5). Pure functions; any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/idempotency_tokens.h"
#include "operation/call/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

struct TransactionAction {
  enum class Kind { kPut, kUpdate, kDelete, kConditionCheck };

  Kind kind = Kind::kPut;
  std::string_view table_name;
  std::span<const Attribute> attributes;  // the item of a Put; the key for other kinds
  ExpressionParameters texts;             // the expressions as sent; empty for a statement
  BoundExpressions bound;
  bool old_on_condition_failure = false;
  ItemExistence existence = ItemExistence::kAny;
  TableRef table;
  Position position;
};

// The steps below are the steps of docs/service/10-transactions.md, section 3.
//
// Returns the action of an element of TransactItems after every check that needs no table (step 2).
// Errors: ValidationException  the whole request is refused
Result<TransactionAction> ReadTransactionAction(const RequestObject& entry, const Context& context);

// Checks that no key attribute, and no index key attribute that the action sets, has an empty value
// (step 3). The action has its table.
// Errors: ValidationException  the whole request is refused
Status CheckActionValues(const TransactionAction& action);
// Checks the key and the index keys of a Put, the key and the targets of an Update, or the key of
// another action, against the schema of its table (step 4).
// Errors: ValidationException  the caller cancels the transaction with this message
Status CheckActionSchema(const TransactionAction& action);

// Returns whether the action may change an item: all but a ConditionCheck may.
inline bool Writes(const TransactionAction& action) {
  return action.kind != TransactionAction::Kind::kConditionCheck;
}

// Returns the bytes that an action adds to the payload: its item or key, its expressions, and the
// placeholders with the names and values for which they stand.
std::size_t PayloadBytes(const TransactionAction& action);

// Returns what the action does to the stored item `before`, which may be absent, or a refusal.
// Errors: ConditionalCheckFailedException, DuplicateItemException, ValidationException in a refusal
Decision DecideAction(const TransactionAction& action, ItemView before, Arena& arena);

// Returns a digest of what an idempotency token stands for: the parsed actions. A table counts by
// its name even if the request gives its ARN, a number by its value, and the order of members does
// not count. Every action must have its table.
RequestDigest DigestOfActions(std::span<const TransactionAction> actions);

}  // namespace hashrange
