// TableLag says how far behind the eventually consistent reads of one table are. The versions of
// the table own it (TableSettings::lag).
//
//   reads of a global index                see the table's past of `index_lag` ago
//   other reads, if eventually consistent  see the table's past of `stale_reads` ago
//
// The other reads are those of the table itself and of its local indexes. A read of these that asks
// for consistency does not lag.
// Each of the two has a past of its own (delayed_copy.h), with delays of its own.
// Thread-safe, but the caller makes one call of Set at a time.
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

// What Set changes; nullopt: the setting stays as it is.
struct LagSettings {
  std::optional<DelayRange> index_lag = {};
  std::optional<DelayRange> stale_reads = {};
  std::optional<std::uint64_t> seed = {};  // restarts the random delays
};

class TableLag : public ReadLag {
 public:
  // A new lag belongs to no table. The first function that is called with a version of a table (Of,
  // PastOf) makes the lag belong to that table. The engine outlives the lag.
  explicit TableLag(Engine& engine) : engine_(engine), indexes_(engine), items_(engine) {}

  // Returns the lag of the version's table; null where the table has no lag, or where the version
  // is a copy and its lag belongs to the table that it was copied from.
  static TableLag* Of(const TableVersion& version);

  void Set(const LagSettings& settings);
  bool is_on() const { return index_lag().is_on() || stale_reads().is_on(); }
  DelayRange index_lag() const { return indexes_.delays(); }
  DelayRange stale_reads() const { return items_.delays(); }
  std::uint64_t seed() const;
  // The number of changes that reads do not see yet.
  std::size_t waiting_for_indexes() const { return indexes_.waiting(); }
  std::size_t waiting_for_items() const { return items_.waiting(); }

  // Queues a change of the table. It is called from inside the commit that makes the change.
  void Append(const Change& change);

  TableRef PastOf(const TableVersion& table, const IndexVersion* index) override;
  std::shared_ptr<ReadLag> CopyWithoutPast() const override;

 private:
  bool BelongsTo(const TableVersion& version);

  Engine& engine_;
  mutable std::mutex mutex_;  // guards what follows, up to the empty line
  std::weak_ptr<Table> table_;
  bool has_table_ = false;
  std::uint64_t seed_ = 0;

  DelayedCopy indexes_;  // what reads of global indexes see
  DelayedCopy items_;    // what the other lagging reads see
};

}  // namespace hashrange
