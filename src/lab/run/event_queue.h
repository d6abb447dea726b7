// EventQueue: what happens at which simulated time. Events of one time happen in the order in which
// they were added. Used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hashrange {

struct LabEvent {
  enum class Kind : std::uint8_t {
    kArrival,   // of pattern `subject`
    kRequest,   // request `detail` of open call `subject` is sent
    kNextStep,  // open call `subject` goes on
    kMinute,    // expired items are deleted
  };
  std::int64_t time_us = 0;
  std::uint64_t order = 0;  // set by Add
  Kind kind = Kind::kArrival;
  std::uint32_t subject = 0;
  std::uint32_t detail = 0;
};

class EventQueue {
 public:
  bool empty() const { return events_.empty(); }

  // Returns the time of the earliest event. Precondition: there is one.
  std::int64_t NextTime() const { return events_.front().time_us; }

  void Add(LabEvent event) {
    event.order = next_order_++;
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), IsLater);
  }

  // Removes the earliest event and returns it. Precondition: there is one.
  LabEvent Take() {
    std::pop_heap(events_.begin(), events_.end(), IsLater);
    const LabEvent event = events_.back();
    events_.pop_back();
    return event;
  }

 private:
  static bool IsLater(const LabEvent& a, const LabEvent& b) {
    return a.time_us != b.time_us ? a.time_us > b.time_us : a.order > b.order;
  }

  std::vector<LabEvent> events_ = {};
  std::uint64_t next_order_ = 0;
};

}  // namespace hashrange
