// ReadLag: the interface with which a simulation lets reads see a past state of a table. A table's
// version has one (TableSettings::lag) while eventually consistent reads of the table are to see
// the past.
//
//   GetItem, BatchGetItem, Query, Scan, statements ── ReadViewOf ──▶ the table, or a past of it
//   writes, conditions, transactions, consistent reads ────────▶ the table
//
// Only the items come from the past: a read is checked, charged and described by the table's
// present version.
#pragma once

#include <memory>

#include "engine/table_version.h"

namespace hashrange {

// Thread-safe.
class ReadLag {
 public:
  virtual ~ReadLag() = default;
  // Returns the version that a read of `table` through `index` (null: of the table itself) reads
  // now: one with items of its own, which follow the table's changes with a delay. Null: the read
  // sees the present.
  virtual TableRef PastOf(const TableVersion& table, const IndexVersion* index) = 0;
  // Returns a lag with the same settings, for a copy of the table, which has no past yet.
  virtual std::shared_ptr<ReadLag> CopyWithoutPast() const = 0;
};

// The table and the index that a read uses in place of those it names.
struct ReadView {
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;
  TableRef past;  // keeps `table` and `index`; null: they are those that the read names
};

// Returns the view of a table that has a lag. An index that the past does not have is read as it is
// now.
ReadView PastReadViewOf(const TableVersion& table, const IndexVersion* index);

// Returns what a read uses. `table` and `index` outlive the view.
inline ReadView ReadViewOf(const TableVersion& table, const IndexVersion* index, bool consistent) {
  if (!table.settings.lag || consistent) [[likely]]
    return {&table, index, nullptr};
  return PastReadViewOf(table, index);
}

}  // namespace hashrange
