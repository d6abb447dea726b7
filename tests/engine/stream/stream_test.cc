#include "engine/stream/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engine/stream/stream_fixture.h"

namespace hashrange::test {
namespace {

using testing::ElementsAre;

class StreamTest : public ::testing::Test {
 protected:
  std::unique_ptr<Stream> Make(StreamView view, int shards = 1, std::int64_t enabled_ms = 0) {
    StreamDefinition definition = MakeDefinition("app", view);
    definition.creation_epoch_ms = kNowMs;
    definition.enabled_epoch_ms = enabled_ms;
    return std::make_unique<Stream>(std::move(definition),
                                    StreamOptions{.shards = shards, .buffer_bytes = 1 << 20},
                                    reclaimer_);
  }
  Change MakeChange(ItemRef before, ItemRef after) const {
    Change change;
    change.before = std::move(before);
    change.after = std::move(after);
    change.epoch_ms = kNowMs;
    return change;
  }
  StreamRecord RecordedChange(StreamView view, const Change& change) {
    const auto stream = Make(view);
    stream->Append(change);
    return stream->shard(0).Read(1, 1, kNowMs).records.at(0);
  }

  ItemMaker maker_{KeysOf("pk")};
  const ItemRef old_ = maker_.Make({{"pk", S("k")}, {"v", S("old")}});
  const ItemRef new_ = maker_.Make({{"pk", S("k")}, {"v", S("new")}});
  RecordReclaimer reclaimer_;
};

TEST_F(StreamTest, IsNamedByItsTableAndWhenItWasMade) {
  const auto stream = Make(StreamView::kKeysOnly);
  EXPECT_EQ(stream->label(), "2023-11-14T22:13:20.000");
  EXPECT_EQ(stream->arn(),
            "arn:aws:dynamodb:us-east-1:123456789012:table/app/stream/2023-11-14T22:13:20.000");
  EXPECT_EQ(StreamLabel(kNowMs + 7), "2023-11-14T22:13:20.007");
  EXPECT_EQ(StreamLabel(kNowMs + 999), "2023-11-14T22:13:20.999");
}

TEST_F(StreamTest, ShardsAreRangesOfHashes) {
  const auto stream = Make(StreamView::kKeysOnly, 4);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < stream->shard_count(); ++i) ids.push_back(stream->ShardId(i));
  EXPECT_THAT(ids, ElementsAre("shardId-00000001700000000000-00000000",
                               "shardId-00000001700000000000-40000000",
                               "shardId-00000001700000000000-80000000",
                               "shardId-00000001700000000000-c0000000"));
  for (int i = 0; i < 200; ++i) {
    const ItemRef item = maker_.Make({{"pk", maker_.Text(std::to_string(i))}});
    const std::size_t shard = item->hash() >> 62;
    const std::uint64_t next = stream->shard(shard).ExtentAt(kNowMs).next;
    stream->Append(MakeChange(nullptr, item));
    EXPECT_EQ(stream->shard(shard).ExtentAt(kNowMs).next, next + 1);
  }
}

// A record keeps the items that the view shows, or one item for the key.
TEST_F(StreamTest, RecordsKeepWhatTheViewShows) {
  const Change insert = MakeChange(nullptr, new_);
  const Change modify = MakeChange(old_, new_);
  const Change remove = MakeChange(old_, nullptr);
  const struct {
    StreamView view;
    const Change& change;
    StreamEvent event;
    ItemRef before;
    ItemRef after;
  } kRows[] = {
      {StreamView::kKeysOnly, insert, StreamEvent::kInsert, nullptr, new_},
      {StreamView::kKeysOnly, modify, StreamEvent::kModify, nullptr, new_},
      {StreamView::kKeysOnly, remove, StreamEvent::kRemove, old_, nullptr},
      {StreamView::kNewImage, insert, StreamEvent::kInsert, nullptr, new_},
      {StreamView::kNewImage, modify, StreamEvent::kModify, nullptr, new_},
      {StreamView::kNewImage, remove, StreamEvent::kRemove, old_, nullptr},
      {StreamView::kOldImage, insert, StreamEvent::kInsert, nullptr, new_},
      {StreamView::kOldImage, modify, StreamEvent::kModify, old_, nullptr},
      {StreamView::kOldImage, remove, StreamEvent::kRemove, old_, nullptr},
      {StreamView::kNewAndOldImages, insert, StreamEvent::kInsert, nullptr, new_},
      {StreamView::kNewAndOldImages, modify, StreamEvent::kModify, old_, new_},
      {StreamView::kNewAndOldImages, remove, StreamEvent::kRemove, old_, nullptr},
  };
  for (const auto& row : kRows) {
    const StreamRecord record = RecordedChange(row.view, row.change);
    EXPECT_EQ(record.event, row.event) << StreamViewName(row.view);
    EXPECT_EQ(record.before, row.before) << StreamViewName(row.view);
    EXPECT_EQ(record.after, row.after) << StreamViewName(row.view);
    EXPECT_EQ(record.epoch_ms, kNowMs);
    EXPECT_EQ(record.origin, WriteOrigin::kRequest);
  }
}

TEST_F(StreamTest, EventIdsAreDifferentAndDoNotChange) {
  const auto stream = Make(StreamView::kKeysOnly, 2);
  std::set<std::string> ids;
  for (std::size_t shard = 0; shard < 2; ++shard) {
    for (std::uint64_t number = 1; number <= 1000; ++number) {
      const std::string id = stream->EventId(shard, number);
      EXPECT_EQ(id.size(), 32u);
      EXPECT_EQ(id, stream->EventId(shard, number));
      ids.insert(id);
    }
  }
  EXPECT_EQ(ids.size(), 2000u);
  EXPECT_EQ(ids.count(Make(StreamView::kKeysOnly)->EventId(0, 1)), 0u);
}

TEST_F(StreamTest, StatusFollowsTheClock) {
  const auto stream = Make(StreamView::kKeysOnly, 1, kNowMs + 10);
  EXPECT_EQ(stream->StatusAt(kNowMs + 9), StreamStatus::kEnabling);
  EXPECT_EQ(stream->StatusAt(kNowMs + 10), StreamStatus::kEnabled);
  EXPECT_FALSE(stream->IsGoneAt(INT64_MAX));
  stream->Close(kNowMs + 100, kNowMs + 110);
  stream->Close(kNowMs + 999, kNowMs + 999);  // only the first call counts
  EXPECT_EQ(stream->StatusAt(kNowMs + 109), StreamStatus::kDisabling);
  EXPECT_EQ(stream->StatusAt(kNowMs + 110), StreamStatus::kDisabled);
  EXPECT_FALSE(stream->IsGoneAt(kNowMs + 99 + kStreamRetentionMs));
  EXPECT_TRUE(stream->IsGoneAt(kNowMs + 100 + kStreamRetentionMs));
}

TEST_F(StreamTest, ViewsHaveTheServicesNames) {
  for (const char* name : {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"}) {
    EXPECT_EQ(StreamViewName(ParseStreamView(name)), name);
  }
}

}  // namespace
}  // namespace hashrange::test
