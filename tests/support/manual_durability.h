// ManualDurability: a log of which a test says how much is appended and how much is safe.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/durability.h"

namespace hashrange {

class ManualDurability : public Durability {
 public:
  Status AdmitChange() override { return refusal ? Status(*refusal) : Status(); }
  Position appended() const override { return appended_; }
  Position safe() const override { return safe_; }
  Status WaitForRoom() override { return {}; }
  Status WaitUntilSafe(Position position) override {
    for (Position safe = safe_; safe < position; safe = safe_) safe_.wait(safe);
    return {};
  }
  void AddListener(Listener& listener) override {
    const std::lock_guard lock(mutex_);
    listeners_.push_back(&listener);
  }
  void RemoveListener(Listener& listener) override {
    const std::lock_guard lock(mutex_);
    std::erase(listeners_, &listener);
  }

  void Append(Position count) { appended_ += count; }
  void MakeSafe(Position position) {
    safe_ = position;
    safe_.notify_all();
    const std::lock_guard lock(mutex_);
    for (Listener* listener : listeners_) listener->OnSafe(position);
  }

  std::optional<Error> refusal;  // what AdmitChange answers

 private:
  std::atomic<Position> appended_{0};
  std::atomic<Position> safe_{0};
  std::mutex mutex_;  // guards what follows
  std::vector<Listener*> listeners_;
};

}  // namespace hashrange
