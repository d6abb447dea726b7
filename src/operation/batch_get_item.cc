// BatchGetItem (reference 07, section 1).
#include <algorithm>
#include <string>
#include <vector>

#include "operation/batch_gate.h"
#include "operation/consumed_capacity.h"
#include "operation/duplicate_keys.h"
#include "operation/expression_parameters.h"
#include "operation/item_key.h"
#include "operation/operations.h"
#include "operation/read_lag.h"
#include "operation/read_projection.h"
#include "operation/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxKeys = 100;
constexpr std::size_t kMaxAnswerBytes = 16 << 20;

// The part of the request for one table.
struct TableRequest {
  std::string_view name;  // as sent
  const JsonValue* json = nullptr;
  std::span<std::span<const Attribute>> keys;
  Projection projection;
  bool consistent = false;
  TableRef table;
  ReadView view;             // of the table: what is read
  std::span<ItemRef> items;  // one for each key
  std::span<bool> admitted;  // by the gate, one for each key
  std::span<bool> answered;  // in the answer, or not stored; the rest is unprocessed
};

struct BatchGetItemRequest {
  std::vector<TableRequest> tables;
  ReturnConsumedCapacity capacity;
};

BatchGetItemRequest Read(const RequestObject& request) {
  BatchGetItemRequest batch{{}, ReadReturnConsumedCapacity(request)};
  for (const JsonMember& entry : request.Find("RequestItems")->members()) {
    TableRequest table;
    table.name = entry.name;
    table.json = &entry.value;
    table.consistent = RequestObject(entry.value).Boolean("ConsistentRead").value_or(false);
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

// Expressions in one table and their legacy rivals in another are refused like both in
// one.
Status CheckMixing(const BatchGetItemRequest& batch) {
  bool legacy = false, expression = false;
  for (const TableRequest& table : batch.tables) {
    legacy |= table.json->Find("AttributesToGet") != nullptr;
    expression |= table.json->Find("ProjectionExpression") != nullptr;
  }
  if (!legacy || !expression) return {};
  return ValidationError(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributesToGet} Expression parameters: "
      "{ProjectionExpression}");
}

Status ReadKeys(Context& context, TableRequest* table) {
  const auto keys = RequestObject(*table->json).List("Keys");
  table->keys = context.arena.NewArray<std::span<const Attribute>>(keys.size());
  table->admitted = context.arena.NewArray<bool>(keys.size());
  table->answered = context.arena.NewArray<bool>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    HR_ASSIGN(table->keys[i], ReadAttributes(keys[i], context.layer, context.arena));
  }
  return {};
}

// The checks that need no table, each of all tables before the next.
Status Check(Context& context, BatchGetItemRequest* batch) {
  HR_RETURN_IF_ERROR(CheckMixing(*batch));
  for (TableRequest& table : batch->tables) {
    const RequestObject json(*table.json);
    const ExpressionParameters expressions =
        ReadExpressionParameters(json, {ExpressionKind::kProjection});
    HR_RETURN_IF_ERROR(CheckExpressionParameters(json, expressions, context.layer, {}, {}));
    HR_ASSIGN(table.projection, ReadProjection(json, expressions, context));
  }
  std::size_t count = 0;
  for (TableRequest& table : batch->tables) {
    HR_RETURN_IF_ERROR(ReadKeys(context, &table));
    count += table.keys.size();
  }
  for (const TableRequest& table : batch->tables) {
    if (HasDuplicateKeys(table.keys, context.arena)) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  if (count <= kMaxKeys) return {};
  return ValidationError("Too many items requested for the BatchGetItem call");
}

Status CheckTable(const TableRequest& table) {
  for (const auto& key : table.keys) HR_RETURN_IF_ERROR(CheckKey(table.table->key, key));
  return CheckKeyPathsAreScalar(table.projection.paths(), *table.table);
}

Access AccessOf(const TableRequest& table, std::size_t i, Arena& arena) {
  return {Access::Kind::kRead, table.table.get(), nullptr,
          PositionOf(table.table->key, table.keys[i], arena)};
}

// Lets out again what the gate let in.
void LeaveAdmitted(Context& context, const BatchGetItemRequest& batch) {
  for (const TableRequest& table : batch.tables) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      if (table.admitted[i]) context.Leave(AccessOf(table, i, context.arena), {});
    }
  }
}

