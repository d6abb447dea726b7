// Counters of keys by the hashes of the keys, in fixed memory: DistinctCounter estimates how many
// there are, TopCounter finds the keys with the most units. Not thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/memory_reserve.h"
#include "base/portable_math.h"

namespace hashrange {

// Estimates how many different keys were seen (HyperLogLog with 4,096 registers: a standard error
// of 1.6 %). It keeps the hashes of the first few keys instead, which take less memory and give the
// same estimate.
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
    return kCount * PortableLog(kCount / static_cast<double>(zeros));  // linear counting
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

// Finds the keys with the most units (Space-Saving). The 512 counters are 64 sets of 8, and the
// hash of a key chooses its set. A key without a counter takes over the counter with the fewest
// units of its set, and inherits these units as the possible error:
//
//   units - error  ≤  the true units of a key with a counter  ≤  units
//   the true units of any other key  ≤  MissedAtMost()
//
// A set is allocated when it is first used.
class TopCounter {
 public:
  static constexpr std::size_t kSets = 64;
  static constexpr std::size_t kWays = 8;
  // A longer key is cut off.
  static constexpr std::size_t kMaxKeyBytes = 120;

  struct Counted {
    std::uint64_t hash = 0;
    double units = 0;
    double error = 0;
    std::string key;
  };

  // Counts `units` for the key. `hash` is a good hash of the whole key.
  void Add(std::uint64_t hash, std::string_view key, double units);

  double total() const { return total_; }
  bool empty() const { return total_ == 0; }
  // Returns the units of a key that has no counter, at most.
  double MissedAtMost() const;
  // Returns the same for keys with this hash.
  double MissedAtMost(std::uint64_t hash) const;
  // Returns all counters, descending by units.
  std::vector<Counted> All() const;
  // Forgets everything; the memory is kept.
  void Clear();

 private:
  struct Set {
    std::array<std::uint64_t, kWays> hashes = {};
    std::array<double, kWays> units = {};
    std::array<double, kWays> errors = {};
    std::array<std::uint8_t, kWays> sizes = {};
    std::array<std::array<char, kMaxKeyBytes>, kWays> keys;
  };

  static std::size_t NumberOfSet(std::uint64_t hash);
  // Returns the set of keys with this hash; null when none was counted.
  const Set* FindSet(std::uint64_t hash) const;

  std::array<std::uint8_t, kSets> places_ = {};  // by the number of a set: its place + 1; 0: none
  std::vector<Set, ReservedAllocator<Set, MemoryPart::kMeasurements>> sets_;
  double total_ = 0;
};

// The counters of several threads as one: for each key the sum, and the sum of the errors.
struct TopSum {
  std::vector<TopCounter::Counted> keys;  // descending by units
  double total = 0;
  double missed_at_most = 0;
};
TopSum SumOf(const std::vector<const TopCounter*>& counters);

}  // namespace hashrange
