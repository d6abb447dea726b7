#include "engine/stream/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "engine/stream/stream_fixture.h"

namespace hashrange::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kLarge = 1 << 30;

class ShardTest : public ::testing::Test {
 protected:
  // Returns the bytes of a record with the text. The allocator gives some items a few bytes more
  // than it gives others of the same length; the least counts here.
  std::int64_t LeastRecordBytes(std::string_view text) {
    std::vector<ItemRef> items;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (int i = 0; i < 100; ++i) {
      items.push_back(Make(text));
      least = std::min(least, items.back()->memory_bytes());
    }
    return static_cast<std::int64_t>(sizeof(StreamRecord) + least);
  }
  ItemRef Make(std::string_view text) { return maker_.Make({{"pk", S("k")}, {"v", S(text)}}); }
  StreamRecord Record(std::string_view text, std::int64_t epoch_ms = kNowMs) {
    return MakeRecord(Make(text), epoch_ms);
  }
  std::vector<std::string> TextsOf(const std::vector<StreamRecord>& records) const {
    std::vector<std::string> texts;
    for (const StreamRecord& record : records) {
      texts.emplace_back(ItemView(maker_.schema(), record.after.get()).Find("v")->bytes());
    }
    return texts;
  }
  std::vector<std::string> Read(Shard& shard, std::uint64_t position, std::size_t limit = 1000,
                                std::int64_t now_ms = kNowMs) const {
    const ShardPage page = shard.Read(position, limit, now_ms);
    EXPECT_FALSE(page.is_trimmed);
    return TextsOf(page.records);
  }

  ItemMaker maker_{KeysOf("pk")};
  RecordReclaimer reclaimer_;
  Shard shard_{kLarge, reclaimer_};
};

TEST_F(ShardTest, NewShardIsEmptyAndOpen) {
  const ShardExtent extent = shard_.ExtentAt(kNowMs);
  EXPECT_EQ(extent.first, 1u);
  EXPECT_EQ(extent.next, 1u);
  EXPECT_EQ(extent.last_or_start(), 0u);
  EXPECT_FALSE(extent.is_closed);
  EXPECT_THAT(Read(shard_, 1), IsEmpty());
}

TEST_F(ShardTest, RecordsAreReadInTheirOrderFromAnyPosition) {
  for (const char* text : {"a", "b", "c", "d"}) shard_.Append(Record(text));
  EXPECT_THAT(Read(shard_, 1), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Read(shard_, 3), ElementsAre("c", "d"));
  EXPECT_THAT(Read(shard_, 2, 2), ElementsAre("b", "c"));
  EXPECT_THAT(Read(shard_, 5), IsEmpty());
  EXPECT_THAT(Read(shard_, UINT64_MAX), IsEmpty());
  EXPECT_EQ(shard_.ExtentAt(kNowMs).last_or_start(), 4u);
}

TEST_F(ShardTest, PagesGoAcrossChunks) {
  constexpr std::size_t kRecords = 3 * RecordChunk::kMaxRecords + 7;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kRecords; ++i) {
    texts.push_back(std::to_string(i));
    shard_.Append(Record(texts.back()));
  }
  for (const std::size_t limit : {1u, 255u, 256u, 257u, 1000u}) {
    std::vector<std::string> read;
    for (std::uint64_t position = 1; position <= kRecords;) {
      const auto page = Read(shard_, position, limit);
      read.insert(read.end(), page.begin(), page.end());
      position += page.size();
    }
    EXPECT_EQ(read, texts) << limit;
  }
}

TEST_F(ShardTest, RecordsAreDroppedAfter24Hours) {
  shard_.Append(Record("a", kNowMs));
  shard_.Append(Record("b", kNowMs + 1));
  shard_.Append(Record("c", kNowMs + 2));
  EXPECT_THAT(Read(shard_, 1, 1000, kNowMs + kStreamRetentionMs - 1), ElementsAre("a", "b", "c"));

  EXPECT_EQ(shard_.ExtentAt(kNowMs + kStreamRetentionMs).first, 2u);
  const ShardPage trimmed = shard_.Read(1, 1000, kNowMs + kStreamRetentionMs);
  EXPECT_TRUE(trimmed.is_trimmed);
  EXPECT_THAT(trimmed.records, IsEmpty());
  EXPECT_THAT(Read(shard_, 2, 1000, kNowMs + kStreamRetentionMs), ElementsAre("b", "c"));

  const ShardExtent empty = shard_.ExtentAt(kNowMs + kStreamRetentionMs + 2);
  EXPECT_EQ(empty.first, 4u);
  EXPECT_EQ(empty.next, 4u);
  shard_.Append(Record("d", kNowMs + kStreamRetentionMs + 2));
  EXPECT_THAT(Read(shard_, 4, 1000, kNowMs + kStreamRetentionMs + 2), ElementsAre("d"));
}

