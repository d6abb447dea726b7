// Where an access takes throughput: at which positions of its table and of the global indexes. Pure
// functions; any thread.
#pragma once

#include <optional>

#include "absl/container/inlined_vector.h"
#include "base/arena.h"
#include "engine/table_version.h"
#include "operation/call/access.h"
#include "simulation/partitions/draw.h"

namespace hashrange {

// Returns the index whose throughput an access by `index` uses; null: it uses the table's, as a
// local index does.
const IndexVersion* GlobalIndexOf(const IndexVersion* index);

Draw DrawOf(const Access& access);

// Returns where an access begins. `is_cut`: the item collection that it reads is in several
// partitions; otherwise any position of the collection will do.
Position FirstPositionOf(const Access& access, bool is_cut, Arena& arena);
// Returns the positions that an access has read or written in the table or index that it names.
PositionSpan PositionsOf(const Access& access, const Usage& usage, bool is_cut, Arena& arena);

// What an access took of its table (`index` is null) or of one of its global indexes.
struct UnitsTaken {
  const IndexVersion* index = nullptr;
  PositionSpan span;
  double units = 0;
  // Whether it is known before the access that it takes these units. It is not known what an
  // update does to the place of the item in an index.
  bool is_foreseen = true;
};
using AllUnitsTaken = absl::InlinedVector<UnitsTaken, 4>;
// Returns what the access took. `span` is PositionsOf.
AllUnitsTaken UnitsTakenBy(const Access& access, const Usage& usage, const PositionSpan& span);

// Returns the position that an item with these attributes, stored at `table_position`, has in the
// index; nothing if the attributes alone do not put the item there.
std::optional<Position> PositionInIndex(const KeySchema& index,
                                        std::span<const Attribute> attributes,
                                        const Position& table_position, Arena& arena);

}  // namespace hashrange
