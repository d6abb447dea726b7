#include "base/memory/memory_bound.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/log_lines.h"

namespace hashrange {
namespace {

constexpr auto kBoundedPart = MemoryPart::kTokens;
constexpr std::size_t kBlockBytes = 1 << 20;

class MemoryBoundTest : public testing::Test {
 protected:
  void Take(int blocks) {
    for (; blocks > 0; --blocks) taken_.push_back(MakeCountedBytes<kBoundedPart>(kBlockBytes));
  }
  void Return(std::size_t blocks) { taken_.resize(taken_.size() - blocks); }

  const test::LogLines log_{LogLevel::kInfo};
  const std::int64_t before_ = ApproximateLiveBytes();
  std::vector<CountedBytes<kBoundedPart>> taken_;
};

TEST_F(MemoryBoundTest, FollowsLiveBytesAndLogsTheChangesOnly) {
  MemoryBound bound(before_ + (64 << 20));
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  Take(63);
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  EXPECT_TRUE(log_.lines().empty());
  Take(2);
  for (int i = 0; i < 3; ++i) {
    const Status refused = bound.AdmitGrowth();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kInternalServerError);
    EXPECT_EQ(refused.error().message,
              "The data of the server takes all of its --max-memory. Delete items or tables.");
  }
  ASSERT_EQ(log_.lines().size(), 1u);
  EXPECT_TRUE(log_.lines()[0].ends_with(
      " MB of --max-memory: writes that need memory are refused; reads and deletes are not"))
      << log_.lines()[0];
  // Writes are admitted at once when there is room. The log says so when there is some more room.
  Return(2);
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  Take(2);
  EXPECT_FALSE(bound.AdmitGrowth().ok());
  EXPECT_EQ(log_.lines().size(), 1u);
  Return(10);
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  ASSERT_EQ(log_.lines().size(), 2u);
  EXPECT_EQ(log_.lines()[1], "less than --max-memory is taken again: writes are accepted");
}

// Large requests and answers that nobody reads may be the reason, not the data.
TEST_F(MemoryBoundTest, SaysWhatTakesTheMemory) {
  MemoryBound bound(before_ + (64 << 20));
  const auto answer = MakeCountedBytes<MemoryPart::kBuffers>(65 << 20);
  const Status refused = bound.AdmitGrowth();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "The data, the requests under way and the answers that their clients do not read take "
            "all of the server's --max-memory.");
}

TEST_F(MemoryBoundTest, WithoutABoundNothingIsRefused) {
  MemoryBound bound(0);
  EXPECT_EQ(bound.max_bytes(), 0);
  Take(64);
  EXPECT_TRUE(bound.AdmitGrowth().ok());
  EXPECT_EQ(MemoryBound(1 << 30).max_bytes(), 1 << 30);
}

}  // namespace
}  // namespace hashrange
