#include "base/memory/memory_reserve.h"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "support/allocation_failures.h"

namespace hashrange {
namespace {

using test::AllocationFailures;
using test::Failing;

constexpr auto kPart = MemoryPart::kLeaves;  // nothing else in this program uses this part

std::int64_t LiveBytes() { return CountLiveMemory().of(kPart); }

// Takes blocks of `bytes` until there is no memory.
std::vector<void*> TakeAll(std::size_t bytes) {
  std::vector<void*> blocks;
  blocks.reserve(1000);
  AllocationFailures failures(0, Failing::kAllFrom);
  try {
    for (;;) {
      blocks.push_back(AllocateReserved(kPart, bytes));
      std::memset(blocks.back(), 0x5a, bytes);
    }
  } catch (const std::bad_alloc&) {
  }
  return blocks;
}

void FreeAll(const std::vector<void*>& blocks) {
  for (void* block : blocks) FreeReserved(kPart, block);
}

class MemoryReserveTest : public testing::Test {
 protected:
  // Each test has a thread of its own, so that it begins without a reserve.
  template <typename Function>
  void OnNewThread(Function function) {
    std::thread([&] {  // a thread allocates when it begins to count
      FreeReserved(kPart, AllocateReserved(kPart, 1));
      function();
    })
        .join();
  }
};

TEST_F(MemoryReserveTest, GivesAtLeastWhatWasDrawnWhenTheAllocatorHasNothing) {
  const std::int64_t live = LiveBytes(), blocks_in_use = test::BlocksInUse();
  OnNewThread([&] {
    EXPECT_TRUE(TakeAll(100).empty());
    DrawReserve(10 * ReservedBytes(1000) + ReservedBytes(1));
    std::vector<void*> blocks = TakeAll(1000);
    EXPECT_GE(blocks.size(), 10u);
    EXPECT_EQ(LiveBytes() - live, static_cast<std::int64_t>(blocks.size() * ReservedBytes(1000)));
    // The next work gets a new reserve, while the blocks are still used.
    DrawReserve(10 * ReservedBytes(1000));
    const std::vector<void*> more = TakeAll(1000);
    EXPECT_GE(more.size(), 10u);
    for (void* block : more) EXPECT_EQ(static_cast<char*>(block)[999], 0x5a);
    FreeAll(blocks);
    FreeAll(more);
    EXPECT_EQ(LiveBytes(), live);
  });
  EXPECT_EQ(test::BlocksInUse(), blocks_in_use);
}

TEST_F(MemoryReserveTest, BlocksOutliveTheThreadAndAreFreedByAnother) {
  const std::int64_t live = LiveBytes(), blocks_in_use = test::BlocksInUse();
  std::vector<void*> blocks;
  OnNewThread([&] {
    DrawReserve(100'000);
    blocks = TakeAll(500);
  });
  EXPECT_GE(blocks.size(), 100u);
  void* const ordinary = AllocateReserved(kPart, 500);
  OnNewThread([&] {
    FreeAll(blocks);
    FreeReserved(kPart, ordinary);
  });
  blocks = std::vector<void*>();
  EXPECT_EQ(LiveBytes(), live);
  EXPECT_EQ(test::BlocksInUse(), blocks_in_use);
}

TEST_F(MemoryReserveTest, StaysAsItIsWhileTheAllocatorHasMemory) {
  OnNewThread([] {
    DrawReserve(50'000);
    const std::int64_t blocks_in_use = test::BlocksInUse();
    for (int i = 0; i < 1000; ++i) {
      AllocationFailures failures(1, Failing::kAllFrom);  // the block only
      DrawReserve(50'000);
      FreeReserved(kPart, AllocateReserved(kPart, 40'000));
    }
    EXPECT_EQ(test::BlocksInUse(), blocks_in_use);
  });
}

TEST_F(MemoryReserveTest, AFailedDrawThrows) {
  OnNewThread([] {
    AllocationFailures failures(0, Failing::kOne);
    EXPECT_THROW(DrawReserve(1), std::bad_alloc);
    DrawReserve(1);
  });
}

TEST_F(MemoryReserveTest, AVeryLargeReserveIsNotKept) {
  OnNewThread([] {
    DrawReserve(100 << 20);
    DrawReserve(1000);
    EXPECT_LT(TakeAll(1 << 20).size(), 2u);
  });
}

}  // namespace
}  // namespace hashrange
