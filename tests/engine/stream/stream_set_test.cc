#include "engine/stream/stream_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/stream/stored_stream.h"
#include "engine/stream/stream_fixture.h"
#include "engine/stream/stream_observer.h"
#include "engine/table_life_cycle.h"

namespace hashrange::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class StreamSetTest : public ::testing::Test {
 protected:
  StreamRef Open(std::string table, AccountName account = kAccount) {
    return streams_.Open(account, MakeDefinition(std::move(table), StreamView::kKeysOnly));
  }
  // Returns "<table>@<milliseconds after kNowMs>" for each stream in the list, then "…" when
  // others follow.
  std::vector<std::string> List(StreamSet::Selection selection, AccountName account = kAccount) {
    bool more = false;
    std::vector<std::string> names;
    for (const StreamRef& stream : streams_.List(account, selection, &more)) {
      const StreamDefinition& definition = stream->definition();
      names.push_back(definition.table_name + "@" +
                      std::to_string(definition.creation_epoch_ms - kNowMs));
    }
    if (more) names.push_back("…");
    return names;
  }

  ManualClock clock_{kNowMs};
  StreamSet streams_{clock_, {}};
};

TEST_F(StreamSetTest, StreamsAreFoundInTheirAccount) {
  const StreamRef stream = Open("app");
  EXPECT_EQ(streams_.Find(kAccount, stream->arn()), stream);
  EXPECT_EQ(streams_.Find(kAccount, stream->arn() + "x"), nullptr);
  EXPECT_EQ(streams_.Find({"123456789012", "eu-west-1"}, stream->arn()), nullptr);
  EXPECT_EQ(streams_.Find({"999999999999", "us-east-1"}, stream->arn()), nullptr);
}

TEST_F(StreamSetTest, ListsByArnInPages) {
  const StreamRef b = Open("b");
  const StreamRef a = Open("a");
  Open("c");
  Open("other", {"999999999999", "us-east-1"});
  EXPECT_THAT(List({.limit = 10}), ElementsAre("a@0", "b@0", "c@0"));
  EXPECT_THAT(List({.limit = 3}), ElementsAre("a@0", "b@0", "c@0"));
  EXPECT_THAT(List({.limit = 2}), ElementsAre("a@0", "b@0", "…"));
  EXPECT_THAT(List({.after = b->arn(), .limit = 2}), ElementsAre("c@0"));
  EXPECT_THAT(List({.after = a->arn() + "0", .limit = 1}), ElementsAre("b@0", "…"));
  EXPECT_THAT(List({.table = "b", .limit = 2}), ElementsAre("b@0"));
  EXPECT_THAT(List({.table = "none", .limit = 2}), IsEmpty());
  EXPECT_THAT(List({.limit = 2}, {"111111111111", "us-east-1"}), IsEmpty());
}

TEST_F(StreamSetTest, StreamsOfOneTableHaveDifferentLabels) {
  Open("app");
  Open("app");
  clock_.Advance(5);
  Open("app");
  EXPECT_THAT(List({.limit = 10}), ElementsAre("app@0", "app@1", "app@5"));
}

TEST_F(StreamSetTest, AbandonedStreamIsForgotten) {
  const StreamRef kept = Open("app");
  const StreamRef abandoned = Open("app");
  streams_.Abandon(kAccount, *abandoned);
  streams_.Abandon(kAccount, *abandoned);
  EXPECT_EQ(streams_.Find(kAccount, abandoned->arn()), nullptr);
  EXPECT_EQ(streams_.Find(kAccount, kept->arn()), kept);
}

