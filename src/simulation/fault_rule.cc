#include "simulation/fault_rule.h"

#include <utility>

#include "base/random.h"

namespace hashrange {
namespace {

// Returns a number in [0, 1), made of the high 53 bits, which a double holds exactly.
double Fraction(Random& random) { return static_cast<double>(random.Next() >> 11) * 0x1p-53; }

}  // namespace

FaultRule::FaultRule(std::uint64_t id, FaultSpec spec)
    : id_(id), spec_(std::move(spec)), first_number_(Random(spec_.seed).Next()) {}

// Counts a hit, unless the rule has fired `times` times. Other threads may do the same meanwhile.
bool FaultRule::TakeHit() {
  if (!spec_.times) {
    hits_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  std::uint64_t hits = hits_.load(std::memory_order_relaxed);
  while (hits < *spec_.times) {
    if (hits_.compare_exchange_weak(hits, hits + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

std::optional<std::int64_t> FaultRule::Decide() {
  const std::uint64_t number = matches_.fetch_add(1, std::memory_order_relaxed);
  if (number < spec_.skip) return std::nullopt;
  if ((number - spec_.skip + 1) % spec_.every != 0) return std::nullopt;
  Random random(first_number_ + number);
  if (spec_.probability < 1 && Fraction(random) >= spec_.probability) return std::nullopt;
  if (!TakeHit()) return std::nullopt;
  const FaultAction& action = spec_.action;
  const std::int64_t range_ms = action.max_latency_ms - action.latency_ms;
  if (range_ms <= 0) return action.latency_ms;
  return action.latency_ms +
         static_cast<std::int64_t>(random.Next() % static_cast<std::uint64_t>(range_ms + 1));
}

}  // namespace hashrange
