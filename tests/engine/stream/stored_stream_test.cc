#include "engine/stream/stored_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/stream/stream_fixture.h"

namespace hashrange::test {
namespace {

using testing::ElementsAre;

StoredStream FullStream() {
  StoredStream stream;
  stream.definition = MakeDefinition("app", StreamView::kNewAndOldImages);
  stream.definition.key = KeysOf("pk", "sk");
  stream.definition.creation_epoch_ms = kNowMs;
  stream.definition.enabled_epoch_ms = kNowMs + 5;
  stream.definition.id = 12;
  stream.definition.account_id = kAccount.account_id;
  stream.definition.account_region = kAccount.region;
  stream.definition.is_durable = true;
  stream.event_seeds = {UINT64_MAX, 3};
  stream.first_numbers = {1, 400};
  stream.closing = StreamClosing{kNowMs + 6, kNowMs + 7};
  return stream;
}

// The bindings name every member: a new member does not compile until it is stored and compared.
void ExpectSame(const StoredStream& a, const StoredStream& b) {
  const auto& [definition, seeds, firsts, closing] = a;
  const auto& [table, arn, region, key, view, created, enabled, durable, id, account,
               account_region] = definition;
  EXPECT_EQ(table, b.definition.table_name);
  EXPECT_EQ(arn, b.definition.table_arn);
  EXPECT_EQ(region, b.definition.region);
  ASSERT_EQ(key.parts(), b.definition.key.parts());
  for (std::size_t i = 0; i < key.parts(); ++i) {
    EXPECT_EQ(key.part(i).name, b.definition.key.part(i).name);
    EXPECT_EQ(key.part(i).type, b.definition.key.part(i).type);
  }
  EXPECT_EQ(view, b.definition.view);
  EXPECT_EQ(created, b.definition.creation_epoch_ms);
  EXPECT_EQ(enabled, b.definition.enabled_epoch_ms);
  EXPECT_EQ(durable, b.definition.is_durable);
  EXPECT_EQ(id, b.definition.id);
  EXPECT_EQ(account, b.definition.account_id);
  EXPECT_EQ(account_region, b.definition.account_region);
  EXPECT_EQ(seeds, b.event_seeds);
  EXPECT_EQ(firsts, b.first_numbers);
  ASSERT_EQ(closing.has_value(), b.closing.has_value());
  if (!closing) return;
  EXPECT_EQ(closing->closed_epoch_ms, b.closing->closed_epoch_ms);
  EXPECT_EQ(closing->disabled_epoch_ms, b.closing->disabled_epoch_ms);
}

std::string ProblemOf(const StoredStream& stream) {
  const auto decoded = DecodeStream(EncodeStream(stream));
  return decoded.ok() ? "" : decoded.error().message;
}

TEST(StoredStream, AllMembersAreKept) {
  const auto decoded = DecodeStream(EncodeStream(FullStream()));
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  ExpectSame(FullStream(), *decoded);
  StoredStream open = FullStream();
  open.closing.reset();
  const auto decoded_open = DecodeStream(EncodeStream(open));
  ASSERT_TRUE(decoded_open.ok());
  ExpectSame(open, *decoded_open);
}

TEST(StoredStream, ImpossibleStreamsAreRefused) {
  const std::string begin = "the record of a stream is damaged: ";
  StoredStream stream = FullStream();
  stream.definition.id = 0;
  EXPECT_EQ(ProblemOf(stream), begin + "it has no id");
  stream = FullStream();
  stream.definition.account_id.clear();
  EXPECT_EQ(ProblemOf(stream), begin + "it has no table");
  stream = FullStream();
  stream.definition.key.range[0].type = AttributeType::kBool;
  EXPECT_EQ(ProblemOf(stream), begin + "it has an impossible key");
  stream = FullStream();
  stream.definition.creation_epoch_ms = INT64_MAX;
  EXPECT_EQ(ProblemOf(stream), begin + "it was made at an impossible time");
  stream = FullStream();
  stream.first_numbers.clear();
  EXPECT_EQ(ProblemOf(stream), begin + "it has no shards");
  for (const std::uint64_t number : {std::uint64_t{0}, UINT64_MAX}) {
    stream.first_numbers = {1, number};
    EXPECT_EQ(ProblemOf(stream), begin + "a shard begins at an impossible number");
  }
}

TEST(StoredStream, ADescriptionHasTheFirstNumbersAndTheState) {
  RecordReclaimer reclaimer;
  StreamDefinition definition = FullStream().definition;
  Stream stream(definition, {.shards = 2}, reclaimer);
  ItemMaker maker(KeysOf("pk"));
  stream.shard(1).Append(MakeRecord(maker.Make({{"pk", S("a")}}), kNowMs));
  stream.shard(1).Append(MakeRecord(maker.Make({{"pk", S("b")}}), kNowMs + 1));
  StoredStream described = DescribeStream(stream, kNowMs + kStreamRetentionMs);
  EXPECT_THAT(described.first_numbers, ElementsAre(1, 2));
  EXPECT_FALSE(described.closing.has_value());
  EXPECT_EQ(described.event_seeds, stream.event_seeds());
  EXPECT_EQ(described.definition.table_arn, definition.table_arn);
  stream.Close(8, 9);
  described = DescribeStream(stream, kNowMs);
  ASSERT_TRUE(described.closing.has_value());
  EXPECT_EQ(described.closing->closed_epoch_ms, 8);
  EXPECT_EQ(described.closing->disabled_epoch_ms, 9);
}

TEST(StoredStream, ARecordIsKept) {
  const StoredStreamRecord record{"before", std::string_view("\0x", 2), 1'700'000'000'001,
                                  StreamEvent::kRemove, WriteOrigin::kTimeToLive};
  const std::string bytes = EncodeStreamRecord(record);
  const auto decoded = DecodeStreamRecord(bytes);
  ASSERT_TRUE(decoded.ok());
  const auto& [before, after, epoch_ms, event, origin] = *decoded;
  EXPECT_EQ(before, record.before);
  EXPECT_EQ(after, record.after);
  EXPECT_EQ(epoch_ms, record.epoch_ms);
  EXPECT_EQ(event, record.event);
  EXPECT_EQ(origin, record.origin);
}

TEST(StoredStream, DamagedRecordsAreRefused) {
  EXPECT_EQ(DecodeStreamRecord("").error().message,
            "the record of a change is damaged: it has no item");
  EXPECT_FALSE(DecodeStreamRecord("\x04\x03").ok());
  EXPECT_FALSE(DecodeStream("\x01").ok());
}

}  // namespace
}  // namespace hashrange::test
