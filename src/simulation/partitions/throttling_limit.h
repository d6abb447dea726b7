// ThrottlingLimit: which limit an access meets; the last part of a throttling reason
// (docs/service/20-partition-model.md, section 3).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hashrange {

enum class ThrottlingLimit : std::uint8_t { kProvisioned, kKeyRange, kMaxOnDemand, kAccount };
inline constexpr std::size_t kThrottlingLimits = 4;

}  // namespace hashrange
