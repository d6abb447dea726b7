// TimeToLive: items expire by the server's clock (docs/service/12-streams-and-ttl.md, section C2).
// A reader of the change log keeps each table's ExpirySet; at regular intervals, a sweeper deletes
// the items that are due, and never scans a table for them. Clients can read and write an expired
// item until it is deleted.
//
//   UpdateTimeToLive ── publishes a version with an ExpirySet ──▶ Watch
//   commits ── OnCommit ──▶ ExpirySet ◀── Sweep ── commits of WriteOrigin::kTimeToLive
//
// The sweeper is a thread, started by the first table to watch and asleep between its sweeps. The
// interval between them is real time; which items are due is decided by the engine's clock.
//
// Thread-safe, but for its destructor.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/durability.h"
#include "base/threads.h"
#include "base/work_queue.h"
#include "engine/engine.h"
#include "engine/ttl/expiring_table.h"

namespace hashrange {

class TimeToLive : public ChangeObserver {
 public:
  // `interval_ms`: how long the sweeper sleeps; 0: there is no sweeper, and only Sweep deletes
  // items. Called before the engine's first commit. The engine outlives this object, and makes no
  // commit after this object is destroyed. The destructor stops the sweeper within milliseconds.
  // While `durability` (null: no change is kept) admits no change, nothing is deleted.
  TimeToLive(Engine& engine, std::int64_t interval_ms, Durability* durability = nullptr);
  TimeToLive(const TimeToLive&) = delete;
  TimeToLive& operator=(const TimeToLive&) = delete;

  // Starts to delete the expired items of a table. `version` is published and has
  // settings.expiries, a set that was not passed to Watch before.
  void Watch(const TableVersion& version) { StartWatch(version, false); }
  // Does the same for a table whose set has all of its items that expire (ExpirySet::Insert), as
  // after the start of a server that keeps its data: no item is visited.
  void WatchFilled(const TableVersion& version) { StartWatch(version, true); }

  // Deletes every item of every table that is due now. Returns when all of them are deleted.
  void Sweep();

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

 private:
  void StartWatch(const TableVersion& version, bool is_filled);
  // Sweeps for a while. Returns whether there is more to do at once.
  bool SweepForAWhile();
  WorkQueue::NextRun SweepAndWait();
  // Removes the tables that are gone (ExpiringTable::IsGone) from the list and returns them. Called
  // with `mutex_` held.
  std::vector<std::shared_ptr<ExpiringTable>> RemoveGoneTables();

  Engine& engine_;
  const std::int64_t interval_ms_;
  Durability* const durability_;
  Mutex sweeping_;  // held by the thread that sweeps; taken before `mutex_`
  Mutex mutex_;     // guards what follows
  std::vector<std::shared_ptr<ExpiringTable>> tables_;
  std::size_t purge_at_;      // with this number of tables, Watch removes those that are gone
  bool is_sweeping_ = false;  // the sweeper has work, which runs or waits

  WorkQueue sweeper_{{.name = "deleting expired items"}};
};

}  // namespace hashrange
