// TimeToLive: items expire by the server's clock (docs/service/12-streams-and-ttl.md, section C2).
// A reader of the change log keeps each table's ExpirySet; a sweeper deletes what is due, an
// interval after another, and never scans a table for it. Until it is swept, an expired item is
// there for everyone.
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
#include <mutex>
#include <span>
#include <vector>

#include "base/work_queue.h"
#include "engine/engine.h"
#include "ttl/expiring_table.h"

namespace hashrange {

class TimeToLive : public ChangeObserver {
 public:
  // `interval_ms`: how long the sweeper sleeps; 0: there is no sweeper, and only Sweep deletes
  // items. Called before the engine's first commit. The engine outlives this object, and makes no
  // commit after its destructor, which stops the sweeper within milliseconds.
  TimeToLive(Engine& engine, std::int64_t interval_ms);
  TimeToLive(const TimeToLive&) = delete;
  TimeToLive& operator=(const TimeToLive&) = delete;

  // `version`, published, has settings.expiries, which nobody watches yet.
  void Watch(const TableVersion& version);

  // Deletes every item that is due now, of every table, and returns then.
  void Sweep();

  void OnCommit(std::span<const Change> changes) noexcept override;

 private:
  // Sweeps for a while. Returns whether there is more to do at once.
  bool SweepForAWhile();
  WorkQueue::Again SweepAndWait();
  // With `mutex_` held.
  std::vector<std::shared_ptr<ExpiringTable>> TakeGone();

  Engine& engine_;
  const std::int64_t interval_ms_;
  std::mutex sweeping_;  // held by who sweeps; taken before `mutex_`
  std::mutex mutex_;     // guards what follows
  std::vector<std::shared_ptr<ExpiringTable>> tables_;
  std::size_t purge_at_;      // from so many tables on, dropped tables are looked for
  bool is_sweeping_ = false;  // the sweeper has work, which runs or waits

  WorkQueue sweeper_{{.name = "deleting expired items"}};
};

}  // namespace hashrange
