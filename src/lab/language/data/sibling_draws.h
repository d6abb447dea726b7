// SiblingDraws: which draws gave the children of one parent different values. A child takes the
// first of its draws that no earlier sibling has, so its value depends on those of earlier
// siblings. They are kept for the parents that were looked at last. Used by one thread at a time.
#pragma once

#include <absl/container/flat_hash_set.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hashrange {

class SiblingDraws {
 public:
  struct Family {
    std::uint64_t parent = 0;
    std::vector<std::uint32_t> attempts = {};        // of each child, by its place
    absl::flat_hash_set<std::uint64_t> values = {};  // hashes of the values that are taken
  };

  // Returns what is known of the parent's children; the caller adds what is missing. The reference
  // is valid until the next call.
  Family& Of(std::uint64_t parent);

 private:
  static constexpr std::size_t kFamilies = 64;
  std::unique_ptr<std::array<Family, kFamilies>> families_ = {};
};

}  // namespace hashrange
