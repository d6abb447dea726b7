// BatchExecuteStatement (docs/service/11-partiql.md, section 6): up to 25 statements, each of which
// succeeds or fails alone.
#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "expression/partiql/key_plan.h"
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_key.h"
#include "operation/read/read_lag.h"
#include "operation/statement/prepared_statement.h"
#include "operation/statement/read_intervals.h"
#include "operation/statement/statement_read.h"
#include "operation/statement/statement_write.h"
#include "operation/table/table_lookup.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

// One statement of the batch.
struct BatchMember {
  BatchMember(const RequestObject& request, std::size_t place)
      : json(request),
        ordinal(static_cast<std::uint32_t>(place)),
        consistent(request.Boolean("ConsistentRead").value_or(false)) {}

  RequestObject json;
  std::uint32_t ordinal;  // Access::member
  bool consistent;
  PreparedStatement prepared;  // without a statement when the text or a parameter is invalid
  LocatedStatement located;    // a write has no index
  Position position;
  std::optional<Error> error;
  bool names_table = false;  // the answer gives TableName: the member ran, or found no table
  ItemRef item;              // what a read found
  SingleWriteOutcome write;
  std::optional<std::size_t> charged_bytes;  // set for a write that the commit has run

  bool is_read() const { return prepared.statement->is_read(); }
};

struct BatchExecuteStatementRequest {
  std::vector<BatchMember> members;
  ReturnConsumedCapacity capacity;
};

BatchExecuteStatementRequest ReadBatchExecuteStatementRequest(const RequestObject& request) {
  BatchExecuteStatementRequest batch{{}, ReadReturnConsumedCapacity(request)};
  for (const JsonValue& json : request.List("Statements")) {
    batch.members.emplace_back(RequestObject(json), batch.members.size());
  }
  return batch;
}

// A SELECT of a batch must ask for one item by its whole key, without further conditions.
Status LocateReadMember(Context& context, TablesOfCall& tables, BatchMember* member) {
  HR_ASSIGN(member->located,
            LocateRead(context, member->prepared, tables.Find(member->prepared.statement->table)));
  const KeySchema& key = member->located.table->key;
  if (!member->located.index) {
    HR_ASSIGN(const partiql::ReadPlan plan,
              partiql::PlanRead(member->located.bound, key, context.arena));
    HR_RETURN_IF_ERROR(CheckOrder(*member->located.bound.statement, plan, key));
    if (plan.IsKeyOnly(key)) {
      HR_ASSIGN(member->position, PlannedPosition(plan, key, context.arena));
      return {};
    }
  }
  return ValidationError(
      "Select statements within BatchExecuteStatement must specify the primary key in the where "
      "clause.");
}

Status LocateWriteMember(Context& context, TablesOfCall& tables, BatchMember* member) {
  LocatedStatement& located = member->located;
  HR_ASSIGN(located.bound, partiql::BindStatement(member->prepared.statement,
                                                  member->prepared.parameters, context.arena));
  HR_RETURN_IF_ERROR(CheckItemSize(located.bound.item));
  HR_ASSIGN(located.table, tables.Find(member->prepared.statement->table));
  HR_ASSIGN(const WriteTarget target,
            CheckStatementWrite(located.bound, *located.table, context.arena));
  member->position = target.position;
  return {};
}

Status LocateMember(Context& context, TablesOfCall& tables, BatchMember* member) {
  HR_ASSIGN(member->prepared, PrepareStatement(member->json, context));
  if (member->prepared.statement->kind == partiql::StatementKind::kExists) {
    return ExistsOutsideTransaction();
  }
  return member->is_read() ? LocateReadMember(context, tables, member)
                           : LocateWriteMember(context, tables, member);
}

