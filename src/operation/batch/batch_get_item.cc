// BatchGetItem (docs/service/07-batch.md, section 1): up to 100 keys are read at one instant.
#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "operation/batch/batch_gate.h"
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

constexpr std::size_t kMaxKeys = 100;
constexpr std::size_t kMaxAnswerBytes = 16 << 20;

// The part of the request for one table. It is a view of the request and its arena.
struct BatchReadTable {
  std::string_view name;  // as sent
  const JsonValue* json = nullptr;
  std::span<std::span<const Attribute>> keys;
  Projection projection;
  bool consistent = false;
  TableRef table;
  ReadView view;                         // of `table`
  std::uint32_t first_member = 0;        // Access::member of the first key
  const AccessTerms* terms = &kNoTerms;  // of each access to a key
  std::span<ItemRef> items;              // one for each key
  std::span<bool> admitted;              // one for each key: the gate has admitted it
  // One for each key. True: the item is in the answer, or is not stored. False: the key is
  // unprocessed.
  std::span<bool> answered;
};

struct BatchGetItemRequest {
  std::vector<BatchReadTable> tables;
  ReturnConsumedCapacity capacity;
};

BatchGetItemRequest ReadBatchGetItemRequest(const RequestObject& request) {
  BatchGetItemRequest batch{{}, ReadReturnConsumedCapacity(request)};
  for (const JsonMember& entry : request.Find("RequestItems")->members()) {
    BatchReadTable table;
    table.name = entry.name;
    table.json = &entry.value;
    table.consistent = RequestObject(entry.value).Boolean("ConsistentRead").value_or(false);
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

// Refuses an expression together with a legacy member, even if they are in the parts of the request
// for different tables.
Status CheckMixingAcrossTables(std::span<const BatchReadTable> tables) {
  bool has_legacy = false, has_expression = false;
  for (const BatchReadTable& table : tables) {
    has_legacy |= table.json->Find("AttributesToGet") != nullptr;
    has_expression |= table.json->Find("ProjectionExpression") != nullptr;
  }
  if (!has_legacy || !has_expression) return {};
  return ValidationError(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributesToGet} Expression parameters: "
      "{ProjectionExpression}");
}

Status ReadKeys(Context& context, BatchReadTable* table) {
  const auto keys = RequestObject(*table->json).List("Keys");
  table->keys = context.arena.NewArray<std::span<const Attribute>>(keys.size());
  table->admitted = context.arena.NewArray<bool>(keys.size());
  table->answered = context.arena.NewArray<bool>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    HR_ASSIGN(table->keys[i], ReadAttributes(keys[i], context.layer, context.arena));
  }
  return {};
}

std::size_t CountKeys(std::span<const BatchReadTable> tables) {
  std::size_t count = 0;
  for (const BatchReadTable& table : tables) count += table.keys.size();
  return count;
}

Status CheckKeysOfTable(const BatchReadTable& table) {
  for (const auto& key : table.keys) HR_RETURN_IF_ERROR(CheckKey(table.table->key, key));
  return CheckKeyPathsAreScalar(table.projection.paths(), *table.table);
}

Access AccessToKey(const BatchReadTable& table, std::size_t i, Arena& arena) {
  return {.table = table.table.get(),
          .key = PositionOf(table.table->key, table.keys[i], arena),
          .consistent = table.consistent,
          .member = table.first_member + static_cast<std::uint32_t>(i),
          .terms = table.terms};
}

// Returns the addresses of all keys that the gate admits.
// Errors: the first throttling error when the gate admits no key; those that fail the whole batch
Result<std::vector<ItemAddress>> AdmitKeys(Context& context, std::span<BatchReadTable> tables) {
  std::vector<ItemAddress> addresses;
  addresses.reserve(CountKeys(tables));
  Status first_throttled;
  for (BatchReadTable& table : tables) {
    if (context.gate) table.terms = context.Keep({.projection = table.projection});
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      const Access access = AccessToKey(table, i, context.arena);
      HR_ASSIGN(table.admitted[i], AdmitMember(context, access, &first_throttled));
      if (table.admitted[i]) addresses.push_back({table.view.table, access.key});
    }
  }
  if (addresses.empty() && !first_throttled.ok()) return std::move(first_throttled).error();
  return addresses;
}

Status FindTables(std::span<BatchReadTable> tables, TablesOfCall& tables_of_call) {
  for (BatchReadTable& table : tables) {
    HR_ASSIGN(table.table, tables_of_call.Find(table.name));
  }
  return {};
}