// The addresses of all keys that the gate lets in; fails when it refuses them all, or one with an
// error that is the whole batch's.
Result<std::vector<ItemAddress>> Admit(Context& context, BatchGetItemRequest* batch) {
  std::vector<ItemAddress> addresses;
  std::optional<Error> first_refusal;
  for (TableRequest& table : batch->tables) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      const Access access = AccessOf(table, i, context.arena);
      std::optional<Error> refused = context.Enter(access);
      if (refused && !IsUnprocessed(refused->code)) {
        LeaveAdmitted(context, *batch);
        return *std::move(refused);
      }
      table.admitted[i] = !refused;
      if (!refused) addresses.push_back({table.view.table, access.key});
      if (refused && !first_refusal) first_refusal = std::move(refused);
    }
  }
  if (addresses.empty() && first_refusal) return *std::move(first_refusal);
  return addresses;
}

Status FindTables(Context& context, BatchGetItemRequest* batch) {
  for (TableRequest& table : batch->tables) {
    HR_ASSIGN(table.table, FindTable(context, table.name));
  }
  return {};
}

// One Read for all keys of all tables. `items` is where they stay.
Status Run(Context& context, BatchGetItemRequest* batch, std::vector<ItemRef>* items) {
  HR_RETURN_IF_ERROR(Check(context, batch));
  HR_RETURN_IF_ERROR(FindTogether(context, [&] { return FindTables(context, batch); }));
  for (const TableRequest& table : batch->tables) HR_RETURN_IF_ERROR(CheckTable(table));
  for (TableRequest& table : batch->tables) {
    table.view = ViewOf(*table.table, nullptr, table.consistent);
  }
  HR_ASSIGN(const std::vector<ItemAddress> addresses, Admit(context, batch));
  std::vector<ItemRef> found(addresses.size());
  context.engine.Read(addresses, found);
  items->resize(kMaxKeys);
  std::size_t next_key = 0, next_found = 0;
  for (TableRequest& table : batch->tables) {
    table.items = std::span(*items).subspan(next_key, table.keys.size());
    next_key += table.keys.size();
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      if (table.admitted[i]) table.items[i] = std::move(found[next_found++]);
    }
  }
  return {};
}

// What the answered keys cost; tells the gate of every key it let in.
CapacityMeter MeterOf(Context& context, const TableRequest& table) {
  CapacityMeter meter(*table.table, context.arena);
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const double before = meter.total();
    const ItemRef& item = table.items[i];
    if (table.answered[i]) {
      meter.AddItemRead(item ? item->size_bytes() : 0, ReadFactor(table.consistent));
    }
    if (context.gate && table.admitted[i]) {
      const Item* const answered = table.answered[i] ? item.get() : nullptr;
      context.Leave(AccessOf(table, i, context.arena),
                    UsageOfRead(meter.total() - before, answered));
    }
  }
  return meter;
}

void WriteResponses(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  std::size_t size_bytes = 0;
  answer.Name("Responses");
  answer.BeginObject();
  for (TableRequest& table : batch->tables) {
    answer.Name(table.name);
    answer.BeginArray();
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      if (!table.admitted[i]) continue;
      const ItemRef& item = table.items[i];
      if (item && size_bytes + item->size_bytes() > kMaxAnswerBytes) break;
      table.answered[i] = true;
      if (!item) continue;
      size_bytes += item->size_bytes();
      WriteProjected({table.table->key, item.get()}, table.projection, context.arena, answer);
    }
    answer.EndArray();
  }
  answer.EndObject();
}

void WriteUnprocessedTable(const TableRequest& table, JsonWriter& answer) {
  answer.Name(table.name);
  answer.BeginObject();
  answer.Name("Keys");
  answer.BeginArray();
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    if (!table.answered[i]) WriteAttributes(table.keys[i], answer);
  }
  answer.EndArray();
  for (const JsonMember& member : table.json->members()) {
    if (member.name == "Keys" || member.value.is_null()) continue;
    answer.Name(member.name);
    WriteJson(member.value, answer);
  }
  answer.EndObject();
}

void Write(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  answer.BeginObject();
  WriteResponses(context, batch, answer);
  answer.Name("UnprocessedKeys");
  answer.BeginObject();
  for (const TableRequest& table : batch->tables) {
    if (std::ranges::find(table.answered, false) == table.answered.end()) continue;
    WriteUnprocessedTable(table, answer);
  }
  answer.EndObject();
  if (batch->capacity != ReturnConsumedCapacity::kNone || context.gate) {
    std::vector<CapacityMeter> meters;
    for (const TableRequest& table : batch->tables) meters.push_back(MeterOf(context, table));
    WriteConsumedCapacityList(meters, batch->capacity, CapacityTwin::kNone, answer);
  }
  answer.EndObject();
}

}  // namespace

Status BatchGetItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchGetItemRequest request = Read(json);
  std::vector<ItemRef> items;
  HR_RETURN_IF_ERROR(Run(context, &request, &items));
  Write(context, &request, answer);
  return {};
}

}  // namespace hashrange
