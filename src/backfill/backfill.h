// Backfill gives an index that was added to a table the entries of the items that were there
// before (docs/service/13-update-table-and-gsi-lifecycle.md, section 7), a batch at a time:
//
//   a page of the table, read with no lock held
//     → for each of its items a commit that keeps it, which enters it into the index
//     → … → the index is marked as filled
//
// Writes go on meanwhile and keep the index themselves, from the moment it was published on
// (engine/table_version.h). So an item is entered by whoever comes first, and when the walk
// is over the index is as exact as if it had been there from the start. An item that the
// index has no place for is left out.
//
// Used by one thread at a time. It pins nothing between two steps: a table that is deleted
// meanwhile is freed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/arena.h"
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
  // `address`: an index that is kCreating in the published version of its table. Of any other
  // there is nothing to do.
  Backfill(Engine& engine, IndexAddress address);

  // Visits up to `most` items, one or more. True when it is over: the index is filled, or
  // nobody wants it any more.
  // Cost: a commit for each item, under its locks alone.
  bool Step(std::size_t most);

 private:
  // The published version of the table, while the index is to be filled; else null.
  TableRef FindFilling() const;
  void ReadPage(const TableVersion& table, std::size_t most);
  bool Enter(const Item& item, TableRef* table);
  void MarkFilled();

  Engine& engine_;
  const IndexAddress address_;
  std::string table_id_;  // a table, or an index, of the same name may follow
  std::uint32_t index_id_ = 0;
  Arena arena_{4 << 10};
  std::vector<ItemRef> page_;
  std::uint64_t next_hash_ = 0;  // where the next page begins
  std::string next_key_;
};

// All of it, on the calling thread.
void FillIndex(Engine& engine, IndexAddress address);

}  // namespace hashrange
