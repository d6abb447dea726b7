// TransactGetItems (reference 10).
#include <algorithm>
#include <string>
#include <vector>

#include "operation/consumed_capacity.h"
#include "operation/duplicate_keys.h"
#include "operation/expression_parameters.h"
#include "operation/item_key.h"
#include "operation/operations.h"
#include "operation/read_projection.h"
#include "operation/table_lookup.h"
#include "operation/transaction_gate.h"
#include "wire/attribute_json.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxAnswerBytes = 4 << 20;

struct Get {
  std::string_view table_name;
  std::span<const Attribute> key;
  Projection projection;
  TableRef table;
  ItemRef item;
};

struct TransactGetItemsRequest {
  std::span<const JsonValue> entries;
  ReturnConsumedCapacity capacity;
};

TransactGetItemsRequest Read(const RequestObject& request) {
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

// A key that does not fit its schema cancels the transaction, an empty one refuses it.
Status CheckKeys(std::span<const Get> gets) {
  for (const Get& get : gets) {
    if (!CheckKeyMatchesSchema(get.table->key, get.key).ok()) continue;
    HR_RETURN_IF_ERROR(CheckKeyValues(get.table->key, get.key));
  }
  return {};
}

Status CheckSchemas(std::span<const Get> gets) {
  for (std::size_t i = 0; i < gets.size(); ++i) {
    Status status = CheckKeyMatchesSchema(gets[i].table->key, gets[i].key);
    if (status.ok()) continue;
    std::vector<CancellationReason> reasons(gets.size());
    reasons[i] = {"ValidationError", std::move(status).error().message, {}};
    return TransactionCanceled(std::move(reasons));
  }
  return {};
}

// Every later check, then one Read of all items, as of one instant.
Status Run(Context& context, const TransactGetItemsRequest& request, std::vector<Get>* gets) {
  for (const JsonValue& entry : request.entries) {
    HR_ASSIGN(Get get, ReadGet(RequestObject(entry), context));
    gets->push_back(std::move(get));
  }
  for (Get& get : *gets) {
    HR_ASSIGN(get.table, FindTable(context, get.table_name));
  }
  HR_RETURN_IF_ERROR(CheckKeys(*gets));
  std::vector<ItemAddress> addresses;
  for (const Get& get : *gets) {
    if (!CheckKeyMatchesSchema(get.table->key, get.key).ok()) continue;
    addresses.push_back({get.table.get(), PositionOf(get.table->key, get.key, context.arena)});
  }
  if (HasDuplicateAddresses(addresses, context.arena)) {
    return ValidationError("Transaction request cannot include multiple operations on one item");
  }
  HR_RETURN_IF_ERROR(CheckSchemas(*gets));
  for (const Get& get : *gets) {
    HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(get.projection.paths(), *get.table));
  }
  std::vector<Access> accesses;
  for (const ItemAddress& address : addresses) {
    accesses.push_back({Access::Kind::kRead, address.table, nullptr, address.position});
  }
  if (auto refused = EnterAll(context, accesses)) return *std::move(refused);
  std::vector<ItemRef> items(addresses.size());
  context.engine.Read(addresses, items);
  std::size_t size_bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i]) size_bytes += items[i]->size_bytes();
    (*gets)[i].item = std::move(items[i]);
  }
  if (size_bytes > kMaxAnswerBytes) {
    for (const Access& access : accesses) context.Leave(access, 0);
    return ValidationError("Transaction response size cannot exceed 4194304 bytes");
  }
  return {};
}

void WriteCapacity(Context& context, const TransactGetItemsRequest& request,
                   std::span<const Get> gets, JsonWriter& answer) {
  if (request.capacity == ReturnConsumedCapacity::kNone && !context.gate) return;
  std::vector<CapacityMeter> meters;
  for (const Get& get : gets) {
    // Two look-ups of one table may have found two versions of it.
    auto meter = std::ranges::find(meters, get.table->table,
                                   [](const CapacityMeter& m) { return m.table().table; });
    if (meter == meters.end()) {
      meter = meters.insert(meters.end(), CapacityMeter(*get.table, context.arena));
    }
    const double before = meter->total();
    meter->AddItemRead(get.item ? get.item->size_bytes() : 0, kTransactional);
    const Position position = PositionOf(get.table->key, get.key, context.arena);
    context.Leave({Access::Kind::kRead, get.table.get(), nullptr, position},
                  meter->total() - before);
  }
  WriteConsumedCapacityList(meters, request.capacity, CapacityTwin::kRead, answer);
}

void Write(Context& context, const TransactGetItemsRequest& request, std::span<const Get> gets,
           JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("Responses");
  answer.BeginArray();
  for (const Get& get : gets) {
    answer.BeginObject();
    if (get.item) {
      answer.Name("Item");
      WriteProjected({get.table->key, get.item.get()}, get.projection, context.arena, answer);
    }
    answer.EndObject();
  }
  answer.EndArray();
  WriteCapacity(context, request, gets, answer);
  answer.EndObject();
}

}  // namespace

Status TransactGetItems(Context& context, const RequestObject& json, JsonWriter& answer) {
  const TransactGetItemsRequest request = Read(json);
  std::vector<Get> gets;
  HR_RETURN_IF_ERROR(Run(context, request, &gets));
  Write(context, request, gets, answer);
  return {};
}

}  // namespace hashrange