TEST_F(ShardTest, ManyRecordsAreDroppedTogether) {
  constexpr std::uint64_t kRecords = 10 * RecordChunk::kMaxRecords;
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    shard_.Append(Record("x", kNowMs + static_cast<std::int64_t>(i)));
  }
  const ShardExtent extent = shard_.ExtentAt(kNowMs + kStreamRetentionMs + 1000);
  EXPECT_EQ(extent.first, 1002u);
  EXPECT_EQ(extent.next, kRecords + 1);
}

TEST_F(ShardTest, WritersDropExpiredRecords) {
  for (std::size_t i = 0; i < RecordChunk::kMaxRecords; ++i) shard_.Append(Record("x"));
  shard_.Append(Record("y", kNowMs + kStreamRetentionMs));
  EXPECT_EQ(shard_.ExtentAt(kNowMs).first, RecordChunk::kMaxRecords + 1) << "before they expired";
}

TEST_F(ShardTest, DroppedRecordsStayDroppedWhenTheClockIsSetBack) {
  shard_.Append(Record("a", kNowMs + 100));
  shard_.Append(Record("b", kNowMs));
  EXPECT_EQ(shard_.ExtentAt(kNowMs + 50 + kStreamRetentionMs).first, 1u);
  EXPECT_EQ(shard_.ExtentAt(kNowMs + 100 + kStreamRetentionMs).first, 3u);
  shard_.Append(Record("c", kNowMs - 5000));
  EXPECT_THAT(Read(shard_, 3, 1000, kNowMs), ElementsAre("c"));
}

