// Consistency: which tables lag. A reader of the change log hands each table's changes to its
// TableLag; setting one publishes a version of the table that carries it.
//
//   Set ── publishes a version with a TableLag ──▶ reads see the past (operation/read/read_lag.h)
//   commits ── OnCommit ──▶ TableLag::Append
//
// Thread-safe; Set and Clear of one table come one after another.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "simulation/table_lag.h"

namespace hashrange {

// One table that lags, described.
struct LaggingTable {
  TableRef table;
  DelayRange index_lag;
  DelayRange stale_reads;
  std::uint64_t seed = 0;
  std::size_t waiting_for_indexes = 0;
  std::size_t waiting_for_items = 0;
};

class Consistency : public ChangeObserver {
 public:
  // Before the engine's first commit; outlives its last.
  explicit Consistency(Engine& engine) : engine_(engine) { engine.AddObserver(*this); }

  // How far behind the reads of the table are from now on; by nothing at all, and its writes
  // are no longer looked at. False when there is no table of that name.
  bool Set(AccountName account, std::string_view table, const LagSettings& settings);
  // Takes the lags of all tables of `scope` away; how many there were.
  std::size_t Clear(const Scope& scope);
  // The tables of `scope` that lag, by account, region and name.
  std::vector<LaggingTable> Tables(const Scope& scope) const;

  void OnCommit(std::span<const Change> changes) noexcept override;

 private:
  Engine& engine_;
};

}  // namespace hashrange