TEST_F(StreamSetTest, AClosedStreamIsFoundFor24Hours) {
  const StreamRef closed = Open("closed");
  Open("open");
  streams_.Close(kAccount, *closed, kNowMs, kNowMs);
  clock_.Advance(kStreamRetentionMs - 1);
  EXPECT_EQ(streams_.Find(kAccount, closed->arn()), closed);
  EXPECT_THAT(List({.limit = 10}), ElementsAre("closed@0", "open@0"));
  clock_.Advance(1);
  EXPECT_EQ(streams_.Find(kAccount, closed->arn()), nullptr);
  EXPECT_EQ(closed.use_count(), 2);
  EXPECT_THAT(List({.limit = 10}), ElementsAre("open@0"));
  EXPECT_EQ(closed.use_count(), 1) << "the set drops the stream when it lists streams";
}

TEST_F(StreamSetTest, MakingAStreamDropsStreamsThatAreGone) {
  const StreamRef closed = Open("closed");
  streams_.Close(kAccount, *closed, kNowMs, kNowMs);
  clock_.Advance(kStreamRetentionMs);
  Open("new");
  EXPECT_EQ(closed.use_count(), 1);
}

TEST_F(StreamSetTest, ClosedStreamsOfATableAreForgottenButTheirLabelsAreNot) {
  const Scope app{.account_id = kAccount.account_id, .region = kAccount.region, .table = "app"};
  const StreamRef first = Open("app");
  const StreamRef second = Open("app");
  const StreamRef other = Open("app2");
  streams_.Close(kAccount, *first, kNowMs, kNowMs);
  streams_.Close(kAccount, *other, kNowMs, kNowMs);
  std::vector<StreamRef> forgotten;
  streams_.ForgetClosed(app, &forgotten);
  EXPECT_THAT(forgotten, ElementsAre(first));
  EXPECT_EQ(streams_.Find(kAccount, first->arn()), nullptr);
  EXPECT_THAT(List({.limit = 10}), ElementsAre("app@1", "app2@0"));
  streams_.Close(kAccount, *second, kNowMs, kNowMs);
  streams_.ForgetClosed(app, &forgotten);
  EXPECT_THAT(forgotten, ElementsAre(first, second));
  Open("app");
  EXPECT_THAT(List({.limit = 10}), ElementsAre("app@2", "app2@0"));
  streams_.ForgetClosed({.account_id = "999999999999", .table = "app2"}, &forgotten);
  EXPECT_EQ(forgotten.size(), 2u);
}

TEST_F(StreamSetTest, ClosedStreamsOfAScopeAreForgotten) {
  const AccountName elsewhere{kAccount.account_id, "eu-west-1"};
  const AccountName other{"999999999999", "us-east-1"};
  const auto open_and_close = [this](AccountName account) {
    Open("open", account);
    streams_.Close(account, *Open("closed", account), kNowMs, kNowMs);
  };
  for (const AccountName account : {kAccount, elsewhere, other}) open_and_close(account);
  const auto listed = [this](AccountName account) { return List({.limit = 10}, account).size(); };
  std::vector<StreamRef> forgotten;
  streams_.ForgetClosed({.account_id = kAccount.account_id, .region = "eu-west-1"}, &forgotten);
  EXPECT_EQ(forgotten.size(), 1u);
  EXPECT_EQ(listed(kAccount), 2u);
  EXPECT_EQ(listed(elsewhere), 1u);
  streams_.ForgetClosed({.account_id = kAccount.account_id}, &forgotten);
  EXPECT_EQ(forgotten.size(), 2u);
  EXPECT_EQ(listed(kAccount), 1u);
  EXPECT_EQ(listed(other), 2u);
  streams_.ForgetClosed({}, &forgotten);
  EXPECT_EQ(forgotten.size(), 3u);
  EXPECT_EQ(listed(other), 1u);
  // The forgotten streams are not among the closed streams that are dropped after 24 hours.
  clock_.Advance(kStreamRetentionMs);
  EXPECT_EQ(listed(kAccount), 1u);
}