TEST_F(ShardTest, TheBufferBoundsTheMemoryOfTheRecords) {
  constexpr std::int64_t kBuffer = 1 << 20;
  for (const std::size_t text_bytes : {1u, 100u, 1000u}) {
    const std::string text(text_bytes, 'x');
    const std::int64_t record_bytes = LeastRecordBytes(text);
    Shard shard(kBuffer, reclaimer_);
    std::uint64_t appended = 0;
    for (; appended < 20'000; ++appended) {
      shard.Append(Record(text));
      const ShardExtent extent = shard.ExtentAt(kNowMs);
      const auto kept = static_cast<std::int64_t>(extent.next - extent.first);
      ASSERT_LE(kept * record_bytes, kBuffer) << text_bytes;
      // A chunk is dropped as a whole, and the newest chunk may have unused places.
      if (extent.first > 1) {
        ASSERT_GE(kept * record_bytes, kBuffer / 4 * 3) << text_bytes;
      }
    }
    const ShardExtent extent = shard.ExtentAt(kNowMs);
    EXPECT_GT(extent.first, 1u) << text_bytes;
    EXPECT_EQ(extent.next, appended + 1);
    EXPECT_TRUE(shard.Read(extent.first - 1, 10, kNowMs).is_trimmed);
    EXPECT_EQ(Read(shard, extent.first, 20'000).size(), extent.next - extent.first);
  }
}

TEST_F(ShardTest, ASmallBufferKeepsRecordsToo) {
  constexpr std::int64_t kBuffer = 4096;
  Shard shard(kBuffer, reclaimer_);
  for (int i = 0; i < 100; ++i) shard.Append(Record("x"));
  const ShardExtent extent = shard.ExtentAt(kNowMs);
  EXPECT_GE(extent.next - extent.first, 8u);
}

TEST_F(ShardTest, TheNewestRecordStaysHoweverLargeItIs) {
  Shard shard(100, reclaimer_);
  shard.Append(Record(std::string(1000, 'a')));
  shard.Append(Record(std::string(1000, 'b')));
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, 2u);
  EXPECT_THAT(Read(shard, 2), ElementsAre(std::string(1000, 'b')));
}

TEST_F(ShardTest, ClosedShardKeepsItsRecordsAndTakesNoMore) {
  shard_.Append(Record("a"));
  shard_.Close();
  shard_.Close();
  shard_.Append(Record("b"));
  const ShardPage page = shard_.Read(1, 1000, kNowMs);
  EXPECT_TRUE(page.extent.is_closed);
  EXPECT_EQ(page.extent.next, 2u);
  EXPECT_THAT(TextsOf(page.records), ElementsAre("a"));
}

TEST_F(ShardTest, ReadersAndWritersAtOnceSeeEveryRecordOnce) {
  constexpr int kWriters = 4;
  constexpr int kEach = 5000;
  const ItemRef item = Make("x");
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    // The record's time encodes its writer and its number among the writer's records.
    threads.emplace_back([&, writer] {
      for (int i = 0; i < kEach; ++i) shard_.Append(MakeRecord(item, kNowMs + writer * kEach + i));
    });
  }
  std::vector<int> next(kWriters);
  std::uint64_t position = 1;
  while (position <= kWriters * kEach) {
    const ShardPage page = shard_.Read(position, 100, kNowMs);
    position += page.records.size();
    for (const StreamRecord& record : page.records) {
      const auto place = static_cast<int>(record.epoch_ms - kNowMs);
      ASSERT_EQ(place % kEach, next[place / kEach]++);
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(next, testing::Each(kEach));
}

TEST_F(ShardTest, AppendReturnsTheNumber) {
  EXPECT_EQ(shard_.Append(Record("a")), 1u);
  EXPECT_EQ(shard_.Append(Record("b")), 2u);
  shard_.Close();
  EXPECT_EQ(shard_.Append(Record("c")), Shard::kStartNumber);
}

TEST_F(ShardTest, StoredRecordsKeepTheirNumbers) {
  Shard shard(kLarge, reclaimer_, 7);
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, 7u);
  EXPECT_EQ(shard.ExtentAt(kNowMs).next, 7u);
  EXPECT_FALSE(shard.AddStored(6, Record("too early")));
  EXPECT_TRUE(shard.AddStored(7, Record("g")));
  EXPECT_TRUE(shard.AddStored(8, Record("h")));
  EXPECT_FALSE(shard.AddStored(8, Record("twice")));
  EXPECT_EQ(shard.Append(Record("i")), 9u);
  EXPECT_TRUE(shard.Read(6, 1, kNowMs).is_trimmed);
  EXPECT_THAT(Read(shard, 7), ElementsAre("g", "h", "i"));
  EXPECT_THAT(Read(shard, 8), ElementsAre("h", "i"));
}

TEST_F(ShardTest, AShardWithoutRecordsGoesOnAtItsNumber) {
  Shard shard(kLarge, reclaimer_, 7);
  EXPECT_THAT(Read(shard, 7), IsEmpty());
  EXPECT_EQ(shard.Append(Record("g")), 7u);
}

TEST_F(ShardTest, AShardMayGoOnWithAGap) {
  EXPECT_TRUE(shard_.AddStored(1, Record("a")));
  shard_.GoOnFrom(100);
  EXPECT_EQ(shard_.ExtentAt(kNowMs).next, 2u);
  EXPECT_EQ(shard_.Append(Record("b")), 100u);
  EXPECT_EQ(shard_.Append(Record("c")), 101u);
  EXPECT_THAT(Read(shard_, 1), ElementsAre("a"));
  EXPECT_THAT(Read(shard_, 2), ElementsAre("b", "c"));
}

TEST_F(ShardTest, AGapBeforeTheFirstRecordIsNotTrimmed) {
  shard_.GoOnFrom(100);
  EXPECT_EQ(shard_.Append(Record("a")), 100u);
  EXPECT_FALSE(shard_.Read(1, 1, kNowMs).is_trimmed);
  EXPECT_THAT(Read(shard_, 1), ElementsAre("a"));
}

TEST_F(ShardTest, AClosedShardTakesStoredRecords) {
  shard_.Close();
  EXPECT_TRUE(shard_.AddStored(1, Record("a")));
  EXPECT_THAT(Read(shard_, 1), ElementsAre("a"));
}

TEST_F(ShardTest, ReadersPassAGapInTheNumbers) {
  for (const std::uint64_t number : {3u, 4u, 9u, 10u, 20u}) {
    const auto epoch_ms = kNowMs + static_cast<std::int64_t>(number);
    EXPECT_TRUE(shard_.AddStored(number, Record(std::to_string(number), epoch_ms)));
  }
  EXPECT_EQ(shard_.ExtentAt(kNowMs).first, 1u);
  EXPECT_EQ(shard_.ExtentAt(kNowMs).next, 21u);
  const ShardPage page = shard_.Read(3, 1000, kNowMs);
  EXPECT_EQ(page.first, 3u);
  EXPECT_THAT(TextsOf(page.records), ElementsAre("3", "4"));
  for (const std::uint64_t position : {5u, 8u, 9u}) {
    const ShardPage behind = shard_.Read(position, 1000, kNowMs);
    EXPECT_EQ(behind.first, 9u);
    EXPECT_THAT(TextsOf(behind.records), ElementsAre("9", "10"));
  }
  EXPECT_THAT(Read(shard_, 10), ElementsAre("10"));
  EXPECT_THAT(Read(shard_, 11), ElementsAre("20"));
  EXPECT_THAT(Read(shard_, 21), IsEmpty());
  // Records are dropped on both sides of a gap.
  EXPECT_EQ(shard_.ExtentAt(kNowMs + 4 + kStreamRetentionMs).first, 5u);
  EXPECT_THAT(Read(shard_, 9, 1000, kNowMs + 9 + kStreamRetentionMs - 1), ElementsAre("9", "10"));
  EXPECT_EQ(shard_.ExtentAt(kNowMs + 20 + kStreamRetentionMs).first, 21u);
}

}  // namespace
}  // namespace hashrange::test
