#include "operation/transaction/transaction_read.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "operation/transaction/transaction_gate.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxAnswerBytes = 4 << 20;

Access AccessOfRead(const TransactionRead& read) {
  return {Access::Kind::kRead, read.table.get(), nullptr, read.position, true};
}

}  // namespace

Status ReadTogether(Context& context, std::span<TransactionRead> reads) {
  std::vector<Access> accesses;
  std::vector<ItemAddress> addresses;
  for (const TransactionRead& read : reads) {
    accesses.push_back(AccessOfRead(read));
    addresses.push_back({read.table.get(), read.position});
  }
  if (auto refused = EnterAll(context, accesses)) return *std::move(refused);
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
                          std::span<const TransactionRead> reads, JsonWriter& answer) {
  if (capacity == ReturnConsumedCapacity::kNone && !context.gate) return;
  std::vector<CapacityMeter> meters;
  for (const TransactionRead& read : reads) {
    auto meter = std::ranges::find(meters, read.table.get(),
                                   [](const CapacityMeter& m) { return &m.table(); });
    if (meter == meters.end()) {
      meter = meters.insert(meters.end(), CapacityMeter(*read.table, context.arena));
    }
    const double before = meter->total();
    meter->AddItemRead(read.item ? read.item->size_bytes() : 0, kTransactionFactor);
    context.Leave(AccessOfRead(read), UsageOfRead(meter->total() - before, read.item.get()));
  }
  WriteConsumedCapacityList(meters, capacity, CapacityTwin::kRead, answer);
}

}  // namespace hashrange
