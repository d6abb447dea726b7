// StableSort is std::ranges::stable_sort for lists that are short or rarely sorted. It sorts the
// places of the elements by one function for all types, and so takes little code for each.
//
// Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace hashrange {

// Returns the places of `size` elements in their new order. `precedes` says of two places whether
// the element at the first one comes before that at the second one; `context` is passed to it.
// Elements of which none precedes the other stay in their order. Cost: O(n log n) calls.
inline std::vector<std::uint32_t> StableOrder(std::size_t size, const void* context,
                                              bool (*precedes)(const void* context, std::uint32_t a,
                                                               std::uint32_t b)) {
  std::vector<std::uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::uint32_t> merged(size);
  for (std::size_t run = 1; run < size; run *= 2) {
    for (std::size_t begin = 0; begin < size; begin += 2 * run) {
      const std::size_t middle = std::min(begin + run, size);
      const std::size_t end = std::min(middle + run, size);
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool takes_right =
            right < end && (left == middle || precedes(context, order[right], order[left]));
        merged[to] = takes_right ? order[right++] : order[left++];
      }
    }
    order.swap(merged);
  }
  return order;
}

// Sorts a random-access range of fewer than 2^32 elements, as std::ranges::stable_sort does.
template <typename List, typename Less = std::ranges::less, typename Projection = std::identity>
void StableSort(List& list, Less less = {}, Projection projection = {}) {
  const auto elements = std::ranges::begin(list);
  const auto precedes = [&](std::uint32_t a, std::uint32_t b) -> bool {
    return std::invoke(less, std::invoke(projection, elements[a]),
                       std::invoke(projection, elements[b]));
  };
  std::vector<std::uint32_t> order =
      StableOrder(std::ranges::size(list), &precedes,
                  [](const void* context, std::uint32_t a, std::uint32_t b) {
                    return (*static_cast<const decltype(precedes)*>(context))(a, b);
                  });
  // Moves the elements of each cycle of the permutation by one place.
  for (std::uint32_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    auto held = std::move(elements[first]);
    std::uint32_t to = first;
    while (order[to] != first) {
      elements[to] = std::move(elements[order[to]]);
      to = std::exchange(order[to], to);
    }
    elements[to] = std::move(held);
    order[to] = to;
  }
}

}  // namespace hashrange