TEST_F(StreamSetTest, LabelsOfManyForgottenTablesAreDroppedInTime) {
  std::vector<StreamRef> forgotten;
  for (int i = 0; i < 1000; ++i) {
    streams_.Close(kAccount, *Open("app" + std::to_string(i)), clock_.NowEpochMs(), 0);
    streams_.ForgetClosed({}, &forgotten);
    clock_.Advance(10);
  }
  Open("app999");
  streams_.Close(kAccount, *Open("again"), clock_.NowEpochMs(), 0);
  streams_.ForgetClosed({}, &forgotten);
  Open("again");
  EXPECT_THAT(List({.limit = 10}), ElementsAre("again@10001", "app999@10000"));
}

// A label of a clock that was set back by hours does not count; the one that is forgotten next
// does.
TEST_F(StreamSetTest, LabelsFollowAClockThatIsSetBack) {
  std::vector<StreamRef> forgotten;
  constexpr std::int64_t kHourMs = 3'600'000;
  for (const std::int64_t back_ms : {std::int64_t{0}, kHourMs, 3 * kHourMs}) {
    clock_.Advance(-back_ms);
    const std::int64_t now_ms = clock_.NowEpochMs();
    for (const std::int64_t later_ms : {0, 1, 2}) {
      const StreamRef stream = Open("app");
      EXPECT_EQ(stream->definition().creation_epoch_ms, now_ms + later_ms);
      streams_.Close(kAccount, *stream, now_ms, now_ms);
      streams_.ForgetClosed({}, &forgotten);
    }
  }
}

TEST_F(StreamSetTest, AStreamOfAnyAccountIsDroppedOnceItIsGone) {
  const AccountName other{"999999999999", "us-east-1"};
  const StreamRef closed = Open("closed", other);
  streams_.Close(other, *closed, kNowMs, kNowMs);
  clock_.Advance(kStreamRetentionMs);
  List({.limit = 1});
  EXPECT_EQ(closed.use_count(), 1);
}

TEST_F(StreamSetTest, ChangesGoToTheStreamOfTheirTable) {
  const StreamRef a = Open("a");
  const StreamRef b = Open("b");
  const auto table_a = StreamedTable("a", a);
  const auto table_b = StreamedTable("b", b);
  const auto unrecorded = StreamedTable("c", nullptr);
  const auto timed = StreamedTable("d", nullptr);
  timed->settings.stream.reset();
  timed->settings.ttl_attribute = "ttl";
  ItemMaker maker(KeysOf("pk"));
  std::vector<Change> changes;
  for (const TableVersion* table :
       {table_a.get(), table_b.get(), table_a.get(), unrecorded.get(), timed.get()}) {
    Change change;
    change.table = table;
    change.after = maker.Make({{"pk", maker.Text(std::to_string(changes.size()))}});
    changes.push_back(change);
  }
  streams_.OnCommit(changes, nullptr);
  const auto records_a = a->shard(0).Read(1, 10, 0).records;
  ASSERT_EQ(records_a.size(), 2u);
  EXPECT_EQ(records_a[0].after, changes[0].after);
  EXPECT_EQ(records_a[1].after, changes[2].after);
  const auto records_b = b->shard(0).Read(1, 10, 0).records;
  ASSERT_EQ(records_b.size(), 1u);
  EXPECT_EQ(records_b[0].after, changes[1].after);
}

// Notes what it is told, as texts.
class StreamNotes : public StreamObserver {
 public:
  void OnOpen(Stream& stream) noexcept override { Note("open", stream); }
  void OnClose(Stream& stream) noexcept override { Note("close", stream); }
  void OnForget(Stream& stream) noexcept override { Note("forget", stream); }
  void OnRecord(Stream& stream, std::size_t shard, std::uint64_t number,
                const StreamRecord& record) noexcept override {
    Note("record " + std::to_string(shard) + "/" + std::to_string(number) +
             (record.before ? " before" : "") + (record.after ? " after" : ""),
         stream);
  }
  void OnTags(Stream& stream, std::span<const Tag> tags) noexcept override {
    Note(std::to_string(tags.size()) + " tags", stream);
  }
  std::vector<std::string> all;

