// TopCounter finds the keys with the most units, in fixed memory (Space-Saving). The 512 counters
// are 64 sets of 8, and the hash of a key chooses its set. A key without a counter takes over the
// counter with the fewest units of its set, and inherits these units as the possible error:
//
//   units - error  ≤  the true units of a key with a counter  ≤  units
//   the true units of any other key  ≤  MissedAtMost()
//
// A set is allocated when it is first used. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_reserve.h"

namespace hashrange {

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
