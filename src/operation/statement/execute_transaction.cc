// ExecuteTransaction (docs/service/11-partiql.md, section 7): its statements all read at one
// instant, or all write in one commit.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "expression/partiql/key_plan.h"
#include "operation/call/operations.h"
#include "operation/parameter/digest_input.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "operation/statement/prepared_statement.h"
#include "operation/statement/read_intervals.h"
#include "operation/statement/statement_read.h"
#include "operation/statement/statement_write.h"
#include "operation/table/table_lookup.h"
#include "operation/transaction/transaction_commit.h"
#include "operation/transaction/transaction_read.h"
#include "operation/transaction/transaction_rules.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

using partiql::KeyMatch;
using partiql::StatementKind;

struct ExecuteTransactionRequest {
  std::span<const JsonValue> entries;
  std::optional<std::string_view> token;
  ReturnConsumedCapacity capacity;
};

ExecuteTransactionRequest ReadExecuteTransactionRequest(const RequestObject& request) {
  return {.entries = request.List("TransactStatements"),
          .token = request.String("ClientRequestToken"),
          .capacity = ReadReturnConsumedCapacity(request)};
}

struct TransactionStatement {
  std::string_view text;
  PreparedStatement prepared;
  partiql::BoundStatement bound;  // set when the statement is located
  bool old_on_condition_failure = false;

  const partiql::Statement& statement() const { return *prepared.statement; }
  bool is_read() const { return statement().is_read(); }
};

// Adds the statement's place in the request to the error's message.
Error FailedInStatement(std::size_t i, Error error) {
  error.message.insert(0, "Validation failed in TransactStatements[" + std::to_string(i) + "]: ");
  return error;
}

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
  return CheckItemSize(statement->bound.item);
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
                         std::size_t i, CancellationReasons* missing) {
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

// Returns the statements of the request. All parameters are read before the first statement.
// Errors: ValidationException  as PrepareStatement; an error of a statement's text gets the
//         statement's place in the request
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

// Checks the tables, the rules of transactions, the keys and that no item is named twice. `reads`
// has an element for each statement, and gets the element's table and position.
// Errors: ValidationException "Validation failed in TransactStatements[<i>]: …"  a statement that
//         is not allowed in a transaction
//         TransactionCanceledException  a table is missing; a key does not fit its schema
//         ValidationException  two statements name one item
Status LocateReads(const Context& context, TablesOfCall& tables,
                   std::span<TransactionStatement> statements, std::span<TransactionRead> reads) {
  CancellationReasons missing(statements.size());
  CancellationReasons misfits(statements.size());
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
    reads[i].key = *attributes;
    if (Status status = CheckKey(key, reads[i].key); !status.ok()) {
      misfits.AddFirst(i, std::move(status).error().message);
      continue;
    }
    reads[i].position = PositionOf(key, reads[i].key, context.arena);
    reads[i].projection = ColumnsOf(statements[i].bound);
    addresses.push_back({reads[i].table.get(), reads[i].position});
  }
  HR_RETURN_IF_ERROR(std::move(missing).Finish());
  HR_RETURN_IF_ERROR(std::move(misfits).Finish());
  return CheckNoItemTwice(addresses, context.arena);
}

// Does the same for writes and EXISTS. `actions` has an element for each statement.
Status LocateActions(const Context& context, std::span<TransactionStatement> statements,
                     std::span<TransactionAction> actions) {
  TablesOfCall tables(context);
  CancellationReasons missing(statements.size());
  CancellationReasons misfits(statements.size());
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
      misfits.AddFirst(i, std::string(kKeyMismatch));
    } else if (status = CheckActionSchema(action); !status.ok()) {
      misfits.AddFirst(i, std::move(status).error().message);
    } else {
      action.position = PositionOf(key, action.attributes, context.arena);
      addresses.push_back({action.table.get(), action.position});
    }
  }
  HR_RETURN_IF_ERROR(std::move(missing).Finish());
  HR_RETURN_IF_ERROR(std::move(misfits).Finish());
  return CheckNoItemTwice(addresses, context.arena);
}

// Returns the digest of what an idempotency token stands for: the entries of the request.
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

void WriteReadAnswer(Context& context, const ExecuteTransactionRequest& request,
                     std::span<const TransactionStatement> statements,
                     std::span<const TransactionRead> reads, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Responses");
  for (std::size_t i = 0; i < reads.size(); ++i) {
    answer.BeginObject();
    if (reads[i].item) {
      answer.Name("Item");
      WriteRow({reads[i].table->key, reads[i].item.get()}, statements[i].bound, answer);
    }
    answer.EndObject();
  }
  answer.EndArray();
  const auto answered_bytes = [&](std::size_t i) {
    return RowSizeBytes({reads[i].table->key, reads[i].item.get()}, statements[i].bound);
  };
  WriteCapacityOfReads(context, request.capacity, reads, answered_bytes, answer);
  answer.EndObject();
}

Status RunReads(Context& context, const ExecuteTransactionRequest& request,
                std::span<TransactionStatement> statements, JsonWriter& answer) {
  std::vector<TransactionRead> reads(statements.size());
  HR_RETURN_IF_ERROR(FindTogether(context, [&](TablesOfCall& tables) {
    return LocateReads(context, tables, statements, reads);
  }));
  HR_RETURN_IF_ERROR(ReadTogether(context, reads));
  WriteReadAnswer(context, request, statements, reads, answer);
  return {};
}

Status CheckPayload(std::span<const TransactionStatement> statements,
                    std::span<const TransactionAction> actions) {
  std::size_t bytes = 0;
  for (const TransactionStatement& statement : statements) bytes += statement.text.size();
  for (const TransactionAction& action : actions) bytes += PayloadBytes(action);
  return bytes > kMaxTransactionPayloadBytes ? Status(PayloadTooLarge()) : Status();
}

Status RunWrites(Context& context, const ExecuteTransactionRequest& request,
                 std::span<TransactionStatement> statements, JsonWriter& answer) {
  std::vector<TransactionAction> actions(statements.size());
  const auto locate = [&] { return LocateActions(context, statements, actions); };
  HR_RETURN_IF_ERROR(locate());
  HR_RETURN_IF_ERROR(CheckPayload(statements, actions));
  const auto digest = [&] { return DigestOfStatements(statements); };
  const auto write = [&](std::span<const CapacityMeter> meters, CapacityTwin twin) {
    answer.BeginObject();
    answer.BeginArray("Responses");
    answer.EndArray();
    WriteConsumedCapacityList(meters, request.capacity, twin, answer);
    answer.EndObject();
  };
  return RunTransaction(context, {.actions = actions,
                                  .token = request.token,
                                  .api = IdempotencyTokens::Api::kExecuteTransaction,
                                  .capacity = request.capacity,
                                  .digest = digest,
                                  .locate = locate,
                                  .write = write});
}

}  // namespace

Status ExecuteTransaction(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ExecuteTransactionRequest request = ReadExecuteTransactionRequest(json);
  HR_ASSIGN(std::vector<TransactionStatement> statements,
            ReadTransactionStatements(context, request.entries));
  const bool is_read = statements.front().is_read();
  if (!std::ranges::all_of(statements, [&](const auto& s) { return s.is_read() == is_read; })) {
    return ValidationError(
        "ExecuteTransaction API does not support both read and write operations in the same "
        "request.");
  }
  return is_read ? RunReads(context, request, statements, answer)
                 : RunWrites(context, request, statements, answer);
}

}  // namespace hashrange