 private:
  void Note(std::string what, const Stream& stream) {
    all.push_back(std::move(what) + " of " + stream.definition().table_name + "#" +
                  std::to_string(stream.definition().id));
  }
};

StreamDefinition Durable(std::string table) {
  StreamDefinition definition = MakeDefinition(std::move(table), StreamView::kNewAndOldImages);
  definition.is_durable = true;
  return definition;
}

TEST_F(StreamSetTest, TheObserverIsToldOfDurableStreams) {
  StreamNotes notes;
  streams_.SetObserver(notes);
  const StreamRef app = streams_.Open(kAccount, Durable("app"));
  const StreamRef lost = streams_.Open(kAccount, Durable("lost"));
  const StreamRef in_memory = Open("memory");
  streams_.Abandon(kAccount, *lost);
  const auto table = StreamedTable("app", app);
  const auto memory_table = StreamedTable("memory", in_memory);
  ItemMaker maker(KeysOf("pk"));
  Change change;
  change.before = change.after = maker.Make({{"pk", S("a")}});
  for (const TableVersion* each : {table.get(), memory_table.get(), table.get()}) {
    change.table = each;
    streams_.OnCommit({&change, 1}, nullptr);
    change.before = nullptr;
  }
  const std::vector<Tag> tags = {{"k", "v"}};
  app->tags().Add(tags);
  in_memory->tags().Add(tags);
  streams_.Close(kAccount, *app, kNowMs, kNowMs);
  streams_.Close(kAccount, *in_memory, kNowMs, kNowMs);
  change.table = table.get();
  streams_.OnCommit({&change, 1}, nullptr);  // the stream is closed
  clock_.Advance(kStreamRetentionMs);
  EXPECT_THAT(List({.limit = 10}), IsEmpty());
  EXPECT_THAT(notes.all,
              ElementsAre("open of app#1", "open of lost#2", "forget of lost#2",
                          "record 0/1 before after of app#1", "record 0/2 after of app#1",
                          "1 tags of app#1", "close of app#1", "forget of app#1"));
}

TEST_F(StreamSetTest, ForgottenStreamsAreTold) {
  StreamNotes notes;
  streams_.SetObserver(notes);
  const StreamRef app = streams_.Open(kAccount, Durable("app"));
  streams_.Close(kAccount, *app, kNowMs, kNowMs);
  std::vector<StreamRef> forgotten;
  streams_.ForgetClosed({}, &forgotten);
  EXPECT_THAT(notes.all, ElementsAre("open of app#1", "close of app#1", "forget of app#1"));
}

// Returns the stream as it is after it was stored and restored into `to`, without its records.
StreamRef StoreAndRestore(Stream& stream, StreamSet& to) {
  const auto stored = DecodeStream(EncodeStream(DescribeStream(stream, kNowMs)));
  EXPECT_TRUE(stored.ok());
  const auto restored = to.Restore(*stored);
  EXPECT_TRUE(restored.ok());
  return *restored;
}

TEST_F(StreamSetTest, ARestoredStreamIsTheSame) {
  StreamSet first(clock_, {.shards = 3});
  const StreamRef before = first.Open(kAccount, Durable("app"));
  const StreamRef stream = StoreAndRestore(*before, streams_);
  EXPECT_EQ(streams_.Find(kAccount, before->arn()), stream);
  EXPECT_EQ(stream->label(), before->label());
  ASSERT_EQ(stream->shard_count(), 3u);
  EXPECT_EQ(stream->ShardId(2), before->ShardId(2));
  EXPECT_EQ(stream->EventId(1, 77), before->EventId(1, 77));
  EXPECT_FALSE(stream->is_closed());
  EXPECT_FALSE(streams_.Restore(DescribeStream(*before, kNowMs)).ok());
  EXPECT_EQ(Open("other")->definition().id, 2u);
  streams_.ReserveIds(30);
  streams_.ReserveIds(10);
  EXPECT_EQ(Open("third")->definition().id, 30u);
}

