#include "engine/ttl/time_to_live.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/log.h"

namespace hashrange {
namespace {

// After this time, SweepForAWhile returns as soon as each table has had its turn. A table that has
// no work left, and becomes due again meanwhile, waits for the next call.
constexpr std::chrono::milliseconds kSweepTime{50};

// Watch looks for tables that are gone when the list has at least this number of tables.
constexpr std::size_t kFirstPurge = 16;

}  // namespace

TimeToLive::TimeToLive(Engine& engine, std::int64_t interval_ms, Durability* durability)
    : engine_(engine), interval_ms_(interval_ms), durability_(durability), purge_at_(kFirstPurge) {
  engine.AddObserver(*this);
}

void TimeToLive::StartWatch(const TableVersion& version, bool is_filled) {
  auto gone = std::make_shared<std::vector<std::shared_ptr<ExpiringTable>>>();
  bool was_sweeping;
  {
    MutexLock lock(mutex_);
    // A sweeper that seldom or never sweeps leaves dropped tables in the list.
    if (tables_.size() >= purge_at_) *gone = RemoveGoneTables();
    tables_.push_back(std::make_shared<ExpiringTable>(engine_, version, is_filled));
    was_sweeping = std::exchange(is_sweeping_, interval_ms_ > 0);
  }
  // The dropped tables may hold the last references to their items.
  if (!gone->empty()) engine_.catalog().Discard(std::move(gone));
  if (interval_ms_ <= 0) return;
  if (was_sweeping) return sweeper_.Hurry();
  if (sweeper_.Post([this] { return SweepAndWait(); })) return;
  Log(LogLevel::kError, "expired items are not deleted: the sweeper has not started");
  MutexLock lock(mutex_);
  is_sweeping_ = false;  // the next table to watch tries to start the sweeper
}

std::vector<std::shared_ptr<ExpiringTable>> TimeToLive::RemoveGoneTables() {
  const auto first_gone = std::stable_partition(tables_.begin(), tables_.end(),
                                                [](const auto& table) { return !table->IsGone(); });
  std::vector<std::shared_ptr<ExpiringTable>> gone(std::make_move_iterator(first_gone),
                                                   std::make_move_iterator(tables_.end()));
  tables_.erase(first_gone, tables_.end());
  purge_at_ = std::max(kFirstPurge, 2 * tables_.size());
  return gone;
}

void TimeToLive::Sweep() {
  while (SweepForAWhile()) {
  }
}

// Does a step of each table in turn, so that a table with much to do does not delay the others.
// Returns soon after kSweepTime, so that tables that are new or have become due meanwhile have
// their turn soon.
bool TimeToLive::SweepForAWhile() {
  if (durability_ && !durability_->AdmitChange().ok()) return false;
  const auto end = std::chrono::steady_clock::now() + kSweepTime;
  MutexLock one_at_a_time(sweeping_);
  std::vector<std::shared_ptr<ExpiringTable>> tables;
  {
    MutexLock lock(mutex_);
    tables = tables_;
  }
  while (!tables.empty()) {
    std::erase_if(tables, [this](const std::shared_ptr<ExpiringTable>& table) {
      if (sweeper_.is_stopping()) return true;
      const ExpiringTable::Progress progress = table->Step();
      if (progress == ExpiringTable::Progress::kGone) {
        MutexLock lock(mutex_);
        std::erase(tables_, table);
      }
      return progress != ExpiringTable::Progress::kMore;
    });
    if (!tables.empty() && std::chrono::steady_clock::now() >= end) return true;
  }
  return false;
}

void TimeToLive::OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept {
  for (const Change& change : changes) {
    if (change.is_none()) continue;
    if (ExpirySet* expiries = change.table->settings.expiries.get()) expiries->Update(change);
  }
}

WorkQueue::NextRun TimeToLive::SweepAndWait() {
  if (SweepForAWhile()) return WorkQueue::kAtOnce;
  MutexLock lock(mutex_);
  is_sweeping_ = !tables_.empty();
  if (!is_sweeping_) return WorkQueue::kDone;
  return std::chrono::milliseconds(interval_ms_);
}

}  // namespace hashrange
