// GetItem (docs/service/05-item-operations.md).
#include "operation/call/operations.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/read_projection.h"
#include "operation/read/read_lag.h"
#include "operation/table/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct GetItemRequest {
  std::string_view table_name;
  const JsonValue* key;
  ExpressionParameters expressions;
  bool consistent;
  ReturnConsumedCapacity capacity;
};

struct GetItemOutcome {
  TableRef table;
  ItemRef item;
  Projection projection;
  CapacityMeter meter;
};

GetItemRequest ReadGetItemRequest(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .key = request.Find("Key"),
          .expressions = ReadExpressionParameters(request, {ExpressionKind::kProjection}),
          .consistent = request.Boolean("ConsistentRead").value_or(false),
          .capacity = ReadReturnConsumedCapacity(request)};
}

Result<GetItemOutcome> RunGetItem(Context& context, const RequestObject& json,
                                  const GetItemRequest& request) {
  HR_RETURN_IF_ERROR(
      CheckExpressionParameters(json, request.expressions, context.layer, {"AttributesToGet"}, {}));
  HR_ASSIGN(const std::span<const Attribute> key,
            ReadAttributes(*request.key, context.layer, context.arena));
  HR_ASSIGN(const Projection projection, ReadProjection(json, request.expressions, context));
  HR_ASSIGN(TableRef table, FindTable(context, request.table_name));
  HR_RETURN_IF_ERROR(CheckKey(table->key, key));
  HR_RETURN_IF_ERROR(CheckKeyPathsAreScalar(projection.paths(), *table));

  const Position position = PositionOf(table->key, key, context.arena);
  Access access{.table = table.get(), .key = position, .consistent = request.consistent};
  if (context.gate) access.terms = context.Keep({.projection = projection});
  if (auto refused = context.Enter(access)) return *std::move(refused);
  const ReadView view = ReadViewOf(*table, nullptr, request.consistent);
  const ItemAddress address{view.table, position};
  GetItemOutcome outcome{std::move(table), nullptr, projection, {}};
  context.engine.Read({&address, 1}, {&outcome.item, 1});
  if (request.capacity != ReturnConsumedCapacity::kNone || context.gate) {
    outcome.meter = CapacityMeter(*outcome.table, request.table_name, context.arena);
    outcome.meter.AddItemRead(outcome.item ? outcome.item->size_bytes() : 0,
                              ReadFactor(request.consistent));
  }
  if (context.gate) {
    const ItemView stored(outcome.table->key, outcome.item.get());
    context.Leave(access, UsageOfRead(outcome.meter.total(), stored,
                                      AnsweredSizeBytes(stored, projection, context.arena)));
  }
  return outcome;
}

void WriteGetItemAnswer(Context& context, const GetItemRequest& request,
                        const GetItemOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  if (outcome.item) {
    answer.Name("Item");
    WriteProjected({outcome.table->key, outcome.item.get()}, outcome.projection, context.arena,
                   answer);
  }
  WriteConsumedCapacityMember(outcome.meter, request.capacity, answer);
  answer.EndObject();
}

}  // namespace

Status GetItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const GetItemRequest request = ReadGetItemRequest(json);
  HR_ASSIGN(const GetItemOutcome outcome, RunGetItem(context, json, request));
  WriteGetItemAnswer(context, request, outcome, answer);
  return {};
}

}  // namespace hashrange
