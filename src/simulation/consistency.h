// Consistency sets and lists the tables whose reads lag. As an observer of commits it hands the
// changes of each table to the table's lag. Setting a lag publishes a version of the table that
// carries the lag.
//
//   Set ── publishes a version with a lag ──▶ reads see the past (operation/read/read_lag.h)
//   commits ── OnCommit ──▶ the queues of the lag (delayed_copy.h)
//
// Thread-safe, but the caller makes one call of Set or Clear at a time for one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "simulation/delayed_copy.h"

namespace hashrange {

// What Consistency::Set changes; nullopt: the setting stays as it is.
struct LagSettings {
  std::optional<DelayRange> index_lag = {};
  std::optional<DelayRange> stale_reads = {};
  std::optional<std::uint64_t> seed = {};  // restarts the random delays
};

// The description of one table that lags.
struct LaggingTable {
  TableRef table;
  DelayRange index_lag;
  DelayRange stale_reads;
  std::uint64_t seed = 0;
  std::size_t waiting_for_indexes = 0;  // changes that reads of global indexes do not see yet
  std::size_t waiting_for_items = 0;    // changes that the other lagging reads do not see yet
};

class Consistency : public ChangeObserver {
 public:
  // The object is created before the engine's first commit and destroyed after the last.
  explicit Consistency(Engine& engine) : engine_(engine) { engine.AddObserver(*this); }

  // Sets how far behind the reads of the table are from now on. With no lag at all, the table's
  // writes are no longer observed. Returns false when there is no table of that name.
  bool Set(AccountName account, std::string_view table, const LagSettings& settings);
  // Removes the lags of all tables of `scope`. Returns how many tables lagged.
  std::size_t Clear(const Scope& scope);
  // Returns the tables of `scope` that lag, ordered by account, Region and name.
  std::vector<LaggingTable> Tables(const Scope& scope) const;

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

 private:
  Engine& engine_;
};

}  // namespace hashrange