// Locates every member, then checks the batch as a whole. A member that cannot run keeps its error,
// and its item does not count as a duplicate.
Status LocateMembers(Context& context, std::vector<BatchMember>* members) {
  TablesOfCall tables(context);
  std::vector<ItemAddress> addresses;
  bool has_read = false, has_write = false;
  for (BatchMember& member : *members) {
    Status status = LocateMember(context, tables, &member);
    if (member.prepared.statement) (member.is_read() ? has_read : has_write) = true;
    if (status.ok()) {
      addresses.push_back({member.located.table.get(), member.position});
      continue;
    }
    member.error = std::move(status).error();
    member.names_table = member.error->code == ErrorCode::kResourceNotFoundException;
  }
  if (has_read && has_write) {
    return ValidationError("Read and write requests together in the same batch is not supported.");
  }
  if (HasDuplicateAddresses(addresses, context.arena)) {
    return ValidationError("Provided list of item keys contains duplicates");
  }
  return {};
}

Status RunRead(Context& context, BatchMember* member) {
  const TableVersion& table = *member->located.table;
  const partiql::BoundStatement& bound = member->located.bound;
  Access access{.table = &table,
                .key = member->position,
                .consistent = member->consistent,
                .member = member->ordinal};
  if (context.gate) access.terms = context.Keep({.projection = ColumnsOf(bound)});
  if (auto refused = context.Enter(access)) return *std::move(refused);
  const ReadView view = ReadViewOf(table, nullptr, member->consistent);
  const ItemAddress address{view.table, member->position};
  context.engine.Read({&address, 1}, {&member->item, 1});
  if (context.gate) {
    const ItemView stored(table.key, member->item.get());
    const double units = ReadUnitsOfSize(stored.size_bytes());
    context.Leave(access, UsageOfRead(ReadFactor(member->consistent) * units, stored,
                                      stored.exists() ? RowSizeBytes(stored, bound) : 0));
  }
  return {};
}

Status RunMember(Context& context, ReturnConsumedCapacity capacity, BatchMember* member) {
  if (member->is_read()) return RunRead(context, member);
  const partiql::BoundStatement& bound = member->located.bound;
  const SingleWriteOptions options{.capacity = capacity,
                                   .attempted_bytes = ItemSizeBytes(bound.item),
                                   .member = member->ordinal};
  auto written = RunStatementWrite(context, bound, options, &member->charged_bytes);
  if (written.ok()) {
    member->write = *std::move(written);
    return {};
  }
  if (written.error().code == ErrorCode::kInternalServerError) member->charged_bytes.reset();
  return std::move(written).error();
}

// Returns "ConditionalCheckFailed", … (docs/service/11-partiql.md, section 6), or "ValidationError"
// for an error that has no code of its own.
std::string_view StatementErrorCode(ErrorCode code) {
  struct Row {
    ErrorCode code;
    std::string_view name;
  };
  static constexpr Row kRows[] = {
      {ErrorCode::kConditionalCheckFailedException, "ConditionalCheckFailed"},
      {ErrorCode::kDuplicateItemException, "DuplicateItem"},
      {ErrorCode::kResourceNotFoundException, "ResourceNotFound"},
      {ErrorCode::kItemCollectionSizeLimitExceededException, "ItemCollectionSizeLimitExceeded"},
      {ErrorCode::kProvisionedThroughputExceededException, "ProvisionedThroughputExceeded"},
      {ErrorCode::kRequestLimitExceeded, "RequestLimitExceeded"},
      {ErrorCode::kThrottlingException, "ThrottlingError"},
      {ErrorCode::kTransactionConflictException, "TransactionConflict"},
      {ErrorCode::kAccessDeniedException, "AccessDenied"},
      {ErrorCode::kInternalServerError, "InternalServerError"},
      {ErrorCode::kInternalFailure, "InternalServerError"},
  };
  const auto row = std::ranges::find(kRows, code, &Row::code);
  return row == std::end(kRows) ? "ValidationError" : row->name;
}

// The capacity that a table's members used, and whether one of them succeeded.
struct TableMeter {
  CapacityMeter meter;
  bool has_succeeded = false;
};

