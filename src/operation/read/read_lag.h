// ReadLag: where a simulation may stand between a read and the items it finds. A table's version
// carries one (TableSettings::lag) while its eventually consistent reads are to see the past.
//
//   GetItem, BatchGetItem, Query, Scan, statements ── ReadViewOf ──▶ the table, or a past of it
//   writes, conditions, transactions, consistent reads ────────▶ the table
//
// What is read in the past is checked, charged and described as the table is now.
#pragma once

#include <memory>

#include "engine/table_version.h"

namespace hashrange {

// Thread-safe.
class ReadLag {
 public:
  virtual ~ReadLag() = default;
  // The past of `table` that a read through `index` (null: of the table itself) sees now: a
  // version with items of its own, which go on changing as time does. Null: the present.
  virtual TableRef PastOf(const TableVersion& table, const IndexVersion* index) = 0;
  // The same for another table, which has no past yet: for a copy of the version.
  virtual std::shared_ptr<ReadLag> CopyWithoutPast() const = 0;
};

// What a read goes to in the place of the table and the index it asks for.
struct ReadView {
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;
  TableRef past;  // keeps them; null: they are what was asked for
};

// The view of a table that has a lag. An index that its past has not is read as it is now.
ReadView PastReadViewOf(const TableVersion& table, const IndexVersion* index);

// `table` and `index` outlive the view.
inline ReadView ReadViewOf(const TableVersion& table, const IndexVersion* index, bool consistent) {
  if (!table.settings.lag || consistent) [[likely]]
    return {&table, index, nullptr};
  return PastReadViewOf(table, index);
}

}  // namespace hashrange
