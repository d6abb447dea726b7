// ExecuteStatement (docs/service/11-partiql.md, sections 1 to 5).
#include "operation/call/operations.h"
#include "operation/parameter/return_values.h"
#include "operation/read/page.h"
#include "operation/statement/next_token.h"
#include "operation/statement/prepared_statement.h"
#include "operation/statement/statement_read.h"
#include "operation/statement/statement_write.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

struct ExecuteStatementRequest {
  std::string_view statement;
  PageOptions page;
  std::optional<std::string_view> next_token;
  bool old_on_condition_failure;
};

ExecuteStatementRequest ReadExecuteStatementRequest(const RequestObject& request) {
  return {.statement = *request.String("Statement"),
          .page = ReadPageOptions(request),
          .next_token = request.String("NextToken"),
          .old_on_condition_failure = ReadOldOnConditionCheckFailure(request)};
}

Status RunSelect(Context& context, const ExecuteStatementRequest& request,
                 const PreparedStatement& prepared, JsonWriter& answer) {
  HR_ASSIGN(const LocatedStatement located,
            LocateRead(context, prepared, FindTable(context, prepared.statement->table)));
  const SelectRequest select{.text = request.statement,
                             .parameters = prepared.parameters,
                             .limit = request.page.limit,
                             .consistent = request.page.consistent,
                             .next_token = request.next_token,
                             .capacity = request.page.capacity};
  return AnswerSelect(context, select, located, answer);
}

Status RunWrite(Context& context, const ExecuteStatementRequest& request,
                const PreparedStatement& prepared, JsonWriter& answer) {
  HR_ASSIGN(const partiql::BoundStatement bound,
            partiql::BindStatement(prepared.statement, prepared.parameters, context.arena));
  // No write ever returns a token, so this one is invalid (the text is unverified).
  if (request.next_token) return InvalidNextToken();
  const SingleWriteOptions options{.old_on_condition_failure = request.old_on_condition_failure,
                                   .capacity = request.page.capacity};
  std::optional<std::size_t> charged_bytes;
  HR_ASSIGN(const SingleWriteOutcome outcome,
            RunStatementWrite(context, bound, options, &charged_bytes));
  answer.BeginObject();
  answer.BeginArray("Items");
  const ReturnedItem returned = MakeReturnedItem(outcome, bound, context.arena);
  if (!returned.empty()) WriteReturnedItem(returned, answer);
  answer.EndArray();
  WriteSingleWriteMembers(outcome, options, answer);
  answer.EndObject();
  return {};
}

}  // namespace

Status ExecuteStatement(Context& context, const RequestObject& json, JsonWriter& answer) {
  const ExecuteStatementRequest request = ReadExecuteStatementRequest(json);
  HR_ASSIGN(const PreparedStatement prepared, PrepareStatement(json, context));
  switch (prepared.statement->kind) {
    case partiql::StatementKind::kSelect:
      return RunSelect(context, request, prepared, answer);
    case partiql::StatementKind::kExists:
      return ExistsOutsideTransaction();
    default:
      return RunWrite(context, request, prepared, answer);
  }
}

}  // namespace hashrange
