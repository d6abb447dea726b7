// MatchingNumbers: the numbers of an entity's instances that match some conditions, in an order,
// for picks in O(1). A number that no longer matches leaves a hole, so that the others keep their
// order; the holes are closed when a quarter of the places are holes. Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hashrange {

class MatchingNumbers {
 public:
  // Adds a number at the end, unless it is there.
  void Add(std::uint64_t number);
  void Remove(std::uint64_t number);
  bool Contains(std::uint64_t number) const { return place_of_.contains(number); }

  std::size_t size() const { return place_of_.size(); }   // of numbers
  std::size_t places() const { return numbers_.size(); }  // numbers and holes
  // Returns the number at the place; nothing: it is a hole. The last place is none.
  std::optional<std::uint64_t> At(std::size_t place) const;

 private:
  void CloseHoles();

  std::vector<std::uint32_t> numbers_ = {};
  absl::flat_hash_map<std::uint64_t, std::uint32_t> place_of_ = {};
};

}  // namespace hashrange
