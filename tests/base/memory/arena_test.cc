#include "base/memory/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {
namespace {

TEST(Arena, KeepsEveryAllocationUntilReset) {
  Arena arena(64);
  std::vector<std::string> expected;
  std::vector<std::string_view> kept;
  for (std::size_t i = 0; i < 200; ++i) {
    expected.push_back(std::string(i % 97, static_cast<char>('a' + i % 26)));
    kept.push_back(arena.Copy(std::string_view(expected.back())));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(kept[i], expected[i]) << i;
}

TEST(Arena, AlignsItsAllocations) {
  Arena arena(64);
  for (int i = 0; i < 20; ++i) {
    arena.AllocateBytes(1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.New<std::uint64_t>(7u)) % 8, 0u);
    arena.AllocateBytes(3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.Allocate(5)) % alignof(std::max_align_t), 0u);
  }
}

TEST(Arena, MakesArraysOfZeros) {
  Arena arena(32);
  const std::span<int> dirty = arena.NewArray<int>(8);
  for (int& value : dirty) value = -1;
  arena.Reset();
  const std::span<int> clean = arena.NewArray<int>(8);
  EXPECT_EQ(std::vector<int>(clean.begin(), clean.end()), std::vector<int>(8, 0));
}

TEST(Arena, CopiesArraysAndEmptyOnes) {
  Arena arena;
  const std::vector<int> values = {1, 2, 3};
  const std::span<int> copy = arena.Copy(std::span<const int>(values));
  EXPECT_EQ(std::vector<int>(copy.begin(), copy.end()), values);
  EXPECT_TRUE(arena.Copy(std::span<const int>()).empty());
  EXPECT_TRUE(arena.Copy(std::string_view()).empty());
}

TEST(Arena, ReusesItsFirstBlockAfterReset) {
  Arena arena(128);
  void* const first = arena.Allocate(100);
  arena.Allocate(1000);
  arena.Reset();
  EXPECT_EQ(arena.Allocate(100), first);
}

TEST(Arena, AllocatesMoreThanABlockAtOnce) {
  Arena arena(16);
  const std::string big(100'000, 'x');
  EXPECT_EQ(arena.Copy(std::string_view(big)), big);
  EXPECT_EQ(arena.Copy(std::string_view("y")), "y");
}

}  // namespace
}  // namespace hashrange
