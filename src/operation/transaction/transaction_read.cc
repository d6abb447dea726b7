#include "operation/transaction/transaction_read.h"

#include <utility>
#include <vector>

#include "operation/parameter/consumed_capacity.h"
#include "operation/transaction/transaction_rules.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxAnswerBytes = 4 << 20;

// Returns the access of a read, without its terms.
Access AccessOfRead(const TransactionRead& read, std::size_t member) {
  return {.table = read.table.get(),
          .key = read.position,
          .in_transaction = true,
          .member = static_cast<std::uint32_t>(member)};
}

// Returns the accesses of all reads; none without a gate.
std::vector<Access> AccessesOfReads(const Context& context,
                                    std::span<const TransactionRead> reads) {
  std::vector<Access> accesses;
  if (!context.gate) return accesses;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    accesses.push_back(AccessOfRead(reads[i], i));
    accesses.back().terms = context.Keep({.projection = reads[i].projection});
  }
  return accesses;
}

}  // namespace

Status ReadTogether(Context& context, std::span<TransactionRead> reads) {
  std::vector<ItemAddress> addresses;
  for (const TransactionRead& read : reads) {
    addresses.push_back({read.table.get(), read.position});
  }
  if (auto refused = EnterAll(context, AccessesOfReads(context, reads))) {
    return *std::move(refused);
  }
  std::vector<ItemRef> items(addresses.size());
  context.engine.Read(addresses, items);
  std::size_t size_bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i]) size_bytes += items[i]->size_bytes();
    reads[i].item = std::move(items[i]);
  }
  if (size_bytes <= kMaxAnswerBytes) return {};
  return ValidationError("Transaction response size cannot exceed 4194304 bytes");
}

void WriteCapacityOfReads(Context& context, ReturnConsumedCapacity capacity,
                          std::span<const TransactionRead> reads,
                          absl::FunctionRef<std::size_t(std::size_t read)> answered_bytes,
                          JsonWriter& answer) {
  if (capacity == ReturnConsumedCapacity::kNone && !context.gate) return;
  std::vector<CapacityMeter> meters;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const TransactionRead& read = reads[i];
    CapacityMeter& meter = MeterOf(*read.table, read.table_name, context.arena, &meters);
    const double before = meter.total();
    const ItemView stored(read.table->key, read.item.get());
    meter.AddItemRead(stored.size_bytes(), kTransactionFactor);
    if (!context.gate) continue;
    const std::size_t bytes = stored.exists() ? answered_bytes(i) : 0;
    context.Leave(AccessOfRead(read, i), UsageOfRead(meter.total() - before, stored, bytes));
  }
  WriteConsumedCapacityList(meters, capacity, CapacityTwin::kRead, answer);
}

}  // namespace hashrange
