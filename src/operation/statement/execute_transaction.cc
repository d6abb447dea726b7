// ExecuteTransaction (docs/service/11-partiql.md, section 7): its statements all read at one
// instant, or all write in one commit.
#include <algorithm>
#include <string>
#include <vector>

#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/statement/statement_row.h"
#include "operation/statement/transaction_statement.h"
#include "operation/table/table_lookup.h"
#include "operation/transaction/transaction_capacity.h"
#include "operation/transaction/transaction_commit.h"
#include "operation/transaction/transaction_read.h"

namespace hashrange {
namespace {

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

void WriteReadAnswer(Context& context, const ExecuteTransactionRequest& request,
                     std::span<const TransactionStatement> statements,
                     std::span<const TransactionRead> reads, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("Responses");
  answer.BeginArray();
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
    answer.Name("Responses");
    answer.BeginArray();
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
