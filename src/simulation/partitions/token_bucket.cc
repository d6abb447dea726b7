#include "simulation/partitions/token_bucket.h"

#include <algorithm>
#include <cmath>

namespace hashrange {

TokenBucket::TokenBucket(std::int64_t units_per_second, std::int64_t burst_ms, std::int64_t now_ms)
    : rate_(std::min(units_per_second, kMaxUnitsPerSecond)),
      burst_ms_(std::min(burst_ms, kTableBurstMs)),
      tokens_(std::min(rate_ * kTokensPerUnit, max_tokens())),
      filled_ms_(now_ms) {}

void TokenBucket::SetRate(std::int64_t units_per_second, std::int64_t changed_ms,
                          std::int64_t now_ms) {
  if (std::min(units_per_second, kMaxUnitsPerSecond) == rate_) return;
  Fill(std::clamp(changed_ms, std::min(filled_ms_, now_ms), now_ms));
  rate_ = std::min(units_per_second, kMaxUnitsPerSecond);
  tokens_ = std::min(tokens_, max_tokens());
  Fill(now_ms);
}

bool TokenBucket::IsOpen(std::int64_t now_ms) {
  Fill(now_ms);
  return tokens_ > 0;
}

double TokenBucket::UnitsLeft(std::int64_t now_ms) {
  Fill(now_ms);
  return static_cast<double>(tokens_) / static_cast<double>(kTokensPerUnit);
}

void TokenBucket::Take(double units, std::int64_t now_ms) {
  Fill(now_ms);
  tokens_ -= std::llround(units * static_cast<double>(kTokensPerUnit));
  tokens_ = std::min(tokens_, max_tokens());
}

void TokenBucket::Fill(std::int64_t now_ms) {
  if (now_ms <= filled_ms_) {
    if (filled_ms_ - now_ms > kTableBurstMs) filled_ms_ = now_ms;
    return;
  }
  const std::int64_t passed_ms = now_ms - filled_ms_;
  // The bucket is full after `fill_ms`. No more time counts, so that nothing overflows. A debt may
  // be larger than the bucket, so `fill_ms` is computed with it.
  const std::int64_t fill_ms = rate_ == 0 ? 0 : (max_tokens() - tokens_) / (rate_ * 2) + 1;
  tokens_ = std::min(max_tokens(), tokens_ + rate_ * 2 * std::min(passed_ms, fill_ms));
  filled_ms_ = now_ms;
}

}  // namespace hashrange
