// BatchExecuteStatement (docs/service/11-partiql.md, section 6): up to 25 statements, each of which
// succeeds or fails alone.
#include <algorithm>
#include <string>
#include <vector>

#include "expression/partiql/key_plan.h"
#include "operation/call/operations.h"
#include "operation/parameter/access_usage.h"
#include "operation/parameter/duplicate_keys.h"
#include "operation/read/read_lag.h"
#include "operation/statement/batch_member.h"
#include "operation/statement/read_intervals.h"
#include "operation/statement/statement_error_code.h"
#include "operation/statement/statement_row.h"
#include "operation/statement/statement_write.h"
#include "operation/table/table_lookup.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

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
  HR_RETURN_IF_ERROR(CheckInsertedSize(located.bound));
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
    const double units = static_cast<double>(ReadUnits(stored.size_bytes()));
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
    answer.Name("Error");
    answer.BeginObject();
    answer.Name("Code");
    answer.String(StatementErrorCode(member.error->code));
    answer.Name("Message");
    answer.String(member.error->message);
    answer.EndObject();
  } else {
    WriteItemMember(member, arena, answer);
  }
  if (member.names_table) {
    answer.Name("TableName");
    answer.String(TableNameOf(member.prepared.statement->table));
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
  answer.Name("Responses");
  answer.BeginArray();
  for (const BatchMember& member : batch.members) WriteMember(member, context.arena, answer);
  answer.EndArray();
  WriteBatchCapacity(batch.members, batch.capacity, context.arena, answer);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
