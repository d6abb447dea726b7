// TransactGetItems (docs/service/10-transactions.md).
#include <string>
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

struct Get {
  std::string_view table_name;
  std::span<const Attribute> key;
  Projection projection;
};

struct TransactGetItemsRequest {
  std::span<const JsonValue> entries;
  ReturnConsumedCapacity capacity;
};

TransactGetItemsRequest ReadTransactGetItemsRequest(const RequestObject& request) {
  return {.entries = request.List("TransactItems"),
          .capacity = ReadReturnConsumedCapacity(request)};
}

Result<Get> ReadGet(const RequestObject& entry, const Context& context) {
  const RequestObject json = *entry.Object("Get");
  Get get;
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
Status CheckKeys(std::span<const Get> gets, std::span<const TransactionRead> reads) {
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const KeySchema& key = reads[i].table->key;
    if (!CheckKeyMatchesSchema(key, gets[i].key).ok()) continue;
    HR_RETURN_IF_ERROR(CheckKeyValues(key, gets[i].key));
  }
  return {};
}

// The first key that does not fit its table's schema cancels the transaction.
Status CheckSchemas(std::span<const Get> gets, std::span<const TransactionRead> reads) {
  CancellationReasons reasons(gets.size());
  for (std::size_t i = 0; i < gets.size(); ++i) {
    Status status = CheckKeyMatchesSchema(reads[i].table->key, gets[i].key);
    if (!status.ok()) reasons.AddFirst(i, std::move(status).error().message);
  }
  return std::move(reasons).Finish();
}

// Looks the tables up, checks the keys and gives every read its table and position.
Status Locate(Context& context, TablesOfCall& tables, std::span<const Get> gets,
              std::span<TransactionRead> reads) {
  for (std::size_t i = 0; i < gets.size(); ++i) {
    reads[i].table_name = gets[i].table_name;
    HR_ASSIGN(reads[i].table, tables.Find(gets[i].table_name));
  }
  HR_RETURN_IF_ERROR(CheckKeys(gets, reads));
  std::vector<ItemAddress> addresses;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const KeySchema& key = reads[i].table->key;
    if (!CheckKeyMatchesSchema(key, gets[i].key).ok()) continue;
    reads[i].position = PositionOf(key, gets[i].key, context.arena);
    reads[i].projection = gets[i].projection;
    addresses.push_back({reads[i].table.get(), reads[i].position});
  }
  HR_RETURN_IF_ERROR(CheckNoItemTwice(addresses, context.arena));
  HR_RETURN_IF_ERROR(CheckSchemas(gets, reads));
  for (std::size_t i = 0; i < gets.size(); ++i) {
    HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(gets[i].projection.paths(), *reads[i].table));
  }
  return {};
}

// An item without any of the projected attributes is answered as if it did not exist.
void WriteItemMember(const Get& get, ItemView item, Arena& arena, JsonWriter& answer) {
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
                                 std::span<const Get> gets, std::span<const TransactionRead> reads,
                                 JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("Responses");
  for (std::size_t i = 0; i < gets.size(); ++i) {
    answer.BeginObject();
    const TransactionRead& read = reads[i];
    if (read.item) {
      WriteItemMember(gets[i], {read.table->key, read.item.get()}, context.arena, answer);
    }
    answer.EndObject();
  }
  answer.EndArray();
  const auto answered_bytes = [&](std::size_t i) {
    const ItemView item(reads[i].table->key, reads[i].item.get());
    return AnsweredSizeBytes(item, gets[i].projection, context.arena);
  };
  WriteCapacityOfReads(context, request.capacity, reads, answered_bytes, answer);
  answer.EndObject();
}

}  // namespace

Status TransactGetItems(Context& context, const RequestObject& json, JsonWriter& answer) {
  const TransactGetItemsRequest request = ReadTransactGetItemsRequest(json);
  std::vector<Get> gets;
  for (const JsonValue& entry : request.entries) {
    HR_ASSIGN(Get get, ReadGet(RequestObject(entry), context));
    gets.push_back(std::move(get));
  }
  std::vector<TransactionRead> reads(gets.size());
  HR_RETURN_IF_ERROR(FindTogether(
      context, [&](TablesOfCall& tables) { return Locate(context, tables, gets, reads); }));
  HR_RETURN_IF_ERROR(ReadTogether(context, reads));
  WriteTransactGetItemsAnswer(context, request, gets, reads, answer);
  return {};
}

}  // namespace hashrange