TEST_F(StreamSetTest, ARestoredClosedStreamEndsADayAfterItWasClosed) {
  StreamSet first(clock_, {});
  const StreamRef before = first.Open(kAccount, Durable("app"));
  first.Close(kAccount, *before, kNowMs - 10, kNowMs + 5);
  const StreamRef stream = StoreAndRestore(*before, streams_);
  EXPECT_EQ(stream->StatusAt(kNowMs), StreamStatus::kDisabling);
  EXPECT_EQ(stream->StatusAt(kNowMs + 5), StreamStatus::kDisabled);
  EXPECT_TRUE(stream->shard(0).ExtentAt(kNowMs).is_closed);
  StreamNotes notes;
  streams_.SetObserver(notes);
  clock_.Advance(kStreamRetentionMs - 11);
  EXPECT_THAT(List({.limit = 10}), ElementsAre("app@0"));
  clock_.Advance(1);
  EXPECT_THAT(List({.limit = 10}), IsEmpty());
  EXPECT_THAT(notes.all, ElementsAre("forget of app#1"));
}

TEST_F(StreamSetTest, RestoredStreamsWithoutATableAreClosed) {
  StreamSet first(clock_, {});
  const StreamRef used = StoreAndRestore(*first.Open(kAccount, Durable("used")), streams_);
  const StreamRef lost = StoreAndRestore(*first.Open(kAccount, Durable("lost")), streams_);
  auto table = StreamedTable("used", nullptr);
  table->settings.stream->id = used->definition().id;
  table->phase.next = TableRef::Adopt(std::make_unique<TableVersion>(*table).release());
  EXPECT_TRUE(streams_.Attach(table.get()).ok());
  EXPECT_EQ(table->settings.stream->storage, used);
  EXPECT_EQ(table->phase.next->settings.stream->storage, used);
  auto other = StreamedTable("other", nullptr);
  EXPECT_TRUE(streams_.Attach(other.get()).ok());  // records nothing
  other->settings.stream->id = 99;
  EXPECT_EQ(streams_.Attach(other.get()).error().message,
            "the stream of the table other is not stored");
  StreamNotes notes;
  streams_.SetObserver(notes);
  used->tags().Add(std::vector<Tag>{{"k", "v"}});
  streams_.CloseUnused(kNowMs);
  EXPECT_FALSE(used->is_closed());
  EXPECT_EQ(lost->StatusAt(kNowMs), StreamStatus::kDisabled);
  EXPECT_THAT(notes.all, ElementsAre("1 tags of used#1", "close of lost#2"));
}

TEST_F(StreamSetTest, ATableThatIsBeingDeletedNeedsNoStream) {
  StreamSet first(clock_, {});
  const StreamRef open = StoreAndRestore(*first.Open(kAccount, Durable("open")), streams_);
  const auto attach = [this](std::string name, std::uint64_t id) {
    auto table = StreamedTable(std::move(name), nullptr);
    table->settings.stream->id = id;
    table = VersionAfter(*table, TableDeletion{.ends_epoch_ms = kNowMs + 1});
    EXPECT_TRUE(streams_.Attach(table.get()).ok());
    return table;
  };
  const auto forgotten = attach("forgotten", 99);
  EXPECT_EQ(forgotten->settings.stream->storage, nullptr);
  EXPECT_EQ(forgotten->settings.stream->id, 0u);
  // The deletion began, and the stream was not closed any more.
  EXPECT_EQ(attach("open", open->definition().id)->settings.stream->storage, open);
  streams_.CloseUnused(kNowMs);
  EXPECT_TRUE(open->is_closed());
}

}  // namespace
}  // namespace hashrange::test
