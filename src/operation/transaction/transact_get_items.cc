// TransactGetItems (docs/service/10-transactions.md).
#include <vector>

#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/read_projection.h"
#include "operation/table/table_lookup.h"
#include "operation/transaction/transaction_read.h"
#include "operation/transaction/transaction_rules.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct TransactGetItemsRequest {
  std::span<const JsonValue> entries;
  ReturnConsumedCapacity capacity;
};

TransactGetItemsRequest ReadTransactGetItemsRequest(const RequestObject& request) {
  return {.entries = request.List("TransactItems"),
          .capacity = ReadReturnConsumedCapacity(request)};
}

Result<TransactionRead> ReadGet(const RequestObject& entry, const Context& context) {
  const RequestObject json = *entry.Object("Get");
  TransactionRead get;
  get.table_name = *json.String("TableName");
  const ExpressionParameters texts = ReadExpressionParameters(json, {ExpressionKind::kProjection});
  HR_ASSIGN(get.key, ReadAttributes(*json.Find("Key"), context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, texts, context.layer, {}, {}));
  HR_ASSIGN(const BoundExpressions bound, BindExpressions(texts, context.layer, context.arena));
  get.projection = bound.projection;
  return get;
}

// Refuses the whole request when a key value is empty or too long. A key that does not match its
// schema is skipped here: for such a key CheckSchemas cancels the transaction.
Status CheckKeys(std::span<const TransactionRead> gets) {
  for (const TransactionRead& get : gets) {
    if (!CheckKeyMatchesSchema(get.table->key, get.key).ok()) continue;
    HR_RETURN_IF_ERROR(CheckKeyValues(get.table->key, get.key));
  }
  return {};
}

// The first key that does not fit its table's schema cancels the transaction.
Status CheckSchemas(std::span<const TransactionRead> gets) {
  CancellationReasons reasons(gets.size());
  for (std::size_t i = 0; i < gets.size(); ++i) {
    Status status = CheckKeyMatchesSchema(gets[i].table->key, gets[i].key);
    if (!status.ok()) reasons.AddFirst(i, std::move(status).error().message);
  }
  return std::move(reasons).Finish();
}

// Looks the tables up, checks the keys and gives every read its table and position.
Status Locate(Context& context, TablesOfCall& tables, std::span<TransactionRead> gets) {
  for (TransactionRead& get : gets) {
    HR_ASSIGN(get.table, tables.Find(get.table_name));
  }
  HR_RETURN_IF_ERROR(CheckKeys(gets));
  std::vector<ItemAddress> addresses;
  for (TransactionRead& get : gets) {
    if (!CheckKeyMatchesSchema(get.table->key, get.key).ok()) continue;
    get.position = PositionOf(get.table->key, get.key, context.arena);
    addresses.push_back({get.table.get(), get.position});
  }
  HR_RETURN_IF_ERROR(CheckNoItemTwice(addresses, context.arena));
  HR_RETURN_IF_ERROR(CheckSchemas(gets));
  for (const TransactionRead& get : gets) {
    HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(get.projection.paths(), *get.table));
  }
  return {};
}

// An item without any of the projected attributes is answered as if it did not exist.
void WriteItemMember(const TransactionRead& get, Arena& arena, JsonWriter& answer) {
  const ItemView item(get.table->key, get.item.get());
  if (get.projection.empty()) {
    answer.Name("Item");
    WriteItem(item, answer);
    return;
  }
  const std::span<const Attribute> projected = get.projection.Apply(item, arena);
  if (projected.empty()) return;
  answer.Name("Item");
  WriteAttributes(projected, answer);
}

void WriteTransactGetItemsAnswer(Context& context, const TransactGetItemsRequest& request,
                                 std::span<const TransactionRead> gets, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Responses");
  for (const TransactionRead& get : gets) {
    answer.BeginObject();
    if (get.item) WriteItemMember(get, context.arena, answer);
    answer.EndObject();
  }
  answer.EndArray();
  const auto answered_bytes = [&](std::size_t i) {
    const ItemView item(gets[i].table->key, gets[i].item.get());
    return AnsweredSizeBytes(item, gets[i].projection, context.arena);
  };
  WriteCapacityOfReads(context, request.capacity, gets, answered_bytes, answer);
  answer.EndObject();
}

}  // namespace

Status TransactGetItems(Context& context, const RequestObject& json, JsonWriter& answer) {
  const TransactGetItemsRequest request = ReadTransactGetItemsRequest(json);
  std::vector<TransactionRead> gets;
  for (const JsonValue& entry : request.entries) {
    HR_ASSIGN(TransactionRead get, ReadGet(RequestObject(entry), context));
    gets.push_back(std::move(get));
  }
  HR_RETURN_IF_ERROR(
      FindTogether(context, [&](TablesOfCall& tables) { return Locate(context, tables, gets); }));
  HR_RETURN_IF_ERROR(ReadTogether(context, gets));
  WriteTransactGetItemsAnswer(context, request, gets, answer);
  return {};
}

}  // namespace hashrange
