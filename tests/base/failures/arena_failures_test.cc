// An arena without memory. Part of the program whose operator new fails when a test asks for it.
#include <gtest/gtest.h>

#include <cstring>
#include <new>

#include "base/memory/arena.h"
#include "support/allocation_failures.h"

namespace hashrange {
namespace {

TEST(ArenaFailures, LeaveTheArenaAsItWas) {
  constexpr std::size_t kBlock = 64;
  std::int64_t failed = 0;
  bool have_happened = true;
  for (std::int64_t number = 0; have_happened; ++number) {
    Arena arena(kBlock);
    char* const first = arena.AllocateBytes(kBlock / 2);
    std::memset(first, 'a', kBlock / 2);
    {
      test::AllocationFailures failures(number, test::Failing::kOne);
      try {
        arena.AllocateBytes(kBlock);
      } catch (const std::bad_alloc&) {
        ++failed;
      }
      have_happened = failures.have_happened();
    }
    // What is left of the first block is used, or a new block; nothing that was freed.
    char* const second = arena.AllocateBytes(kBlock / 4);
    std::memset(second, 'b', kBlock / 4);
    EXPECT_EQ(std::string_view(first, kBlock / 2), std::string(kBlock / 2, 'a'));
    if (have_happened) {
      EXPECT_EQ(second, first + kBlock / 2);
    }
  }
  EXPECT_EQ(failed, 2);  // for the block, and for the list of blocks
}

}  // namespace
}  // namespace hashrange
