// ReadLag: the interface with which a simulation lets reads see a past state of a table. A table's
// version has a ReadLag (TableSettings::lag) while eventually consistent reads of the table are to
// see the past.
//
//   GetItem, BatchGetItem, Query, Scan, statements ── ReadViewOf ──▶ the table, or a past of it
//   writes, conditions, transactions, consistent reads ────────▶ the table
//
// Only the items come from the past: a read is checked, charged and described by the table's
// present version.
#pragma once

#include <memory>
#include <utility>

#include "engine/table_version.h"

namespace hashrange {

// Thread-safe.
class ReadLag {
 public:
  virtual ~ReadLag() = default;
  // Returns the version from which a read of `table` through `index` (null: of the table itself)
  // gets its items now. This version has items of its own, to which the table's changes are applied
  // with a delay. Returns null when the read sees the present.
  virtual TableRef PastOf(const TableVersion& table, const IndexVersion* index) = 0;
  // Returns a lag for a copy of the table: it has the settings of this lag, but no past yet.
  virtual std::shared_ptr<ReadLag> CopyWithoutPast() const = 0;
};

// The table and the index from which a read gets its items.
struct ReadView {
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;
  TableRef past;  // owns `table` and `index`; null when the read sees the present
};

// Returns the view of an eventually consistent read of a table that has a lag (TableSettings::lag).
// If the past version does not have the index, the read sees the present.
inline ReadView PastReadViewOf(const TableVersion& table, const IndexVersion* index) {
  const ReadView present{&table, index, nullptr};
  TableRef past = table.settings.lag->PastOf(table, index);
  if (!past) return present;
  const IndexVersion* const past_index = index ? past->FindIndex(index->schema.name) : nullptr;
  if (index && !past_index) return present;
  ReadView view{past.get(), past_index, nullptr};
  view.past = std::move(past);
  return view;
}

// Returns the view of a read of `table` through `index` (null: of the table itself). `table` and
// `index` outlive the view.
inline ReadView ReadViewOf(const TableVersion& table, const IndexVersion* index, bool consistent) {
  if (!table.settings.lag || consistent) [[likely]]
    return {&table, index, nullptr};
  return PastReadViewOf(table, index);
}

}  // namespace hashrange
