// ChildRanges: which numbers the initial children of each parent have. The children of one parent
// follow each other, so one number for each parent is enough: where its children begin.
//
//   parent       0    1  2     3
//   begins       0    3  3     5     8     parent 1 has no children
//   children     0 1 2   3 4   5 6 7
//
// Used by one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace hashrange {

class ChildRanges {
 public:
  ChildRanges() = default;
  // `counts` has a number for each parent. Their sum is less than 2^32.
  explicit ChildRanges(std::vector<std::uint32_t> counts);

  std::uint64_t parents() const { return begins_.size() - 1; }
  std::uint64_t children() const { return begins_.back(); }
  std::uint64_t Begin(std::uint64_t parent) const { return begins_[parent]; }
  std::uint64_t End(std::uint64_t parent) const { return begins_[parent + 1]; }
  // Cost: O(log parents), and O(1) for a child of the parent that was returned last.
  std::uint64_t ParentOf(std::uint64_t child) const;

 private:
  std::vector<std::uint32_t> begins_ = {0};
  mutable std::uint64_t last_parent_ = 0;
};

}  // namespace hashrange
