// One action of a TransactWriteItems: Put, Update, Delete or ConditionCheck, from its JSON
// to the function its commit runs (docs/service/10-transactions.md, sections 2 to 5).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/idempotency_tokens.h"
#include "operation/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

struct TransactionAction {
  enum class Kind { kPut, kUpdate, kDelete, kConditionCheck };

  Kind kind = Kind::kPut;
  std::string_view table_name;
  std::span<const Attribute> attributes;  // the item of a Put, else the key
  ExpressionParameters texts;
  BoundExpressions bound;
  bool old_on_condition_failure = false;
  // Of a statement: an INSERT is of an item that is not there, an UPDATE of one that is. A
  // DELETE expects an item: where there is none, it succeeds whatever its condition is.
  enum class Existence { kAny, kRequired, kForbidden, kExpected };
  Existence existence = Existence::kAny;
  TableRef table;
  Position position;
};

// The action's members, and every check that needs no table.
// Errors: ValidationException  docs/service/10-transactions.md, section 3, step 2
Result<TransactionAction> ReadTransactionAction(const RequestObject& entry, const Context& context);

// Empty key and index-key values: the whole request is refused (step 3).
Status CheckActionValues(const TransactionAction& action);
// Whether the key attributes are there and of their types: the transaction is cancelled
// when they are not (step 4).
Status CheckActionSchema(const TransactionAction& action);

// Everything but a ConditionCheck does.
inline bool Writes(const TransactionAction& action) {
  return action.kind != TransactionAction::Kind::kConditionCheck;
}

// Whether the item or key has every key attribute, of its type: then it has a position.
bool HasKey(const TransactionAction& action);

// What the action does to the item before it.
Decision DecideAction(const TransactionAction& action, ItemView before, Arena& arena);

// DecideAction as the commit calls it.
struct ActionFunction {
  const TransactionAction& action;
  Arena& arena;
  Decision operator()(ItemView before) const { return DecideAction(action, before, arena); }
};

// A digest of everything an idempotency token stands for: the parsed actions, tables by
// name even where an ARN stands, numbers by value and members in any order. Every action
// has its table.
RequestDigest DigestOfActions(std::span<const TransactionAction> actions);

}  // namespace hashrange
