#include "base/memory/live_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include "platform/memory.h"

namespace hashrange {
namespace {

constexpr auto kPart = MemoryPart::kExpiries;  // nothing else in this program uses this part

std::int64_t LiveBytes() { return CountLiveMemory().of(kPart); }

TEST(LiveMemory, CountsWhatTheAllocatorTakes) {
  const std::int64_t before = LiveBytes();
  void* const block = AllocateCounted(kPart, 1000);
  EXPECT_EQ(LiveBytes() - before, static_cast<std::int64_t>(AllocatedBytes(block)));
  EXPECT_GE(AllocatedBytes(block), 1000u);
  FreeCounted(kPart, block);
  EXPECT_EQ(LiveBytes(), before);
}

TEST(LiveMemory, AlignsBlocksAndCountsThem) {
  const std::int64_t before = LiveBytes();
  constexpr std::align_val_t kAlignment{64};
  void* const block = AllocateCounted(kPart, 100, kAlignment);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
  EXPECT_EQ(LiveBytes() - before, static_cast<std::int64_t>(AllocatedBytes(block)));
  FreeCounted(kPart, block, kAlignment);
  EXPECT_EQ(LiveBytes(), before);
}

TEST(LiveMemory, IsExactWhenOtherThreadsFreeAndThreadsHaveEnded) {
  const std::int64_t before = LiveBytes();
  constexpr int kThreads = 4, kBlocks = 20'000;
  std::vector<std::vector<void*>> blocks(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&mine = blocks[static_cast<std::size_t>(i)]] {
      for (int n = 0; n < kBlocks; ++n) {
        mine.push_back(AllocateCounted(kPart, static_cast<std::size_t>(n % 700)));
        if (n % 3 != 0) continue;
        FreeCounted(kPart, mine.back());
        mine.pop_back();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  std::int64_t expected = 0;
  for (const auto& each : blocks) {
    for (void* block : each) expected += static_cast<std::int64_t>(AllocatedBytes(block));
  }
  EXPECT_EQ(LiveBytes() - before, expected);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&others = blocks[static_cast<std::size_t>((i + 1) % kThreads)]] {
      for (void* block : others) FreeCounted(kPart, block);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(LiveBytes(), before);
}

TEST(LiveMemory, CountsWhatAThreadFreesAfterItsCountersAreGone) {
  const std::int64_t before = LiveBytes();
  std::thread([] {
    // It is made before the thread's counters are known, and so destroyed after they are gone.
    thread_local CountedBytes<kPart> last;
    last = nullptr;
    last = MakeCountedBytes<kPart>(10'000);
  }).join();
  EXPECT_EQ(LiveBytes(), before);
}

TEST(LiveMemory, TheApproximateSumLagsByNoMoreThanItSays) {
  const std::int64_t before = CountLiveMemory().total();
  EXPECT_LE(std::abs(ApproximateLiveBytes() - before), kReportBytes);
  std::vector<CountedBytes<kPart>> blocks;
  for (int i = 0; i < 1000; ++i) blocks.push_back(MakeCountedBytes<kPart>(3000));
  EXPECT_GT(CountLiveMemory().total() - before, 3'000'000);
  EXPECT_LE(std::abs(ApproximateLiveBytes() - CountLiveMemory().total()), kReportBytes);
  blocks.clear();
  EXPECT_EQ(CountLiveMemory().total(), before);
  EXPECT_LE(std::abs(ApproximateLiveBytes() - before), kReportBytes);
}

TEST(LiveMemory, PartsHaveNames) {
  EXPECT_EQ(MemoryPartName(MemoryPart::kItems), "items");
  EXPECT_EQ(MemoryPartName(MemoryPart::kSeparators), "separators");
  EXPECT_EQ(MemoryPartName(MemoryPart::kBuffers), "buffers");
}

}  // namespace
}  // namespace hashrange
