// DistinctCounter estimates how many different keys were seen (HyperLogLog with 4,096 registers:
// a standard error of 1.6 %). Not thread-safe.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hashrange {

class DistinctCounter {
 public:
  // `hash` is a good hash of the key: every bit is as likely 0 as 1.
  void Add(std::uint64_t hash) {
    const std::size_t place = hash >> (64 - kBits);
    const auto rank = static_cast<std::uint8_t>(std::countl_zero((hash << kBits) | kGuard) + 1);
    if (rank > registers_[place]) registers_[place] = rank;
  }

  void Add(const DistinctCounter& other) {
    for (std::size_t i = 0; i < kRegisters; ++i) {
      if (other.registers_[i] > registers_[i]) registers_[i] = other.registers_[i];
    }
  }

  double Estimate() const {
    constexpr double kCount = kRegisters;
    constexpr double kAlpha = 0.7213 / (1 + 1.079 / kCount);
    double sum = 0;
    std::size_t zeros = 0;
    for (const std::uint8_t rank : registers_) {
      sum += std::ldexp(1.0, -rank);
      if (rank == 0) ++zeros;
    }
    const double raw = kAlpha * kCount * kCount / sum;
    if (raw > 2.5 * kCount || zeros == 0) return raw;
    return kCount * std::log(kCount / static_cast<double>(zeros));  // linear counting
  }

 private:
  static constexpr int kBits = 12;
  static constexpr std::size_t kRegisters = 1 << kBits;
  static constexpr std::uint64_t kGuard = std::uint64_t{1} << (kBits - 1);

  std::array<std::uint8_t, kRegisters> registers_ = {};
};

}  // namespace hashrange
