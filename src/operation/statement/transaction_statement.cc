#include "operation/statement/transaction_statement.h"

#include <algorithm>
#include <string>
#include <utility>

#include "expression/partiql/key_plan.h"
#include "operation/parameter/digest_input.h"
#include "operation/parameter/duplicate_keys.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "operation/statement/read_intervals.h"
#include "operation/statement/statement_row.h"
#include "operation/statement/statement_write.h"
#include "operation/table/table_lookup.h"
#include "value/value_writer.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

using partiql::KeyMatch;
using partiql::StatementKind;

// Adds the statement's place in the request to the error's message.
Error FailedInStatement(std::size_t i, Error error) {
  error.message.insert(0, "Validation failed in TransactStatements[" + std::to_string(i) + "]: ");
  return error;
}

// Collects the reasons that the statements give to cancel the transaction.
class Reasons {
 public:
  explicit Reasons(std::size_t statements) : reasons_(statements) {}

  void Add(std::size_t i, std::string_view code, std::string message) {
    reasons_[i] = {std::string(code), std::move(message), {}};
    is_cancelled_ = true;
  }
  // When several keys do not fit their schema, only the first of these is reported
  // (docs/service/10-transactions.md, section 5, rule 1).
  void AddFirst(std::size_t i, std::string message) {
    if (!is_cancelled_) Add(i, "ValidationError", std::move(message));
  }
  Status Finish() && {
    return is_cancelled_ ? Status(TransactionCanceled(std::move(reasons_))) : Status();
  }

 private:
  std::vector<CancellationReason> reasons_;
  bool is_cancelled_ = false;
};

Status CheckNoDuplicates(std::span<const ItemAddress> addresses, Arena& arena) {
  if (!HasDuplicateAddresses(addresses, arena)) return {};
  return ValidationError("Transaction request cannot include multiple operations on one item");
}

constexpr std::string_view kMismatch = "The provided key element does not match the schema";

// Returns the key of a SELECT, whose WHERE must fix the whole key and ask for nothing more.
Result<std::span<const Attribute>> KeyOfRead(const partiql::BoundStatement& bound,
                                             const KeySchema& key, Arena& arena) {
  if (bound.statement->order_by.empty()) {
    const KeyMatch match = partiql::MatchKey(bound, key, arena);
    if (match.is_whole && !match.has_more) return match.key;
  }
  // MatchKey does not know that IN with one value is an equality; the plan does.
  HR_ASSIGN(const partiql::ReadPlan plan, partiql::PlanRead(bound, key, arena));
  HR_RETURN_IF_ERROR(CheckOrder(*bound.statement, plan, key));
  if (plan.is_keyed) HR_RETURN_IF_ERROR(KeyRangesOf(plan, key, {}, arena));
  if (!plan.IsKeyOnly(key)) {
    return ValidationError(
        "Select statements within ExecuteTransaction must specify the primary key in the where "
        "clause.");
  }
  const std::span<Attribute> attributes = arena.NewArray<Attribute>(key.parts());
  for (std::size_t i = 0; i < key.parts(); ++i) {
    attributes[i] = {key.part(i).name, plan.branches[0].clauses[i].value};
  }
  return std::span<const Attribute>(SortAttributes(attributes));
}

// Checks the rules that every statement of a transaction must satisfy. The statement's table has
// been found before.
Status CheckStatement(const TransactionStatement& statement) {
  if (statement.statement().has_index) {
    return ValidationError("Reads on indices are not supported within transactions.");
  }
  if (statement.statement().returning != partiql::Returning::kNone) {
    return ValidationError("RETURNING clause is not supported in ExecuteTransaction.");
  }
  return {};
}

Status CheckExists(const partiql::BoundStatement& bound, const TableVersion& table, Arena& arena) {
  if (bound.statement->kind != StatementKind::kExists) return {};
  const KeyMatch match = partiql::MatchKey(bound, table.key, arena);
  if (match.is_whole && match.has_more) return {};
  return ValidationError("EXISTS() must contain a single item read with additional condition");
}

Status BindTransactionStatement(const Context& context, TransactionStatement* statement) {
  HR_RETURN_IF_ERROR(CheckStatement(*statement));
  HR_ASSIGN(statement->bound,
            partiql::BindStatement(statement->prepared.statement, statement->prepared.parameters,
                                   context.arena));
  return CheckInsertedSize(statement->bound);
}

// Makes the action of a statement on its table: its kind, its item or key, and its condition.
void MakeAction(const TransactionStatement& from, TableRef table, Arena& arena,
                TransactionAction* action) {
  using Kind = TransactionAction::Kind;
  *action = TransactionAction();
  action->table_name = from.statement().table;
  action->table = std::move(table);
  action->old_on_condition_failure = from.old_on_condition_failure;
  if (from.statement().kind == StatementKind::kInsert) {
    action->kind = Kind::kPut;
    action->existence = ItemExistence::kForbidden;
    action->attributes = from.bound.item;
    return;
  }
  const KeyMatch match = partiql::MatchKey(from.bound, action->table->key, arena);
  action->attributes = match.key;
  if (match.has_more) {
    action->bound.condition = LinkCondition(from.statement().where, match.rest, arena);
  }
  if (from.statement().kind == StatementKind::kUpdate) {
    action->kind = Kind::kUpdate;
    action->existence = ItemExistence::kRequired;
    action->bound.update = from.bound.update;
  } else if (from.statement().kind == StatementKind::kDelete) {
    action->kind = Kind::kDelete;
    action->existence = ItemExistence::kConditionIfItemExists;
  } else {
    action->kind = Kind::kConditionCheck;
  }
}

