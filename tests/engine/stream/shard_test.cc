#include "engine/stream/shard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "engine/stream/stream_fixture.h"

namespace hashrange {
namespace {

using test::ItemMaker;
using test::KeysOf;
using test::kNowMs;
using test::MakeRecord;
using test::S;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kLarge = 1 << 30;

class ShardTest : public ::testing::Test {
 protected:
  // Returns an item that contains `text`.
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
  void Append(Shard& shard, std::string_view text, std::int64_t epoch_ms = kNowMs) {
    shard.Append(MakeRecord(Make(text), epoch_ms));
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
};

TEST_F(ShardTest, NewShardIsEmptyAndOpen) {
  Shard shard(kLarge, reclaimer_);
  const ShardExtent extent = shard.ExtentAt(kNowMs);
  EXPECT_EQ(extent.first, 1u);
  EXPECT_EQ(extent.next, 1u);
  EXPECT_EQ(extent.last_or_start(), 0u);
  EXPECT_FALSE(extent.is_closed);
  EXPECT_THAT(Read(shard, 1), IsEmpty());
}

TEST_F(ShardTest, RecordsAreReadInTheirOrderFromAnyPosition) {
  Shard shard(kLarge, reclaimer_);
  for (const char* text : {"a", "b", "c", "d"}) Append(shard, text);
  EXPECT_THAT(Read(shard, 1), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Read(shard, 3), ElementsAre("c", "d"));
  EXPECT_THAT(Read(shard, 2, 2), ElementsAre("b", "c"));
  EXPECT_THAT(Read(shard, 5), IsEmpty());
  EXPECT_THAT(Read(shard, UINT64_MAX), IsEmpty());
  EXPECT_EQ(shard.ExtentAt(kNowMs).last_or_start(), 4u);
}

TEST_F(ShardTest, PagesGoAcrossChunks) {
  constexpr std::size_t kRecords = 3 * RecordChunk::kMaxRecords + 7;
  Shard shard(kLarge, reclaimer_);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kRecords; ++i) {
    texts.push_back(std::to_string(i));
    Append(shard, texts.back());
  }
  for (const std::size_t limit : {1u, 255u, 256u, 257u, 1000u}) {
    std::vector<std::string> read;
    for (std::uint64_t position = 1; position <= kRecords;) {
      const auto page = Read(shard, position, limit);
      read.insert(read.end(), page.begin(), page.end());
      position += page.size();
    }
    EXPECT_EQ(read, texts) << limit;
  }
}

TEST_F(ShardTest, RecordsAreDroppedAfter24Hours) {
  Shard shard(kLarge, reclaimer_);
  Append(shard, "a", kNowMs);
  Append(shard, "b", kNowMs + 1);
  Append(shard, "c", kNowMs + 2);
  EXPECT_THAT(Read(shard, 1, 1000, kNowMs + kStreamRetentionMs - 1), ElementsAre("a", "b", "c"));

  EXPECT_EQ(shard.ExtentAt(kNowMs + kStreamRetentionMs).first, 2u);
  const ShardPage trimmed = shard.Read(1, 1000, kNowMs + kStreamRetentionMs);
  EXPECT_TRUE(trimmed.is_trimmed);
  EXPECT_THAT(trimmed.records, IsEmpty());
  EXPECT_THAT(Read(shard, 2, 1000, kNowMs + kStreamRetentionMs), ElementsAre("b", "c"));

  const ShardExtent empty = shard.ExtentAt(kNowMs + kStreamRetentionMs + 2);
  EXPECT_EQ(empty.first, 4u);
  EXPECT_EQ(empty.next, 4u);
  Append(shard, "d", kNowMs + kStreamRetentionMs + 2);
  EXPECT_THAT(Read(shard, 4, 1000, kNowMs + kStreamRetentionMs + 2), ElementsAre("d"));
}

TEST_F(ShardTest, ManyRecordsAreDroppedTogether) {
  constexpr std::uint64_t kRecords = 10 * RecordChunk::kMaxRecords;
  Shard shard(kLarge, reclaimer_);
  for (std::uint64_t i = 0; i < kRecords; ++i) {
    Append(shard, "x", kNowMs + static_cast<std::int64_t>(i));
  }
  const ShardExtent extent = shard.ExtentAt(kNowMs + kStreamRetentionMs + 1000);
  EXPECT_EQ(extent.first, 1002u);
  EXPECT_EQ(extent.next, kRecords + 1);
}

TEST_F(ShardTest, WritersDropExpiredRecords) {
  Shard shard(kLarge, reclaimer_);
  for (std::size_t i = 0; i < RecordChunk::kMaxRecords; ++i) Append(shard, "x");
  Append(shard, "y", kNowMs + kStreamRetentionMs);
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, RecordChunk::kMaxRecords + 1) << "before they expired";
}

TEST_F(ShardTest, DroppedRecordsStayDroppedWhenTheClockIsSetBack) {
  Shard shard(kLarge, reclaimer_);
  Append(shard, "a", kNowMs + 100);
  Append(shard, "b", kNowMs);
  EXPECT_EQ(shard.ExtentAt(kNowMs + 50 + kStreamRetentionMs).first, 1u);
  EXPECT_EQ(shard.ExtentAt(kNowMs + 100 + kStreamRetentionMs).first, 3u);
  Append(shard, "c", kNowMs - 5000);
  EXPECT_THAT(Read(shard, 3, 1000, kNowMs), ElementsAre("c"));
}

TEST_F(ShardTest, TheBufferBoundsTheMemoryOfTheRecords) {
  constexpr std::int64_t kBuffer = 1 << 20;
  for (const std::size_t text_bytes : {1u, 100u, 1000u}) {
    const std::string text(text_bytes, 'x');
    const std::int64_t record_bytes = LeastRecordBytes(text);
    Shard shard(kBuffer, reclaimer_);
    std::uint64_t appended = 0;
    for (; appended < 20'000; ++appended) {
      Append(shard, text);
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
  for (int i = 0; i < 100; ++i) Append(shard, "x");
  const ShardExtent extent = shard.ExtentAt(kNowMs);
  EXPECT_GE(extent.next - extent.first, 8u);
}

TEST_F(ShardTest, TheNewestRecordStaysHoweverLargeItIs) {
  Shard shard(100, reclaimer_);
  Append(shard, std::string(1000, 'a'));
  Append(shard, std::string(1000, 'b'));
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, 2u);
  EXPECT_THAT(Read(shard, 2), ElementsAre(std::string(1000, 'b')));
}

TEST_F(ShardTest, ClosedShardKeepsItsRecordsAndTakesNoMore) {
  Shard shard(kLarge, reclaimer_);
  Append(shard, "a");
  shard.Close();
  shard.Close();
  Append(shard, "b");
  const ShardPage page = shard.Read(1, 1000, kNowMs);
  EXPECT_TRUE(page.extent.is_closed);
  EXPECT_EQ(page.extent.next, 2u);
  EXPECT_THAT(TextsOf(page.records), ElementsAre("a"));
}

TEST_F(ShardTest, ReadersAndWritersAtOnceSeeEveryRecordOnce) {
  constexpr int kWriters = 4;
  constexpr int kEach = 5000;
  Shard shard(kLarge, reclaimer_);
  const ItemRef item = Make("x");
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    // The record's time encodes its writer and its number among the writer's records.
    threads.emplace_back([&, writer] {
      for (int i = 0; i < kEach; ++i) shard.Append(MakeRecord(item, kNowMs + writer * kEach + i));
    });
  }
  std::vector<int> next(kWriters);
  std::uint64_t position = 1;
  while (position <= kWriters * kEach) {
    const ShardPage page = shard.Read(position, 100, kNowMs);
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
  Shard shard(kLarge, reclaimer_);
  EXPECT_EQ(shard.Append(MakeRecord(Make("a"), kNowMs)), 1u);
  EXPECT_EQ(shard.Append(MakeRecord(Make("b"), kNowMs)), 2u);
  shard.Close();
  EXPECT_EQ(shard.Append(MakeRecord(Make("c"), kNowMs)), Shard::kStartNumber);
}

TEST_F(ShardTest, StoredRecordsKeepTheirNumbers) {
  Shard shard(kLarge, reclaimer_);
  shard.StartAt(7);
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, 7u);
  EXPECT_EQ(shard.ExtentAt(kNowMs).next, 7u);
  EXPECT_FALSE(shard.AddStored(6, MakeRecord(Make("too early"), kNowMs)));
  EXPECT_TRUE(shard.AddStored(7, MakeRecord(Make("g"), kNowMs)));
  EXPECT_TRUE(shard.AddStored(8, MakeRecord(Make("h"), kNowMs)));
  EXPECT_FALSE(shard.AddStored(8, MakeRecord(Make("twice"), kNowMs)));
  EXPECT_EQ(shard.Append(MakeRecord(Make("i"), kNowMs)), 9u);
  EXPECT_TRUE(shard.Read(6, 1, kNowMs).is_trimmed);
  EXPECT_THAT(Read(shard, 7), ElementsAre("g", "h", "i"));
  EXPECT_THAT(Read(shard, 8), ElementsAre("h", "i"));
}

TEST_F(ShardTest, AShardWithoutRecordsGoesOnAtItsNumber) {
  Shard shard(kLarge, reclaimer_);
  shard.StartAt(7);
  EXPECT_THAT(Read(shard, 7), IsEmpty());
  EXPECT_EQ(shard.Append(MakeRecord(Make("g"), kNowMs)), 7u);
}

TEST_F(ShardTest, AShardMayGoOnWithAGap) {
  Shard shard(kLarge, reclaimer_);
  EXPECT_TRUE(shard.AddStored(1, MakeRecord(Make("a"), kNowMs)));
  shard.GoOnFrom(100);
  EXPECT_EQ(shard.ExtentAt(kNowMs).next, 2u);
  EXPECT_EQ(shard.Append(MakeRecord(Make("b"), kNowMs)), 100u);
  EXPECT_EQ(shard.Append(MakeRecord(Make("c"), kNowMs)), 101u);
  EXPECT_THAT(Read(shard, 1), ElementsAre("a"));
  EXPECT_THAT(Read(shard, 2), ElementsAre("b", "c"));
}

TEST_F(ShardTest, AGapBeforeTheFirstRecordIsNotTrimmed) {
  Shard shard(kLarge, reclaimer_);
  shard.GoOnFrom(100);
  EXPECT_EQ(shard.Append(MakeRecord(Make("a"), kNowMs)), 100u);
  EXPECT_FALSE(shard.Read(1, 1, kNowMs).is_trimmed);
  EXPECT_THAT(Read(shard, 1), ElementsAre("a"));
}

TEST_F(ShardTest, AClosedShardTakesStoredRecords) {
  Shard shard(kLarge, reclaimer_);
  shard.Close();
  EXPECT_TRUE(shard.AddStored(1, MakeRecord(Make("a"), kNowMs)));
  EXPECT_THAT(Read(shard, 1), ElementsAre("a"));
}

TEST_F(ShardTest, ReadersPassAGapInTheNumbers) {
  Shard shard(kLarge, reclaimer_);
  for (const std::uint64_t number : {3u, 4u, 9u, 10u, 20u}) {
    EXPECT_TRUE(shard.AddStored(
        number, MakeRecord(Make(std::to_string(number)), kNowMs + static_cast<int>(number))));
  }
  EXPECT_EQ(shard.ExtentAt(kNowMs).first, 1u);
  EXPECT_EQ(shard.ExtentAt(kNowMs).next, 21u);
  const ShardPage page = shard.Read(3, 1000, kNowMs);
  EXPECT_EQ(page.first, 3u);
  EXPECT_THAT(TextsOf(page.records), ElementsAre("3", "4"));
  for (const std::uint64_t position : {5u, 8u, 9u}) {
    const ShardPage behind = shard.Read(position, 1000, kNowMs);
    EXPECT_EQ(behind.first, 9u);
    EXPECT_THAT(TextsOf(behind.records), ElementsAre("9", "10"));
  }
  EXPECT_THAT(Read(shard, 10), ElementsAre("10"));
  EXPECT_THAT(Read(shard, 11), ElementsAre("20"));
  EXPECT_THAT(Read(shard, 21), IsEmpty());
  // Records are dropped on both sides of a gap.
  EXPECT_EQ(shard.ExtentAt(kNowMs + 4 + kStreamRetentionMs).first, 5u);
  EXPECT_THAT(Read(shard, 9, 1000, kNowMs + 9 + kStreamRetentionMs - 1), ElementsAre("9", "10"));
  EXPECT_EQ(shard.ExtentAt(kNowMs + 20 + kStreamRetentionMs).first, 21u);
}

}  // namespace
}  // namespace hashrange
