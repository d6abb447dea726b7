// TransactWriteItems (docs/service/10-transactions.md).
#include <algorithm>
#include <string>
#include <vector>

#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "operation/table/table_lookup.h"
#include "operation/transaction/transaction_action.h"
#include "operation/transaction/transaction_commit.h"
#include "operation/transaction/transaction_rules.h"

namespace hashrange {
namespace {

struct TransactWriteItemsRequest {
  std::span<const JsonValue> entries;
  std::optional<std::string_view> token;
  ReturnConsumedCapacity capacity;
  bool returns_metrics;
  std::vector<TransactionAction> actions;
};

TransactWriteItemsRequest ReadTransactWriteItemsRequest(const RequestObject& request) {
  return {.entries = request.List("TransactItems"),
          .token = request.String("ClientRequestToken"),
          .capacity = ReadReturnConsumedCapacity(request),
          .returns_metrics = ReadReturnItemCollectionMetrics(request),
          .actions = {}};
}

// Reads the actions, checks each action alone, and checks the total size of all actions:
// docs/service/10-transactions.md, section 3, step 2.
Status ReadActions(Context& context, TransactWriteItemsRequest* request) {
  std::size_t payload_bytes = 0;
  for (const JsonValue& entry : request->entries) {
    HR_ASSIGN(TransactionAction action, ReadTransactionAction(RequestObject(entry), context));
    payload_bytes += PayloadBytes(action);
    request->actions.push_back(std::move(action));
  }
  if (payload_bytes > kMaxTransactionPayloadBytes) return PayloadTooLarge();
  return {};
}

// Step 4: the first action that does not fit its table's schema cancels the transaction.
Status CheckSchemas(std::span<const TransactionAction> actions) {
  CancellationReasons reasons(actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Status status = CheckActionSchema(actions[i]);
    if (!status.ok()) reasons.AddFirst(i, std::move(status).error().message);
  }
  return std::move(reasons).Finish();
}

// Steps 3 and 4: checks that the tables exist, that no key is empty, that no item is named twice,
// and the schemas. Gives every action its table and position.
Status Locate(Context& context, std::span<TransactionAction> actions) {
  TablesOfCall tables(context);
  for (TransactionAction& action : actions) {
    HR_ASSIGN(action.table, tables.Find(action.table_name));
  }
  for (const TransactionAction& action : actions) HR_RETURN_IF_ERROR(CheckActionValues(action));
  std::vector<ItemAddress> addresses;
  for (TransactionAction& action : actions) {
    if (!HasKey(action.table->key, action.attributes)) continue;
    action.position = PositionOf(action.table->key, action.attributes, context.arena);
    addresses.push_back({action.table.get(), action.position});
  }
  HR_RETURN_IF_ERROR(CheckNoItemTwice(addresses, context.arena));
  return CheckSchemas(actions);
}

// Returns the tables of the actions, each once, in the order of the request.
std::vector<const TableVersion*> DistinctTables(std::span<const TransactionAction> actions) {
  std::vector<const TableVersion*> tables;
  for (const TransactionAction& action : actions) {
    const TableVersion* const table = action.table.get();
    if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
  }
  return tables;
}

// Returns the tables with a local index that the transaction wrote to: only these have metrics.
std::vector<const TableVersion*> TablesWithMetrics(std::span<const TransactionAction> actions) {
  std::vector<const TableVersion*> tables = DistinctTables(actions);
  std::erase_if(tables, [&](const TableVersion* table) {
    return !HasLocalIndex(*table) || std::ranges::none_of(actions, [&](const auto& action) {
      return action.table.get() == table && Writes(action);
    });
  });
  return tables;
}

void WriteMetrics(const TransactWriteItemsRequest& request, JsonWriter& answer) {
  if (!request.returns_metrics) return;
  const std::vector<const TableVersion*> tables = TablesWithMetrics(request.actions);
  if (tables.empty()) return;
  answer.BeginObject("ItemCollectionMetrics");
  for (const TableVersion* table : tables) {
    answer.BeginArray(table->name);
    const std::string& hash = table->key.hash[0].name;
    for (const TransactionAction& action : request.actions) {
      if (action.table.get() != table || !Writes(action)) continue;
      WriteItemCollectionMetrics(hash, *FindAttribute(action.attributes, hash), answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void WriteTransactWriteItemsAnswer(const TransactWriteItemsRequest& request,
                                   std::span<const CapacityMeter> meters, CapacityTwin twin,
                                   JsonWriter& answer) {
  answer.BeginObject();
  WriteConsumedCapacityList(meters, request.capacity, twin, answer);
  if (twin == CapacityTwin::kWrite) WriteMetrics(request, answer);
  answer.EndObject();
}

}  // namespace

Status TransactWriteItems(Context& context, const RequestObject& json, JsonWriter& answer) {
  TransactWriteItemsRequest request = ReadTransactWriteItemsRequest(json);
  HR_RETURN_IF_ERROR(ReadActions(context, &request));
  HR_RETURN_IF_ERROR(Locate(context, request.actions));
  const std::span<TransactionAction> actions = request.actions;
  const auto digest = [&] { return DigestOfActions(actions); };
  const auto locate = [&] { return Locate(context, actions); };
  const auto write = [&](std::span<const CapacityMeter> meters, CapacityTwin twin) {
    WriteTransactWriteItemsAnswer(request, meters, twin, answer);
  };
  return RunTransaction(context, {.actions = actions,
                                  .token = request.token,
                                  .api = IdempotencyTokens::Api::kTransactWriteItems,
                                  .capacity = request.capacity,
                                  .digest = digest,
                                  .locate = locate,
                                  .write = write});
}

}  // namespace hashrange