// Returns the table of statement `i`. Returns null when the table does not exist, and adds that
// reason to `missing`.
Result<TableRef> TableOf(TablesOfCall& tables, std::span<const TransactionStatement> statements,
                         std::size_t i, Reasons* missing) {
  auto table = tables.Find(statements[i].statement().table);
  if (table.ok() || table.error().code != ErrorCode::kResourceNotFoundException) {
    return table.ok() ? std::move(table) : FailedInStatement(i, std::move(table).error());
  }
  missing->Add(i, "ResourceNotFound", std::move(table).error().message);
  return TableRef();
}

// Returns whether a write names two values for one key attribute. EXISTS may: its key is made of
// the first values.
bool NamesTwoItems(const TransactionStatement& statement, const KeySchema& key, Arena& arena) {
  const StatementKind kind = statement.statement().kind;
  if (kind != StatementKind::kUpdate && kind != StatementKind::kDelete) return false;
  return partiql::MatchKey(statement.bound, key, arena).repeated != nullptr;
}

}  // namespace

Result<std::vector<TransactionStatement>> ReadTransactionStatements(
    const Context& context, std::span<const JsonValue> entries) {
  std::vector<TransactionStatement> statements(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const RequestObject json(entries[i]);
    statements[i].text = *json.String("Statement");
    statements[i].old_on_condition_failure = ReadOldOnConditionCheckFailure(json);
    HR_ASSIGN(statements[i].prepared.parameters, ReadParameters(json, context));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    statements[i].prepared.statement = partiql::CachedStatement(statements[i].text);
    const partiql::Statement& statement = statements[i].statement();
    if (!statement.error.empty()) return FailedInStatement(i, ValidationError(statement.error));
  }
  return statements;
}

Status LocateReads(const Context& context, TablesOfCall& tables,
                   std::span<TransactionStatement> statements, std::span<TransactionRead> reads) {
  Reasons missing(statements.size());
  Reasons misfits(statements.size());
  std::vector<ItemAddress> addresses;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    HR_ASSIGN(TableRef table, TableOf(tables, statements, i, &missing));
    if (!table) continue;
    reads[i].table = std::move(table);
    reads[i].table_name = statements[i].statement().table;
    const KeySchema& key = reads[i].table->key;
    if (Status status = BindTransactionStatement(context, &statements[i]); !status.ok()) {
      return FailedInStatement(i, std::move(status).error());
    }
    auto attributes = KeyOfRead(statements[i].bound, key, context.arena);
    if (!attributes.ok()) return FailedInStatement(i, std::move(attributes).error());
    if (Status status = CheckKey(key, *attributes); !status.ok()) {
      misfits.AddFirst(i, std::move(status).error().message);
      continue;
    }
    reads[i].position = PositionOf(key, *attributes, context.arena);
    reads[i].projection = ColumnsOf(statements[i].bound);
    addresses.push_back({reads[i].table.get(), reads[i].position});
  }
  HR_RETURN_IF_ERROR(std::move(missing).Finish());
  HR_RETURN_IF_ERROR(std::move(misfits).Finish());
  return CheckNoDuplicates(addresses, context.arena);
}

Status LocateActions(const Context& context, std::span<TransactionStatement> statements,
                     std::span<TransactionAction> actions) {
  TablesOfCall tables(context);
  Reasons missing(statements.size());
  Reasons misfits(statements.size());
  std::vector<ItemAddress> addresses;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    HR_ASSIGN(TableRef table, TableOf(tables, statements, i, &missing));
    if (!table) continue;
    Status status = BindTransactionStatement(context, &statements[i]);
    if (status.ok()) status = CheckExists(statements[i].bound, *table, context.arena);
    if (!status.ok()) return FailedInStatement(i, std::move(status).error());
    TransactionAction& action = actions[i];
    MakeAction(statements[i], std::move(table), context.arena, &action);
    const KeySchema& key = action.table->key;
    if (NamesTwoItems(statements[i], key, context.arena)) {
      misfits.AddFirst(i, std::string(kMismatch));
    } else if (status = CheckActionSchema(action); !status.ok()) {
      misfits.AddFirst(i, std::move(status).error().message);
    } else {
      action.position = PositionOf(key, action.attributes, context.arena);
      addresses.push_back({action.table.get(), action.position});
    }
  }
  HR_RETURN_IF_ERROR(std::move(missing).Finish());
  HR_RETURN_IF_ERROR(std::move(misfits).Finish());
  return CheckNoDuplicates(addresses, context.arena);
}

RequestDigest DigestOfStatements(std::span<const TransactionStatement> statements) {
  DigestInput input;
  for (const TransactionStatement& statement : statements) {
    input.AddText(statement.text);
    input.AddNumber(statement.prepared.parameters.size());
    for (const ValueView& value : statement.prepared.parameters) input.AddValue(value);
    input.AddNumber(statement.old_on_condition_failure);
  }
  return input.Digest();
}

}  // namespace hashrange
