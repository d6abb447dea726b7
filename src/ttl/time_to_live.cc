#include "ttl/time_to_live.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <string>
#include <system_error>

#include "base/log.h"

namespace hashrange {
namespace {

// How long a table that is due may have to wait for those that have much to do.
constexpr std::chrono::milliseconds kSweepTime{50};

// From so many tables on, those that are gone are looked for when one is added.
constexpr std::size_t kFirstPurge = 16;

}  // namespace

TimeToLive::TimeToLive(Engine& engine, std::int64_t interval_ms)
    : engine_(engine), interval_ms_(interval_ms), purge_at_(kFirstPurge) {
  engine.AddObserver(*this);
}

TimeToLive::~TimeToLive() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  if (sweeper_.joinable()) sweeper_.join();
}

void TimeToLive::Watch(const TableVersion& version) {
  auto gone = std::make_shared<std::vector<std::shared_ptr<ExpiringTable>>>();
  {
    std::lock_guard lock(mutex_);
    // A sweeper that seldom or never comes leaves them.
    if (tables_.size() >= purge_at_) *gone = TakeGone();
    tables_.push_back(std::make_shared<ExpiringTable>(engine_, version));
    has_new_table_ = true;
    if (interval_ms_ > 0 && !sweeper_.joinable()) StartSweeper();
  }
  // They may hold the last references to the items of a table that was dropped.
  if (!gone->empty()) engine_.catalog().Discard(std::move(gone));
  wake_.notify_all();
}

std::vector<std::shared_ptr<ExpiringTable>> TimeToLive::TakeGone() {
  const auto first_gone = std::stable_partition(tables_.begin(), tables_.end(),
                                                [](const auto& table) { return !table->IsGone(); });
  std::vector<std::shared_ptr<ExpiringTable>> gone(std::make_move_iterator(first_gone),
                                                   std::make_move_iterator(tables_.end()));
  tables_.erase(first_gone, tables_.end());
  purge_at_ = std::max(kFirstPurge, 2 * tables_.size());
  return gone;
}

void TimeToLive::StartSweeper() {
  try {
    sweeper_ = std::thread([this] { Run(); });
  } catch (const std::system_error& failure) {
    // The next table to watch tries again.
    Log(LogLevel::kError, std::string("nothing expires: ") + failure.what());
  }
}

void TimeToLive::Sweep() {
  while (SweepOnce()) {
  }
}

// A step of each table in turn, so that one that has much to do does not hold up the others,
// and for so long only that one that is new or has become due meanwhile has its turn soon.
bool TimeToLive::SweepOnce() {
  const auto end = std::chrono::steady_clock::now() + kSweepTime;
  std::lock_guard one_at_a_time(sweeping_);
  std::vector<std::shared_ptr<ExpiringTable>> tables;
  {
    std::lock_guard lock(mutex_);
    tables = tables_;
  }
  while (!tables.empty()) {
    std::erase_if(tables, [this](const std::shared_ptr<ExpiringTable>& table) {
      if (is_stopping_) return true;
      const ExpiringTable::Progress progress = table->Step();
      if (progress == ExpiringTable::Progress::kGone) {
        std::lock_guard lock(mutex_);
        std::erase(tables_, table);
      }
      return progress != ExpiringTable::Progress::kMore;
    });
    if (!tables.empty() && std::chrono::steady_clock::now() >= end) return true;
  }
  return false;
}

void TimeToLive::OnCommit(std::span<const Change> changes) noexcept {
  for (const Change& change : changes) {
    if (ExpirySet* expiries = change.table->settings.expiries.get()) expiries->Update(change);
  }
}

bool TimeToLive::SweepOrPause() {
  try {
    return SweepOnce();
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, std::string("expiry pauses: ") + failure.what());
    return false;
  }
}

void TimeToLive::Run() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    has_new_table_ = false;
    lock.unlock();
    const bool has_more = SweepOrPause();
    lock.lock();
    if (has_more) continue;
    const auto has_reason = [this] { return is_stopping_ || has_new_table_; };
    if (tables_.empty()) {
      wake_.wait(lock, has_reason);
    } else {
      wake_.wait_for(lock, std::chrono::milliseconds(interval_ms_), has_reason);
    }
  }
}

}  // namespace hashrange
