// TokenBucket is the throughput of one resource in one direction: a number of units a second, and
// the unused units of a time before, 300 seconds for a table or an index
// (docs/service/20-partition-model.md, section 2). The arithmetic is exact: it counts tokens, each
// 1/2000 of a unit. A rate of n units a second yields 2n tokens a millisecond.
//
//   150 units a second, unused for 300 s   45,000 units
//   then taken at 200 a second             they last for 45,000 / (200 − 150) = 900 s
//
// An access is let in while any token is left, and debited when its cost is known. So the bucket
// may fall below zero; it is then closed until it is above zero.
//
// Not thread-safe.
#pragma once

#include <cstdint>

namespace hashrange {

class TokenBucket {
 public:
  // How long a table or an index saves its unused units.
  static constexpr std::int64_t kTableBurstMs = 300'000;
  // Higher rates are treated as this one, so that nothing overflows.
  static constexpr std::int64_t kMaxUnitsPerSecond = 1'000'000'000'000;

  // `burst_ms`: how long unused units are saved, at most kTableBurstMs. A new resource has saved
  // nothing: the bucket begins with the units of one second, or is full if it holds less.
  TokenBucket(std::int64_t units_per_second, std::int64_t burst_ms, std::int64_t now_ms);

  std::int64_t units_per_second() const { return rate_; }
  // Changes the rate from `changed_ms` on, which may be in the past. Saved units are kept, but not
  // more than the bucket holds at the new rate.
  void SetRate(std::int64_t units_per_second, std::int64_t changed_ms, std::int64_t now_ms);

  // Time that was credited is not credited again when the clock goes back and passes it once more.
  // But a clock that is set back by more than kTableBurstMs begins anew, so that the bucket is not
  // without units until the clock is where it was. Going back adds no tokens and takes none.
  bool IsOpen(std::int64_t now_ms);
  double UnitsLeft(std::int64_t now_ms);
  // Takes the units, even if fewer are left. Negative `units` are given back.
  void Take(double units, std::int64_t now_ms);

 private:
  static constexpr std::int64_t kTokensPerUnit = 2000;

  std::int64_t max_tokens() const { return rate_ * (kTokensPerUnit / 1000) * burst_ms_; }
  void Fill(std::int64_t now_ms);

  std::int64_t rate_;
  std::int64_t burst_ms_;
  std::int64_t tokens_;
  std::int64_t filled_ms_;  // the time up to which it was filled
};

}  // namespace hashrange
