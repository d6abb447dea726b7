#include "ttl/time_to_live.h"

#include <chrono>
#include <string>
#include <system_error>

#include "base/log.h"

namespace hashrange {

TimeToLive::TimeToLive(Engine& engine, std::int64_t interval_ms)
    : engine_(engine), interval_ms_(interval_ms) {
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
  {
    std::lock_guard lock(mutex_);
    tables_.push_back(std::make_shared<ExpiringTable>(engine_, version));
    has_new_table_ = true;
    if (interval_ms_ > 0 && !sweeper_.joinable()) StartSweeper();
  }
  wake_.notify_all();
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
  std::lock_guard one_at_a_time(sweeping_);
  std::vector<std::shared_ptr<ExpiringTable>> tables;
  {
    std::lock_guard lock(mutex_);
    tables = tables_;
  }
  // A step of each in turn: a table that has much to do does not hold up the others.
  while (!tables.empty() && !is_stopping_) {
    std::erase_if(tables, [this](const std::shared_ptr<ExpiringTable>& table) {
      if (is_stopping_) return true;
      const ExpiringTable::Progress progress = table->Step();
      if (progress == ExpiringTable::Progress::kGone) {
        std::lock_guard lock(mutex_);
        std::erase(tables_, table);
      }
      return progress != ExpiringTable::Progress::kMore;
    });
  }
}

void TimeToLive::OnCommit(std::span<const Change> changes) {
  for (const Change& change : changes) {
    if (ExpirySet* expiries = change.table->settings.expiries.get()) expiries->Update(change);
  }
}

void TimeToLive::Run() {
  std::unique_lock lock(mutex_);
  while (!is_stopping_) {
    has_new_table_ = false;
    lock.unlock();
    Sweep();
    lock.lock();
    const auto has_reason = [this] { return is_stopping_ || has_new_table_; };
    if (tables_.empty()) {
      wake_.wait(lock, has_reason);
    } else {
      wake_.wait_for(lock, std::chrono::milliseconds(interval_ms_), has_reason);
    }
  }
}

}  // namespace hashrange
