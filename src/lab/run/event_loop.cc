#include "lab/run/event_loop.h"

#include <algorithm>
#include <limits>

namespace hashrange {
namespace {

constexpr std::int64_t kMinuteUs = 60'000'000;
constexpr std::uint64_t kEventsBetweenReports = 256;

}  // namespace

EventLoop::EventLoop(const Parts& parts, const LabTraffic& traffic)
    : parts_(parts),
      arrivals_({parts.file, parts.plan, parts.patterns, events_}, traffic),
      sender_(parts.database.database(), parts.file.start_epoch_ms),
      runner_({.sender = sender_,
               .file = parts.file,
               .plan = parts.plan,
               .population = parts.population,
               .events = events_,
               .patterns = parts.patterns,
               .log = parts.log,
               .stop = parts.stop,
               .owners = parts.owners}) {
  if (!parts.plan.update_ttls.empty() && arrivals_.length_s() * kUsPerSecond >= kMinuteUs) {
    events_.Add({.time_us = kMinuteUs, .kind = LabEvent::Kind::kMinute});
  }
}

void EventLoop::PassMinute(const LabEvent& event) {
  parts_.database.DeleteExpired(parts_.file.start_epoch_ms + event.time_us / kUsPerMs);
  const std::int64_t next_us = event.time_us + kMinuteUs;
  if (static_cast<double>(next_us) > arrivals_.length_s() * kUsPerSecond) return;
  events_.Add({.time_us = next_us, .kind = LabEvent::Kind::kMinute});
}

void EventLoop::Process(const LabEvent& event) {
  now_us_ = event.time_us;
  switch (event.kind) {
    case LabEvent::Kind::kArrival:
      return runner_.Start(static_cast<int>(event.subject), arrivals_.Take(event),
                           arrivals_.HotAt(event.time_us));
    case LabEvent::Kind::kRequest:
    case LabEvent::Kind::kNextStep:
      return runner_.Continue(event);
    case LabEvent::Kind::kMinute:
      return PassMinute(event);
  }
}

Result<bool> EventLoop::RunUntil(std::int64_t time_us,
                                 const std::function<void(double)>& progress) {
  for (std::uint64_t processed = 1; !events_.empty() && events_.NextTime() < time_us; ++processed) {
    if (parts_.stop != nullptr && parts_.stop->load(std::memory_order_relaxed)) return false;
    Process(events_.Take());
    if (!runner_.refusal().empty()) return ValidationError(runner_.refusal());
    HR_RETURN_IF_ERROR(parts_.database.CheckMemory());
    if (processed % kEventsBetweenReports != 0) continue;
    const double seconds = static_cast<double>(now_us_) / kUsPerSecond;
    progress(std::min(1.0, seconds / arrivals_.length_s()));
  }
  return true;
}

Result<bool> EventLoop::Run(const std::function<void(double)>& progress) {
  HR_ASSIGN(const bool has_finished, RunUntil(std::numeric_limits<std::int64_t>::max(), progress));
  if (!has_finished) return false;
  // The latest calls may have ended later. A measurement ends with the traffic at least, even if
  // nothing happened at the end.
  const auto length_us = static_cast<std::int64_t>(arrivals_.length_s() * kUsPerSecond);
  if (now_us_ < length_us) {
    parts_.database.SetTime(parts_.file.start_epoch_ms + length_us / kUsPerMs);
  }
  now_us_ = length_us;
  return true;
}

std::int64_t EventLoop::simulated_ms() const { return now_us_ / kUsPerMs; }

}  // namespace hashrange
