#include "measure/meter/key_counters.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/stable_sort.h"

namespace hashrange {

// The bits in the middle: the top bits of a position's hash are the range of heat, and a caller may
// count the keys of one range only.
std::size_t TopCounter::NumberOfSet(std::uint64_t hash) { return (hash >> 20) % kSets; }

const TopCounter::Set* TopCounter::FindSet(std::uint64_t hash) const {
  const std::size_t place = places_[NumberOfSet(hash)];
  return place == 0 ? nullptr : &sets_[place - 1];
}

void TopCounter::Add(std::uint64_t hash, std::string_view key, double units) {
  std::uint8_t& place = places_[NumberOfSet(hash)];
  if (place == 0) {
    sets_.emplace_back();
    place = static_cast<std::uint8_t>(sets_.size());
  }
  total_ += units;
  Set& set = sets_[place - 1];
  std::size_t least = 0;
  for (std::size_t i = 0; i < kWays; ++i) {
    if (set.hashes[i] == hash && set.units[i] > 0) {
      set.units[i] += units;
      return;
    }
    if (set.units[i] < set.units[least]) least = i;
  }
  set.hashes[least] = hash;
  set.errors[least] = set.units[least];
  set.units[least] += units;
  const std::size_t size = std::min(key.size(), kMaxKeyBytes);
  set.sizes[least] = static_cast<std::uint8_t>(size);
  if (size > 0) std::memcpy(set.keys[least].data(), key.data(), size);
}

double TopCounter::MissedAtMost(std::uint64_t hash) const {
  const Set* const set = FindSet(hash);
  return set ? *std::ranges::min_element(set->units) : 0;
}

double TopCounter::MissedAtMost() const {
  double most = 0;
  for (const Set& set : sets_) most = std::max(most, *std::ranges::min_element(set.units));
  return most;
}

std::vector<TopCounter::Counted> TopCounter::All() const {
  std::vector<Counted> all;
  for (const Set& set : sets_) {
    for (std::size_t i = 0; i < kWays; ++i) {
      if (set.units[i] == 0) continue;
      all.push_back({set.hashes[i], set.units[i], set.errors[i],
                     std::string(set.keys[i].data(), set.sizes[i])});
    }
  }
  StableSort(all, [](const Counted& a, const Counted& b) {
    return a.units != b.units ? a.units > b.units : a.key < b.key;
  });
  return all;
}

void TopCounter::Clear() {
  total_ = 0;
  for (Set& set : sets_) {
    set.units.fill(0);
    set.errors.fill(0);
  }
}

// A key that has a counter in only some of the threads may have been counted in the others, too,
// up to what they miss.
TopSum SumOf(const std::vector<const TopCounter*>& counters) {
  TopSum sum;
  std::unordered_map<std::uint64_t, TopCounter::Counted> by_hash;
  std::unordered_map<std::uint64_t, double> known_misses;
  for (const TopCounter* counter : counters) {
    sum.total += counter->total();
    sum.missed_at_most += counter->MissedAtMost();
    for (TopCounter::Counted& counted : counter->All()) {
      TopCounter::Counted& there = by_hash[counted.hash];
      there.hash = counted.hash;
      there.units += counted.units;
      there.error += counted.error;
      if (there.key.empty()) there.key = std::move(counted.key);
      known_misses[counted.hash] += counter->MissedAtMost(counted.hash);
    }
  }
  for (auto& [hash, counted] : by_hash) {
    double misses = 0;
    for (const TopCounter* counter : counters) misses += counter->MissedAtMost(hash);
    const double of_others = misses - known_misses[hash];
    counted.units += of_others;
    counted.error += of_others;
    sum.keys.push_back(std::move(counted));
  }
  StableSort(sum.keys, [](const auto& a, const auto& b) {
    return a.units != b.units ? a.units > b.units : a.key < b.key;
  });
  return sum;
}

}  // namespace hashrange
