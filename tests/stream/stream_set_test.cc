#include "stream/stream_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stream/stream_fixture.h"

namespace hashrange {
namespace {

using test::ItemMaker;
using test::kAccount;
using test::KeysOf;
using test::kNowMs;
using test::MakeDefinition;
using test::S;
using test::StreamedTable;
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
  streams_.OnCommit(changes);
  const auto records_a = a->shard(0).Read(1, 10, 0).records;
  ASSERT_EQ(records_a.size(), 2u);
  EXPECT_EQ(records_a[0].after, changes[0].after);
  EXPECT_EQ(records_a[1].after, changes[2].after);
  const auto records_b = b->shard(0).Read(1, 10, 0).records;
  ASSERT_EQ(records_b.size(), 1u);
  EXPECT_EQ(records_b[0].after, changes[1].after);
}

}  // namespace
}  // namespace hashrange
