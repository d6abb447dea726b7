#include "engine/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/table.h"

namespace hashrange {
namespace {

using test::GlobalIndex;
using test::kAccount;
using test::KeysOf;
using test::LocalIndex;
using test::NewTable;
using test::S;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr AccountName kOther{"999999999999", "eu-west-1"};
const ManualClock kClock(0);

// Returns the number of the version that is published under that name; 0 if there is none.
std::uint64_t PublishedNumber(const Catalog& catalog, AccountName account, std::string_view table) {
  const TableRef found = catalog.Find(account, table);
  return found ? found->number : 0;
}

TEST(Catalog, FindsWhatWasCreatedInItsAccountOnly) {
  Catalog catalog(kClock);
  EXPECT_EQ(catalog.Find(kAccount, "t"), nullptr);
  const TableRef created = catalog.Create(NewTable("t", KeysOf("pk")));
  ASSERT_NE(created, nullptr);
  EXPECT_EQ(PublishedNumber(catalog, kAccount, "t"), created->number);
  EXPECT_EQ(catalog.Find(kOther, "t"), nullptr);
  EXPECT_EQ(catalog.Find({kAccount.account_id, kOther.region}, "t"), nullptr);
  EXPECT_EQ(catalog.Find({kOther.account_id, kAccount.region}, "t"), nullptr);
  EXPECT_EQ(catalog.Find(kAccount, "T"), nullptr);
}

TEST(Catalog, ATakenNameIsRefused) {
  Catalog catalog(kClock);
  const TableRef first = catalog.Create(NewTable("t", KeysOf("pk")));
  EXPECT_EQ(catalog.Create(NewTable("t", KeysOf("pk"))), nullptr);
  EXPECT_EQ(PublishedNumber(catalog, kAccount, "t"), first->number);
  EXPECT_NE(catalog.Create(NewTable("t", KeysOf("pk"), {}, kOther)), nullptr);
}

TEST(Catalog, PublishReplacesOnlyTheVersionItWasMadeFrom) {
  Catalog catalog(kClock);
  const TableRef first = catalog.Create(NewTable("t", KeysOf("pk")));
  auto next = std::make_unique<TableVersion>(*first);
  next->settings.deletion_protection = true;
  const TableRef second = catalog.Publish(first, std::move(next));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(PublishedNumber(catalog, kAccount, "t"), second->number);
  EXPECT_TRUE(second->settings.deletion_protection);
  EXPECT_FALSE(first->settings.deletion_protection);
  EXPECT_EQ(second->table, first->table);

  EXPECT_EQ(catalog.Publish(first, std::make_unique<TableVersion>(*first)), nullptr);
  EXPECT_FALSE(catalog.Remove(first));
  EXPECT_EQ(PublishedNumber(catalog, kAccount, "t"), second->number);
  EXPECT_TRUE(catalog.Remove(second));
  EXPECT_FALSE(catalog.Remove(second));
  EXPECT_EQ(catalog.Find(kAccount, "t"), nullptr);
  EXPECT_EQ(catalog.Publish(second, std::make_unique<TableVersion>(*second)), nullptr);
}

TEST(Catalog, EveryThreadFindsTheVersionThatIsPublished) {
  Catalog catalog(kClock);
  TableRef published = catalog.Create(NewTable("t", KeysOf("pk")));
  const auto found_by_another_thread = [&] {
    std::uint64_t number = 0;
    std::thread([&] { number = PublishedNumber(catalog, kAccount, "t"); }).join();
    return number;
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(PublishedNumber(catalog, kAccount, "t"), published->number);
    EXPECT_EQ(found_by_another_thread(), published->number);
    published = catalog.Publish(published, std::make_unique<TableVersion>(*published));
  }
  // A copy that a thread was given is accepted as the version that it is a copy of.
  EXPECT_TRUE(catalog.Remove(catalog.Find(kAccount, "t")));
  EXPECT_EQ(found_by_another_thread(), 0u);
}

TEST(Catalog, IndexesKeepTheirStorageAndNeverShareAnId) {
  Catalog catalog(kClock);
  const TableRef first = catalog.Create(
      NewTable("t", KeysOf("pk", "sk"),
               {GlobalIndex("g1", KeysOf("a")), GlobalIndex("g2", KeysOf("b")),
                LocalIndex("l1", KeysOf("pk", "a")), LocalIndex("l2", KeysOf("pk", "b"))}));
  EXPECT_EQ(first->indexes[2].storage->local_ordinal(), 0);
  EXPECT_EQ(first->indexes[3].storage->local_ordinal(), 1);
  EXPECT_FALSE(first->indexes[0].storage->is_local());

  auto without = std::make_unique<TableVersion>(*first);
  without->indexes.erase(without->indexes.begin() + 1);
  const TableRef second = catalog.Publish(first, std::move(without));
  auto with = std::make_unique<TableVersion>(*second);
  with->indexes.insert(with->indexes.begin() + 1, GlobalIndex("g2", KeysOf("b")));
  const TableRef third = catalog.Publish(second, std::move(with));
  EXPECT_EQ(third->FindIndex("g1")->storage, first->FindIndex("g1")->storage);
  EXPECT_EQ(third->FindIndex("l2")->storage, first->FindIndex("l2")->storage);
  EXPECT_NE(third->FindIndex("g2")->storage, first->FindIndex("g2")->storage);
  EXPECT_NE(third->FindIndex("g2")->id, first->FindIndex("g2")->id);
  EXPECT_EQ(third->FindIndex("g3"), nullptr);
}

// Both versions of a change are made at the same time, and published one after the other.
TEST(Catalog, AnIndexWithoutStorageIsTheOneOfItsNameBefore) {
  Catalog catalog(kClock);
  const TableRef first = catalog.Create(NewTable("t", KeysOf("pk")));
  auto during = std::make_unique<TableVersion>(*first);
  during->indexes.push_back(GlobalIndex("g", KeysOf("a")));
  during->indexes[0].phase = IndexPhase::kAllocating;
  auto after = std::make_unique<TableVersion>(*first);
  after->indexes.push_back(GlobalIndex("g", KeysOf("a")));
  const TableRef second = catalog.Publish(first, std::move(during));
  const TableRef third = catalog.Publish(second, std::move(after));
  EXPECT_NE(third->indexes[0].storage, nullptr);
  EXPECT_EQ(third->indexes[0].storage, second->indexes[0].storage);
  EXPECT_EQ(third->indexes[0].id, second->indexes[0].id);
}

TEST(Catalog, ListIsSortedAndPaged) {
  Catalog catalog(kClock);
  for (const char* name : {"b", "a", "C", "d", "a.1"}) {
    catalog.Create(NewTable(name, KeysOf("pk")));
  }
  catalog.Create(NewTable("x", KeysOf("pk"), {}, kOther));
  bool more = false;
  EXPECT_THAT(catalog.List(kAccount, std::nullopt, 3, &more), ElementsAre("C", "a", "a.1"));
  EXPECT_TRUE(more);
  EXPECT_THAT(catalog.List(kAccount, "a.1", 3, &more), ElementsAre("b", "d"));
  EXPECT_FALSE(more);
  EXPECT_THAT(catalog.List(kAccount, "aa", 1, &more), ElementsAre("b"));
  EXPECT_TRUE(more);
  EXPECT_THAT(catalog.List(kAccount, "d", 3, &more), IsEmpty());
  EXPECT_FALSE(more);
  EXPECT_THAT(catalog.List({"1", "r"}, std::nullopt, 3, &more), IsEmpty());
  EXPECT_FALSE(more);
}

TEST(Catalog, SaysWhichAccountsHaveATable) {
  Catalog catalog(kClock);
  const TableRef table = catalog.Create(NewTable("t", KeysOf("pk")));
  catalog.Create(NewTable("t", KeysOf("pk"), {}, kOther));
  catalog.Create(NewTable("u", KeysOf("pk"), {}, kOther));
  EXPECT_THAT(catalog.AccountsWith("t", 10),
              ElementsAre("123456789012/us-east-1", "999999999999/eu-west-1"));
  EXPECT_THAT(catalog.AccountsWith("t", 1), ElementsAre("123456789012/us-east-1"));
  catalog.Remove(table);
  EXPECT_THAT(catalog.AccountsWith("t", 10), ElementsAre("999999999999/eu-west-1"));
  EXPECT_THAT(catalog.AccountsWith("v", 10), IsEmpty());
}

TEST(Catalog, AnAccountHasTokensFromItsFirstTableOn) {
  Catalog catalog(kClock);
  EXPECT_EQ(catalog.TokensOf(kAccount), nullptr);
  const TableRef table = catalog.Create(NewTable("t", KeysOf("pk")));
  const auto tokens = catalog.TokensOf(kAccount);
  EXPECT_NE(tokens, nullptr);
  EXPECT_EQ(catalog.TokensOf(kOther), nullptr);
  catalog.Create(NewTable("t", KeysOf("pk"), {}, kOther));
  EXPECT_NE(catalog.TokensOf(kOther), tokens);
  catalog.Remove(table);
  EXPECT_EQ(catalog.TokensOf(kAccount), nullptr);
}

TEST(Catalog, AnAccountWithoutTablesIsDroppedWhenItsTokensHaveExpired) {
  constexpr auto kApi = IdempotencyTokens::Api::kTransactWriteItems;
  ManualClock clock(0);
  Catalog catalog(clock);
  const auto change_something = [&catalog] {
    catalog.Remove(catalog.Create(NewTable("u", KeysOf("pk"), {}, kOther)));
  };
  const TableRef table = catalog.Create(NewTable("t", KeysOf("pk")));
  const auto tokens = catalog.TokensOf(kAccount);
  std::vector<std::uint32_t> sizes;
  EXPECT_EQ(tokens->Begin(kApi, "token", {}, 0, &sizes), IdempotencyTokens::State::kNew);
  catalog.Remove(table);
  clock.Advance(IdempotencyTokens::kLifetimeMs);
  change_something();
  EXPECT_EQ(catalog.TokensOf(kAccount), tokens) << "a request is under way";
  tokens->Complete(kApi, "token", clock.NowEpochMs(), {});
  clock.Advance(IdempotencyTokens::kLifetimeMs - 1);
  change_something();
  EXPECT_EQ(catalog.TokensOf(kAccount), tokens) << "the token is known";
  clock.Advance(1);
  change_something();
  EXPECT_EQ(catalog.TokensOf(kAccount), nullptr);
  EXPECT_EQ(catalog.TokensOf(kOther), nullptr);
}

// An account that still has tokens does not keep the others from being dropped.
TEST(Catalog, ManyAccountsWithoutTablesAreDropped) {
  ManualClock clock(0);
  Catalog catalog(clock);
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(std::to_string(100'000'000'000 + i));
  for (const std::string& id : ids) {
    const AccountName account{id, "us-east-1"};
    const TableRef table = catalog.Create(NewTable("t", KeysOf("pk"), {}, account));
    std::vector<std::uint32_t> sizes;
    const auto tokens = catalog.TokensOf(account);
    tokens->Begin(IdempotencyTokens::Api::kTransactWriteItems, "token", {}, 0, &sizes);
    tokens->Complete(IdempotencyTokens::Api::kTransactWriteItems, "token", 0, {});
    catalog.Remove(table);
  }
  EXPECT_NE(catalog.TokensOf({ids[50], "us-east-1"}), nullptr);
  clock.Advance(IdempotencyTokens::kLifetimeMs);
  for (int i = 0; i < 30; ++i) catalog.Create(NewTable("u" + std::to_string(i), KeysOf("pk")));
  for (const std::string& id : ids) EXPECT_EQ(catalog.TokensOf({id, "us-east-1"}), nullptr) << id;
}

TEST(Catalog, AnExchangeForgetsTheTokensOfAScope) {
  Catalog catalog(kClock);
  catalog.Create(NewTable("t", KeysOf("pk")));
  const auto begin = [&catalog] {
    std::vector<std::uint32_t> sizes;
    return catalog.TokensOf(kAccount)->Begin(IdempotencyTokens::Api::kTransactWriteItems, "token",
                                             {}, 0, &sizes);
  };
  EXPECT_EQ(begin(), IdempotencyTokens::State::kNew);
  catalog.TokensOf(kAccount)->Complete(IdempotencyTokens::Api::kTransactWriteItems, "token", 0, {});
  const Scope other{.account_id = kOther.account_id};
  EXPECT_TRUE(catalog.Exchange({}, {}, &other));
  EXPECT_EQ(begin(), IdempotencyTokens::State::kReplay);
  const Scope other_region{.account_id = kAccount.account_id, .region = "mars-north-1"};
  EXPECT_TRUE(catalog.Exchange({}, {}, &other_region));
  EXPECT_EQ(begin(), IdempotencyTokens::State::kReplay);
  const Scope own{.account_id = kAccount.account_id, .region = kAccount.region};
  EXPECT_TRUE(catalog.Exchange({}, {}, &own));
  EXPECT_EQ(begin(), IdempotencyTokens::State::kNew);
}

TEST(Catalog, AnExchangeOfATableForgetsTheTokensOfItsRequests) {
  constexpr auto kApi = IdempotencyTokens::Api::kTransactWriteItems;
  Catalog catalog(kClock);
  const TableRef table = catalog.Create(NewTable("t", KeysOf("pk")));
  const TableRef other = catalog.Create(NewTable("u", KeysOf("pk")));
  const auto tokens = catalog.TokensOf(kAccount);
  std::vector<std::uint32_t> sizes;
  for (const auto& [token, id] : {std::pair("t", table->table->id()), {"u", other->table->id()}}) {
    tokens->Begin(kApi, token, {}, 0, &sizes);
    tokens->Complete(kApi, token, 0, {{}, {id}});
  }
  const Scope scope{.account_id = kAccount.account_id, .table = "t"};
  const TableRef in = catalog.Prepare(NewTable("t", KeysOf("pk")));
  EXPECT_TRUE(catalog.Exchange({&table, 1}, {&in, 1}, &scope));
  EXPECT_EQ(tokens->Begin(kApi, "t", {}, 0, &sizes), IdempotencyTokens::State::kNew);
  EXPECT_EQ(tokens->Begin(kApi, "u", {}, 0, &sizes), IdempotencyTokens::State::kReplay);
}

TEST(Catalog, CountsItsExchanges) {
  Catalog catalog(kClock);
  const std::uint64_t before = catalog.exchanges();
  const TableRef table = catalog.Create(NewTable("t", KeysOf("pk")));
  EXPECT_GT(catalog.exchanges(), before);
  const std::uint64_t made = catalog.exchanges();
  EXPECT_EQ(catalog.Create(NewTable("t", KeysOf("pk"))), nullptr);
  EXPECT_EQ(catalog.exchanges(), made);
  EXPECT_TRUE(catalog.Remove(table));
  EXPECT_GT(catalog.exchanges(), made);
}

TEST(Catalog, APinnedTableOutlivesItsRemovalButTakesNoCommits) {
  const ManualClock clock(0);
  Engine engine(clock);
  test::ItemMaker maker(KeysOf("pk"));
  const TableRef table = engine.catalog().Create(NewTable("t", KeysOf("pk")));
  const ItemRef item = maker.Make({{"pk", S("a")}});
  ASSERT_EQ(test::Put(engine, *table, item).result, CommitResult::kCommitted);
  engine.catalog().Remove(table);
  EXPECT_EQ(test::ReadOne(engine, *table, test::PositionOf(*item)), item);
  EXPECT_EQ(test::Put(engine, *table, item).result, CommitResult::kStale);

  const TableRef again = engine.catalog().Create(NewTable("t", KeysOf("pk")));
  EXPECT_EQ(test::ReadOne(engine, *again, test::PositionOf(*item)), nullptr);
  EXPECT_EQ(test::Put(engine, *table, item).result, CommitResult::kStale);
}

}  // namespace
}  // namespace hashrange
