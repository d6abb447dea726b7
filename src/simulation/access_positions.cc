#include "simulation/access_positions.h"

#include <algorithm>
#include <cmath>

#include "operation/parameter/item_key.h"
#include "operation/read/key_interval.h"
#include "value/key.h"

namespace hashrange {
namespace {

const KeySchema& KeyOf(const Access& access) {
  return access.index ? access.index->schema.key : access.table->key;
}

// Returns the end of what a Query or Scan reads, in ascending order. No item need be stored there.
Position EndOfRead(const Access& access, Arena& arena) {
  if (access.kind == Access::Kind::kScan) return {access.last_hash, {}};
  const KeyInterval interval = KeyIntervalOf(KeyOf(access), access.clauses, arena);
  return interval.interval.end.value_or(access.key);
}

bool IsBackward(const Access& access) {
  return access.kind == Access::Kind::kQuery && !access.terms->forward;
}

// A write of an index that takes an entry away and puts one elsewhere costs units at both places
// (docs/service/08-capacity.md, section 2).
void AddMove(const IndexVersion& index, const IndexMove& move, bool is_update,
             AllUnitsTaken* taken) {
  if (!move.before || !move.after || *move.before == *move.after) {
    const Position& position = move.after ? *move.after : *move.before;
    taken->push_back({&index, {position, position}, move.units, move.before || !is_update});
    return;
  }
  const double removed =
      std::min(move.units, std::ceil(static_cast<double>(move.bytes_before) / 1024));
  taken->push_back({&index, {*move.before, *move.before}, removed});
  taken->push_back({&index, {*move.after, *move.after}, move.units - removed, !is_update});
}

}  // namespace

const IndexVersion* GlobalIndexOf(const IndexVersion* index) {
  return index && !index->schema.is_local ? index : nullptr;
}

Draw DrawOf(const Access& access) {
  const bool writes =
      access.kind == Access::Kind::kWrite || access.kind == Access::Kind::kConditionCheck;
  return {.direction = writes ? Direction::kWrite : Direction::kRead,
          .is_strong = access.consistent || access.in_transaction,
          .is_range = access.kind == Access::Kind::kQuery || access.kind == Access::Kind::kScan};
}

Position FirstPositionOf(const Access& access, bool is_cut, Arena& arena) {
  if (!is_cut || !IsBackward(access)) return access.key;
  return access.start ? *access.start : EndOfRead(access, arena);
}

PositionSpan PositionsOf(const Access& access, const Usage& usage, bool is_cut, Arena& arena) {
  const bool reads_many =
      access.kind == Access::Kind::kScan || (access.kind == Access::Kind::kQuery && is_cut);
  if (!reads_many) return {access.key, access.key};
  if (IsBackward(access)) {
    return {usage.resume.value_or(access.key), FirstPositionOf(access, is_cut, arena)};
  }
  return {access.key, usage.resume ? *usage.resume : EndOfRead(access, arena)};
}

AllUnitsTaken UnitsTakenBy(const Access& access, const Usage& usage, const PositionSpan& span) {
  const TableVersion& table = *access.table;
  AllUnitsTaken taken;
  double of_table = usage.units;
  for (std::size_t i = 0; i < usage.index_units.size() && i < table.indexes.size(); ++i) {
    const IndexVersion* const index = GlobalIndexOf(&table.indexes[i]);
    if (usage.index_units[i] == 0 || !index) continue;
    of_table -= usage.index_units[i];
    if (index == access.index) taken.push_back({index, span, usage.index_units[i]});
  }
  if (of_table != 0) taken.push_back({nullptr, span, of_table});
  const bool is_update =
      access.kind == Access::Kind::kWrite && access.write_kind == WriteKind::kUpdate;
  for (const IndexMove& move : usage.index_moves) {
    const IndexVersion* const index = GlobalIndexOf(&table.indexes[move.index]);
    if (index && move.units != 0) AddMove(*index, move, is_update, &taken);
  }
  return taken;
}

std::optional<Position> PositionInIndex(const KeySchema& index,
                                        std::span<const Attribute> attributes,
                                        const Position& table_position, Arena& arena) {
  absl::InlinedVector<ValueView, kMaxKeyParts> values;
  for (std::size_t i = 0; i < index.parts(); ++i) {
    const ValueView* const value = FindAttribute(attributes, index.part(i).name);
    if (!value || value->type != index.part(i).type) return std::nullopt;
    values.push_back(*value);
  }
  return IndexEntryPosition(index, values, table_position, arena);
}

}  // namespace hashrange