// Reads projections and keys from the JSON and makes the checks that need no table. Each check is
// made for all tables before the next check.
// Errors: ValidationException  an expression, a key, two equal keys, too many keys
Status CheckBatchReads(Context& context, std::span<BatchReadTable> tables) {
  HR_RETURN_IF_ERROR(CheckMixingAcrossTables(tables));
  for (BatchReadTable& table : tables) {
    const RequestObject json(*table.json);
    const ExpressionParameters expressions =
        ReadExpressionParameters(json, {ExpressionKind::kProjection});
    HR_RETURN_IF_ERROR(CheckExpressionParameters(json, expressions, context.layer, {}, {}));
    HR_ASSIGN(table.projection, ReadProjection(json, expressions, context));
  }
  std::uint32_t members = 0;
  for (BatchReadTable& table : tables) {
    HR_RETURN_IF_ERROR(ReadKeys(context, &table));
    table.first_member =
        std::exchange(members, members + static_cast<std::uint32_t>(table.keys.size()));
  }
  for (const BatchReadTable& table : tables) {
    if (HasDuplicateKeys(table.keys, context.arena)) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  if (CountKeys(tables) <= kMaxKeys) return {};
  return ValidationError("Too many items requested for the BatchGetItem call");
}

// Finds the tables, checks the keys against them, and reads the items whose keys the gate admits,
// all at one instant. `*items` owns the items; each BatchReadTable::items is a view of `*items`.
// Errors: ResourceNotFoundException  a table does not exist
//         ValidationException  a key does not fit its table
//         an error of the gate that fails the whole batch; the first throttling error when no key
//         was admitted
Status ReadBatch(Context& context, std::span<BatchReadTable> tables, std::vector<ItemRef>* items) {
  HR_RETURN_IF_ERROR(FindTogether(
      context, [&](TablesOfCall& tables_of_call) { return FindTables(tables, tables_of_call); }));
  for (BatchReadTable& table : tables) {
    HR_RETURN_IF_ERROR(CheckKeysOfTable(table));
    table.view = ReadViewOf(*table.table, nullptr, table.consistent);
  }
  HR_ASSIGN(const std::vector<ItemAddress> addresses, AdmitKeys(context, tables));
  std::vector<ItemRef> found(addresses.size());
  context.engine.Read(addresses, found);
  items->resize(CountKeys(tables));
  std::size_t next_key = 0, next_found = 0;
  for (BatchReadTable& table : tables) {
    table.items = std::span(*items).subspan(next_key, table.keys.size());
    next_key += table.keys.size();
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      if (table.admitted[i]) table.items[i] = std::move(found[next_found++]);
    }
  }
  return {};
}

// Returns the capacity that the answered keys consumed. Also makes the access of each admitted key
// leave the gate.
CapacityMeter ChargeBatchRead(Context& context, const BatchReadTable& table) {
  CapacityMeter meter(*table.table, table.name, context.arena);
  for (std::size_t i = 0; i < table.keys.size(); ++i) {
    const double before = meter.total();
    const ItemView stored(table.table->key, table.items[i].get());
    if (table.answered[i]) meter.AddItemRead(stored.size_bytes(), ReadFactor(table.consistent));
    if (!context.gate || !table.admitted[i]) continue;
    Usage usage;
    if (table.answered[i]) {
      usage = UsageOfRead(meter.total() - before, stored,
                          AnsweredSizeBytes(stored, table.projection, context.arena));
    }
    context.Leave(AccessToKey(table, i, context.arena), usage);
  }
  return meter;
}

void WriteResponses(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  std::size_t size_bytes = 0;
  answer.BeginObject("Responses");
  for (BatchReadTable& table : batch->tables) {
    answer.BeginArray(table.name);
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

void WriteUnprocessedTable(const BatchReadTable& table, JsonWriter& answer) {
  answer.BeginObject(table.name);
  answer.BeginArray("Keys");
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

void WriteBatchGetItemAnswer(Context& context, BatchGetItemRequest* batch, JsonWriter& answer) {
  answer.BeginObject();
  WriteResponses(context, batch, answer);
  answer.BeginObject("UnprocessedKeys");
  for (const BatchReadTable& table : batch->tables) {
    if (std::ranges::find(table.answered, false) == table.answered.end()) continue;
    WriteUnprocessedTable(table, answer);
  }
  answer.EndObject();
  if (batch->capacity != ReturnConsumedCapacity::kNone || context.gate) {
    std::vector<CapacityMeter> meters;
    for (const BatchReadTable& table : batch->tables)
      meters.push_back(ChargeBatchRead(context, table));
    WriteConsumedCapacityList(meters, batch->capacity, CapacityTwin::kNone, answer);
  }
  answer.EndObject();
}

}  // namespace

Status BatchGetItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  BatchGetItemRequest request = ReadBatchGetItemRequest(json);
  HR_RETURN_IF_ERROR(CheckBatchReads(context, request.tables));
  std::vector<ItemRef> items;
  HR_RETURN_IF_ERROR(ReadBatch(context, request.tables, &items));
  WriteBatchGetItemAnswer(context, &request, answer);
  return {};
}

}  // namespace hashrange
