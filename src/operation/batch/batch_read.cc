#include "operation/batch/batch_read.h"

#include <utility>

#include "operation/batch/batch_gate.h"
#include "operation/parameter/access_usage.h"
#include "operation/parameter/duplicate_keys.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "operation/table/table_lookup.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxKeys = 100;

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

}  // namespace

// Each check is made for all tables before the next check.
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

}  // namespace hashrange
