#include "operation/parameter/access_usage.h"

#include "value/capacity.h"
#include "value/key.h"

namespace hashrange {
namespace {

// Returns what the write did to each index in which the item has or had an entry.
std::span<const IndexMove> IndexMovesOf(const CapacityMeter& meter, ItemView before, ItemView after,
                                        Arena& arena) {
  const auto& indexes = meter.table().indexes;
  const std::span<IndexMove> moves = arena.NewArray<IndexMove>(indexes.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const IndexSchema& index = indexes[i].schema;
    IndexMove move{.index = i, .units = meter.index_units()[i]};
    if (before.exists()) move.before = IndexPosition(index.key, before, arena);
    if (after.exists()) move.after = IndexPosition(index.key, after, arena);
    if (move.before) move.bytes_before = ProjectedSizeBytes(index, before);
    if (move.after) move.bytes_after = ProjectedSizeBytes(index, after);
    if (move.before || move.after) moves[count++] = move;
  }
  return moves.first(count);
}

}  // namespace

Usage UsageOfRead(double units, ItemView stored, std::size_t bytes_returned) {
  const std::int64_t items = stored.exists() ? 1 : 0;
  return {.units = units,
          .items_examined = items,
          .items_returned = items,
          .after = stored,
          .bytes_examined = stored.size_bytes(),
          .bytes_returned = bytes_returned};
}

Usage UsageOfWrite(const CapacityMeter& meter, ItemView before, ItemView after, Arena& arena) {
  return {.units = meter.total(),
          .index_units = meter.index_units(),
          .items_examined = before.exists() ? 1 : 0,
          .items_written = before.exists() || after.exists() ? 1 : 0,
          .before = before,
          .after = after,
          .bytes_examined = before.size_bytes(),
          .index_moves = IndexMovesOf(meter, before, after, arena)};
}

Usage UsageOfConditionCheck(const CapacityMeter& meter, ItemView stored) {
  return {.units = meter.total(),
          .index_units = meter.index_units(),
          .items_examined = stored.exists() ? 1 : 0,
          .before = stored,
          .bytes_examined = stored.size_bytes()};
}

Usage UsageOfRefusal(std::size_t charged_bytes, double factor, ItemView stored,
                     const Error* failure) {
  return {.units = factor * static_cast<double>(WriteUnits(charged_bytes)),
          .items_examined = stored.exists() ? 1 : 0,
          .before = stored,
          .bytes_examined = stored.size_bytes(),
          .is_failed = true,
          .failure = failure};
}

}  // namespace hashrange
