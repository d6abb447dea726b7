// TimeToLive: items expire by the server's clock (docs/service/12-streams-and-ttl.md, section C2).
// A reader of the change log keeps each table's ExpirySet; a sweeper deletes what is due, an
// interval after another, and never scans a table for it. Until it is swept, an expired item is
// there for everyone.
//
//   UpdateTimeToLive ── publishes a version with an ExpirySet ──▶ Watch
//   commits ── OnCommit ──▶ ExpirySet ◀── Sweep ── commits of WriteOrigin::kTimeToLive
//
// The sweeper is a thread, started by the first table to watch and asleep between its
// sweeps: intervals are the machine's time, what is due is told by the engine's clock.
//
// Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "ttl/expiring_table.h"

namespace hashrange {

class TimeToLive : public ChangeObserver {
 public:
  // `interval_ms`: how long the sweeper sleeps; 0: there is none, items go with calls of
  // Sweep only. Before the engine's first commit; outlived by the engine, which makes no
  // commit afterwards.
  TimeToLive(Engine& engine, std::int64_t interval_ms);
  ~TimeToLive() override;  // stops the sweeper, within milliseconds
  TimeToLive(const TimeToLive&) = delete;
  TimeToLive& operator=(const TimeToLive&) = delete;

  // `version`, published, has settings.expiries, which nobody watches yet.
  void Watch(const TableVersion& version);

  // Deletes every item that is due now, of every table, and returns then.
  void Sweep();

  void OnCommit(std::span<const Change> changes) noexcept override;

 private:
  void Run();
  // Whether there is more to do at once.
  bool SweepOnce();
  bool SweepOrPause();
  // These with `mutex_` held.
  void StartSweeper();
  std::vector<std::shared_ptr<ExpiringTable>> TakeGone();

  Engine& engine_;
  const std::int64_t interval_ms_;
  std::atomic<bool> is_stopping_{false};
  std::mutex sweeping_;  // held by who sweeps; taken before `mutex_`
  std::mutex mutex_;     // guards what follows
  std::condition_variable wake_;
  std::vector<std::shared_ptr<ExpiringTable>> tables_;
  std::size_t purge_at_;        // when there are so many tables, those that are gone go
  bool has_new_table_ = false;  // since the sweeper last looked
  std::thread sweeper_;
};

}  // namespace hashrange