// A write that failed because of the stored item is charged for what it attempted; a write that was
// refused is not charged (docs/service/11-partiql.md, section 6).
bool IsCharged(const Error& error) {
  return error.code == ErrorCode::kConditionalCheckFailedException ||
         error.code == ErrorCode::kDuplicateItemException;
}

void AddMember(const BatchMember& member, TableMeter* table) {
  if (member.error) {
    if (!member.charged_bytes || !IsCharged(*member.error)) return;
    table->meter.AddUnitsToTotalOnly(WriteUnitsOfSize(*member.charged_bytes));
    return;
  }
  table->has_succeeded = true;
  if (member.is_read()) {
    const std::size_t size_bytes = member.item ? member.item->size_bytes() : 0;
    table->meter.AddItemRead(size_bytes, ReadFactor(member.consistent));
  } else {
    table->meter.AddWrite(member.write.before_view(), member.write.after_view(), kWriteFactor);
  }
}

// Writes ConsumedCapacity: one entry for each table on which a member succeeded, in the order of
// the members; nothing if there is none, or if `capacity` is kNone.
void WriteBatchCapacity(std::span<const BatchMember> members, ReturnConsumedCapacity capacity,
                        Arena& arena, JsonWriter& answer) {
  if (capacity == ReturnConsumedCapacity::kNone) return;
  std::vector<TableMeter> tables;
  for (const BatchMember& member : members) {
    if (!member.names_table || !member.located.table) continue;
    auto table = std::ranges::find_if(tables, [&](const TableMeter& known) {
      return &known.meter.table() == member.located.table.get();
    });
    if (table == tables.end()) {
      table = tables.insert(
          table, {{*member.located.table, member.prepared.statement->table, arena}, false});
    }
    AddMember(member, &*table);
  }
  std::vector<CapacityMeter> meters;
  for (const TableMeter& table : tables) {
    if (table.has_succeeded) meters.push_back(table.meter);
  }
  if (!meters.empty()) {
    WriteConsumedCapacityList(meters, capacity, CapacityTwin::kNone, answer);
  }
}

void WriteItemMember(const BatchMember& member, Arena& arena, JsonWriter& answer) {
  const partiql::BoundStatement& bound = member.located.bound;
  if (member.is_read()) {
    if (!member.item) return;
    answer.Name("Item");
    WriteRow({member.located.table->key, member.item.get()}, bound, answer);
    return;
  }
  const ReturnedItem returned = MakeReturnedItem(member.write, bound, arena);
  if (returned.empty()) return;
  answer.Name("Item");
  WriteReturnedItem(returned, answer);
}

void WriteMember(const BatchMember& member, Arena& arena, JsonWriter& answer) {
  answer.BeginObject();
  if (member.error) {
    answer.BeginObject("Error");
    answer.StringMember("Code", StatementErrorCode(member.error->code));
    answer.StringMember("Message", member.error->message);
    answer.EndObject();
  } else {
    WriteItemMember(member, arena, answer);
  }
  if (member.names_table) {
    answer.StringMember("TableName", TableNameOf(member.prepared.statement->table));
  }
  answer.EndObject();
}

}  // namespace

Status BatchExecuteStatement(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchExecuteStatementRequest batch = ReadBatchExecuteStatementRequest(json);
  HR_RETURN_IF_ERROR(LocateMembers(context, &batch.members));
  for (BatchMember& member : batch.members) {
    if (member.error) continue;
    member.names_table = true;
    Status status = RunMember(context, batch.capacity, &member);
    if (!status.ok()) member.error = std::move(status).error();
  }
  answer.BeginObject();
  answer.BeginArray("Responses");
  for (const BatchMember& member : batch.members) WriteMember(member, context.arena, answer);
  answer.EndArray();
  WriteBatchCapacity(batch.members, batch.capacity, context.arena, answer);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
