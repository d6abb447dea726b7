#include "operation/transaction/transaction_capacity.h"

#include <algorithm>

#include "operation/parameter/access_usage.h"
#include "operation/transaction/transaction_gate.h"

namespace hashrange {
namespace {

auto FindMeter(std::vector<CapacityMeter>& meters, const TransactionAction& action) {
  return std::ranges::find(meters, action.table.get(),
                           [](const CapacityMeter& meter) { return &meter.table(); });
}

// Returns a meter for each table, with the name that the first of its actions uses.
std::vector<CapacityMeter> MetersOfTables(std::span<const TransactionAction> actions,
                                          Arena& arena) {
  std::vector<CapacityMeter> meters;
  for (const TransactionAction& action : actions) {
    if (FindMeter(meters, action) != meters.end()) continue;
    meters.emplace_back(*action.table, action.table_name, arena);
  }
  return meters;
}

}  // namespace

std::vector<const TableVersion*> DistinctTables(std::span<const TransactionAction> actions) {
  std::vector<const TableVersion*> tables;
  for (const TransactionAction& action : actions) {
    const TableVersion* const table = action.table.get();
    if (std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
  }
  return tables;
}

std::size_t PayloadBytes(const TransactionAction& action) {
  std::size_t bytes = ItemSizeBytes(action.attributes);
  bytes += action.texts.update.value_or("").size() + action.texts.condition.value_or("").size();
  for (const auto& entry : action.bound.names)
    bytes += entry.placeholder.size() + entry.name.size();
  for (const auto& entry : action.bound.values) {
    bytes += entry.placeholder.size() + SizeBytes(entry.value);
  }
  return bytes;
}

std::vector<CapacityMeter> ChargeTransaction(const Context& context,
                                             std::span<const TransactionAction> actions,
                                             std::span<const WriteOutcome> outcomes) {
  std::vector<CapacityMeter> meters = MetersOfTables(actions, context.arena);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    CapacityMeter& meter = *FindMeter(meters, actions[i]);
    const KeySchema& key = actions[i].table->key;
    const ItemView before(key, outcomes[i].before.get()), after(key, outcomes[i].after.get());
    CapacityMeter of_action(*actions[i].table, actions[i].table_name, context.arena);
    of_action.AddWrite(before, after, kTransactionFactor);
    meter.Add(of_action);
    if (!context.gate) continue;
    context.Leave(AccessOfAction(actions[i], i),
                  Writes(actions[i]) ? UsageOfWrite(of_action, before, after, context.arena)
                                     : UsageOfConditionCheck(of_action, before));
  }
  return meters;
}

void SetLargerSizes(std::span<const WriteOutcome> outcomes,
                    std::vector<std::uint32_t>* size_bytes) {
  size_bytes->clear();
  for (const WriteOutcome& outcome : outcomes) {
    const std::uint32_t before = outcome.before ? outcome.before->size_bytes() : 0;
    const std::uint32_t after = outcome.after ? outcome.after->size_bytes() : 0;
    size_bytes->push_back(std::max(before, after));
  }
}

std::vector<CapacityMeter> ChargeReplay(const Context& context,
                                        std::span<const TransactionAction> actions,
                                        std::span<const std::uint32_t> size_bytes) {
  std::vector<CapacityMeter> meters = MetersOfTables(actions, context.arena);
  const std::vector<Access> accesses = AccessesOfActions(context, actions);
  for (std::size_t i = 0; i < actions.size() && i < size_bytes.size(); ++i) {
    CapacityMeter& meter = *FindMeter(meters, actions[i]);
    const double before = meter.total();
    meter.AddItemRead(size_bytes[i], kTransactionFactor);
    if (!context.gate) continue;
    context.Charge({.table = actions[i].table.get(),
                    .key = actions[i].position,
                    .in_transaction = true,
                    .member = static_cast<std::uint32_t>(i)},
                   {.units = meter.total() - before, .replayed = &accesses[i]});
  }
  return meters;
}

}  // namespace hashrange
