#include "base/stable_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace hashrange {
namespace {

using Pair = std::pair<int, int>;

TEST(StableSort, GivesWhatTheLibraryGives) {
  Random random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<Pair> list;
    for (std::size_t i = 0; i < size; ++i) {
      list.emplace_back(static_cast<int>(random.Next() % 17), static_cast<int>(i));
    }
    std::vector<Pair> expected = list;
    std::ranges::stable_sort(expected, std::ranges::greater(), &Pair::first);
    StableSort(list, std::ranges::greater(), &Pair::first);
    EXPECT_EQ(list, expected) << size;
  }
}

TEST(StableSort, SortsWhatCanOnlyBeMoved) {
  std::vector<std::unique_ptr<std::string>> list;
  for (const char* text : {"c", "a", "d", "b"}) list.push_back(std::make_unique<std::string>(text));
  StableSort(list, {}, [](const auto& each) -> const std::string& { return *each; });
  std::string joined;
  for (const auto& each : list) joined += *each;
  EXPECT_EQ(joined, "abcd");
}

}  // namespace
}  // namespace hashrange
