// The address sanitizer checks that the reclaimer frees all chunks.
#include "engine/stream/record_reclaimer.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "engine/stream/stream_fixture.h"
#include "support/eventually.h"

namespace hashrange::test {
namespace {

constexpr std::int64_t kChunkBytes = 1 << 20;

class RecordReclaimerTest : public ::testing::Test {
 protected:
  RecordChunks MakeChunk() const {
    RecordChunks chunks;
    chunks.push_back(std::make_unique<RecordChunk>(1));
    chunks.back()->records.push_back(MakeRecord(item_, 0));
    chunks.back()->size_bytes = kChunkBytes;
    return chunks;
  }
  bool IsDoneSoon() {
    return Eventually([this] { return reclaimer_.waiting_bytes() == 0; });
  }

  ItemMaker maker_{KeysOf("pk")};
  const ItemRef item_ = maker_.Make({{"pk", S("a")}});
  RecordReclaimer reclaimer_;
};

TEST_F(RecordReclaimerTest, FreesWhatItIsGiven) {
  reclaimer_.Free({});
  EXPECT_EQ(reclaimer_.waiting_bytes(), 0);
  for (int i = 0; i < 100; ++i) reclaimer_.Free(MakeChunk());
  EXPECT_TRUE(IsDoneSoon());
}

TEST_F(RecordReclaimerTest, NeverHoldsMuchMoreThanItsLimit) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        reclaimer_.Free(MakeChunk());
        EXPECT_LE(reclaimer_.waiting_bytes(), RecordReclaimer::kMaxWaitingBytes + kChunkBytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(IsDoneSoon());
}

}  // namespace
}  // namespace hashrange::test
