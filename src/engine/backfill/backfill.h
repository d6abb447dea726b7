// Backfill adds to a new index of a table the entries of the items that the table already has
// (docs/service/13-update-table-and-gsi-lifecycle.md, section 7), in batches:
//
//   read a page of the table, with no lock held
//     → for each of its items, commit a write that keeps the item and adds its entry to the index
//     → … → mark the index as filled
//
// Other writes continue meanwhile and update the index themselves, as soon as the index is
// published (engine/table_version.h). So an item's entry is added by whichever write comes first,
// and at the end of the walk the index is as exact as if it had existed from the start. An item
// that does not belong to the index gets no entry.
//
// Used by one thread at a time. A Backfill holds no reference to the table between two steps, so
// that a table that is deleted meanwhile is freed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "engine/engine.h"

namespace hashrange {

struct IndexAddress {
  std::string account_id;
  std::string region;
  std::string table;
  std::string index;
};

class Backfill {
 public:
  // `address`: an index that is kCreating in the published version of its table. For any other
  // index there is nothing to do.
  Backfill(Engine& engine, IndexAddress address);

  // Visits up to `most` items; `most` is at least 1. Returns true when the backfill is over: the
  // index is filled, or it must not be filled any more.
  // Cost: a commit for each item.
  bool Step(std::size_t most);

 private:
  // Returns the published version of the table as long as the index must be filled, else null.
  TableRef FindFilling() const;
  void ReadPage(const TableVersion& table, std::size_t most);
  // Adds the entry of the item that is now stored under the key of `item`, if there is one. When
  // `*table` is no longer the published version, sets `*table` to that version. Returns false when
  // the index must not be filled any more.
  bool AddEntry(const Item& item, TableRef* table);
  void MarkFilled();

  Engine& engine_;
  const IndexAddress address_;
  std::string table_id_;  // the ids, as a new table or index may have the same name
  std::uint32_t index_id_ = 0;
  Arena arena_{4 << 10};
  std::vector<ItemRef> page_;
  std::uint64_t next_hash_ = 0;  // where the next page begins
  std::string next_key_;
};

// Fills the whole index on the calling thread.
void FillIndex(Engine& engine, IndexAddress address);

}  // namespace hashrange
