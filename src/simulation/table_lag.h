// TableLag: how far behind the eventually consistent reads of one table are. It hangs on the
// versions of its table (TableSettings::lag) and goes with them.
//
//   reads of a global index          see the table's past of `index_lag` ago
//   other eventually consistent ones see that of `stale_reads` ago: of the table itself and of
//                                    its local indexes, which can be read consistently, too
//
// Each of the two has a past of its own (delayed_copy.h), with delays of its own.
// Thread-safe; Set one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/engine.h"
#include "operation/read/read_lag.h"
#include "simulation/delayed_copy.h"

namespace hashrange {

// What is asked for; nullopt: as it was.
struct LagSettings {
  std::optional<DelayRange> index_lag = {};
  std::optional<DelayRange> stale_reads = {};
  std::optional<std::uint64_t> seed = {};  // the delays drawn from now on begin with it
};

class TableLag : public ReadLag {
 public:
  // Of the table whose version it is first seen on. The engine outlives it.
  explicit TableLag(Engine& engine) : engine_(engine), indexes_(engine), items_(engine) {}

  // The lag of a version's table; null where it has none, or shares one with the version of
  // another table that it was copied from.
  static TableLag* Of(const TableVersion& version);

  void Set(const LagSettings& settings);
  bool is_on() const { return index_lag().is_on() || stale_reads().is_on(); }
  DelayRange index_lag() const { return indexes_.delays(); }
  DelayRange stale_reads() const { return items_.delays(); }
  std::uint64_t seed() const;
  // Changes that reads have yet to see.
  std::size_t waiting_for_indexes() const { return indexes_.waiting(); }
  std::size_t waiting_for_items() const { return items_.waiting(); }

  // A change of the table, from inside its commit.
  void Append(const Change& change);

  TableRef PastOf(const TableVersion& table, const IndexVersion* index) override;
  std::shared_ptr<ReadLag> Anew() const override;

 private:
  bool BelongsTo(const TableVersion& version);

  Engine& engine_;
  mutable std::mutex mutex_;  // guards what follows, up to the empty line
  std::weak_ptr<Table> table_;
  bool has_table_ = false;
  std::uint64_t seed_ = 0;

  DelayedCopy indexes_;  // what reads of global indexes see
  DelayedCopy items_;    // what the others do
};

}  // namespace hashrange
