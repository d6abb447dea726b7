// DistinctCounter estimates how many different keys were seen (HyperLogLog with 4,096 registers:
// a standard error of 1.6 %). It keeps the hashes of the first few keys instead, which take less
// memory and give the same estimate. Not thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory_reserve.h"

namespace hashrange {

class DistinctCounter {
 public:
  // `hash` is a good hash of the key: every bit is as likely 0 as 1.
  void Add(std::uint64_t hash) {
    if (!registers_.empty()) return Register(hash, registers_.data());
    if (std::find(few_.begin(), few_.end(), hash) != few_.end()) return;
    if (few_.size() < kFew) return few_.push_back(hash);
    registers_ = AsRegisters();
    few_ = Counted<std::uint64_t>();  // frees, as {} does not
    Register(hash, registers_.data());
  }

  void Add(const DistinctCounter& other) {
    for (const std::uint64_t hash : other.few_) Add(hash);
    if (other.registers_.empty()) return;
    if (registers_.empty()) registers_ = AsRegisters();
    few_ = Counted<std::uint64_t>();
    for (std::size_t i = 0; i < kRegisters; ++i) {
      registers_[i] = std::max(registers_[i], other.registers_[i]);
    }
  }

  double Estimate() const {
    constexpr double kCount = kRegisters;
    constexpr double kAlpha = 0.7213 / (1 + 1.079 / kCount);
    double sum = 0;
    std::size_t zeros = 0;
    for (const std::uint8_t rank : registers_.empty() ? AsRegisters() : registers_) {
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
  static constexpr std::size_t kFew = 32;

  template <typename T>
  using Counted = std::vector<T, ReservedAllocator<T, MemoryPart::kMeasurements>>;

  static void Register(std::uint64_t hash, std::uint8_t* registers) {
    const std::size_t place = hash >> (64 - kBits);
    const auto rank = static_cast<std::uint8_t>(std::countl_zero((hash << kBits) | kGuard) + 1);
    registers[place] = std::max(registers[place], rank);
  }
  // Returns the registers that stand for the few hashes.
  Counted<std::uint8_t> AsRegisters() const {
    Counted<std::uint8_t> made(kRegisters);
    for (const std::uint64_t hash : few_) Register(hash, made.data());
    return made;
  }

  Counted<std::uint64_t> few_;  // empty when there are registers
  Counted<std::uint8_t> registers_;
};

}  // namespace hashrange
