// TokenBucket: the throughput of one resource in one direction: so many units a second, and what
// was left unused of the last 300 seconds (docs/service/20-partition-model.md, section 2). Pure
// arithmetic, exact: in 2,000ths of a unit, of which a rate of n units a second yields 2n a
// millisecond.
//
//   150 units a second, unused for 300 s   45,000 units
//   then taken at 200 a second             they last for 45,000 / (200 − 150) = 900 s
//
// Something is let in while there is anything left, and debited when its cost is known: the
// bucket may go below zero and is then closed until it is above again.
//
// Not thread-safe.
#pragma once

#include <cstdint>

namespace hashrange {

class TokenBucket {
 public:
  static constexpr std::int64_t kBurstMs = 300'000;
  // More units a second are not told from these.
  static constexpr std::int64_t kMaxUnitsPerSecond = 1'000'000'000'000;

  // A new resource has left nothing unused: it begins with the units of one second.
  TokenBucket(std::int64_t units_per_second, std::int64_t now_ms);

  std::int64_t units_per_second() const { return rate_; }
  // From `changed_ms` on, which may be past; what was saved stays, as far as it fits.
  void SetRate(std::int64_t units_per_second, std::int64_t changed_ms, std::int64_t now_ms);

  // A clock that goes back adds nothing and takes nothing.
  bool IsOpen(std::int64_t now_ms);
  double UnitsLeft(std::int64_t now_ms);
  // `units` may be below zero: gives back.
  void Take(double units, std::int64_t now_ms);

 private:
  static constexpr std::int64_t kTokensPerUnit = 2000;

  std::int64_t max_tokens() const { return rate_ * (kTokensPerUnit / 1000) * kBurstMs; }
  void Fill(std::int64_t now_ms);

  std::int64_t rate_;
  std::int64_t tokens_;
  std::int64_t filled_ms_;  // up to when
};

}  // namespace hashrange
