#include "engine/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "engine/table.h"

namespace hashrange::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr AccountName kOther{"999999999999", "eu-west-1"};

class CatalogTest : public ::testing::Test {
 protected:
  using State = IdempotencyTokens::State;

  TableRef Create(std::string name, AccountName account = kAccount) {
    return catalog_.Create(NewTable(std::move(name), KeysOf("pk"), {}, account));
  }
  // Returns the number of the published version of the table "t" of kAccount; 0 if there is none.
  std::uint64_t PublishedNumber() const {
    const TableRef found = catalog_.Find(kAccount, "t");
    return found ? found->number : 0;
  }
  // Begin and Complete are of a request with the token, which the account makes now.
  State Begin(std::string_view token, AccountName account = kAccount) {
    std::vector<std::uint32_t> sizes;
    return catalog_.TokensOf(account)->Begin(kApi, token, {}, clock_.NowEpochMs(), &sizes);
  }
  void Complete(std::string_view token, AccountName account = kAccount,
                std::vector<std::uint64_t> tables = {}) {
    catalog_.TokensOf(account)->Complete(kApi, token, clock_.NowEpochMs(), {{}, std::move(tables)});
  }

  static constexpr auto kApi = IdempotencyTokens::Api::kTransactWriteItems;

  ManualClock clock_{0};
  Catalog catalog_{clock_};
};

TEST_F(CatalogTest, FindsWhatWasCreatedInItsAccountOnly) {
  EXPECT_EQ(catalog_.Find(kAccount, "t"), nullptr);
  const TableRef created = Create("t");
  ASSERT_NE(created, nullptr);
  EXPECT_EQ(PublishedNumber(), created->number);
  EXPECT_EQ(catalog_.Find(kOther, "t"), nullptr);
  EXPECT_EQ(catalog_.Find({kAccount.account_id, kOther.region}, "t"), nullptr);
  EXPECT_EQ(catalog_.Find({kOther.account_id, kAccount.region}, "t"), nullptr);
  EXPECT_EQ(catalog_.Find(kAccount, "T"), nullptr);
}

TEST_F(CatalogTest, ATakenNameIsRefused) {
  const TableRef first = Create("t");
  EXPECT_EQ(Create("t"), nullptr);
  EXPECT_EQ(PublishedNumber(), first->number);
  EXPECT_NE(Create("t", kOther), nullptr);
}

TEST_F(CatalogTest, PublishReplacesOnlyTheVersionItWasMadeFrom) {
  const TableRef first = Create("t");
  auto next = std::make_unique<TableVersion>(*first);
  next->settings.deletion_protection = true;
  const TableRef second = catalog_.Publish(first, std::move(next));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(PublishedNumber(), second->number);
  EXPECT_TRUE(second->settings.deletion_protection);
  EXPECT_FALSE(first->settings.deletion_protection);
  EXPECT_EQ(second->table, first->table);

  EXPECT_EQ(catalog_.Publish(first, std::make_unique<TableVersion>(*first)), nullptr);
  EXPECT_FALSE(catalog_.Remove(first));
  EXPECT_EQ(PublishedNumber(), second->number);
  EXPECT_TRUE(catalog_.Remove(second));
  EXPECT_FALSE(catalog_.Remove(second));
  EXPECT_EQ(catalog_.Find(kAccount, "t"), nullptr);
  EXPECT_EQ(catalog_.Publish(second, std::make_unique<TableVersion>(*second)), nullptr);
}

TEST_F(CatalogTest, EveryThreadFindsTheVersionThatIsPublished) {
  TableRef published = Create("t");
  const auto found_by_another_thread = [&] {
    std::uint64_t number = 0;
    std::thread([&] { number = PublishedNumber(); }).join();
    return number;
  };
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(PublishedNumber(), published->number);
    EXPECT_EQ(found_by_another_thread(), published->number);
    published = catalog_.Publish(published, std::make_unique<TableVersion>(*published));
  }
  // A copy that a thread was given is accepted as the version that it is a copy of.
  EXPECT_TRUE(catalog_.Remove(catalog_.Find(kAccount, "t")));
  EXPECT_EQ(found_by_another_thread(), 0u);
}

TEST_F(CatalogTest, IndexesKeepTheirStorageAndNeverShareAnId) {
  const TableRef first = catalog_.Create(
      NewTable("t", KeysOf("pk", "sk"),
               {GlobalIndex("g1", KeysOf("a")), GlobalIndex("g2", KeysOf("b")),
                LocalIndex("l1", KeysOf("pk", "a")), LocalIndex("l2", KeysOf("pk", "b"))}));
  EXPECT_EQ(first->indexes[2].storage->local_ordinal(), 0);
  EXPECT_EQ(first->indexes[3].storage->local_ordinal(), 1);
  EXPECT_FALSE(first->indexes[0].storage->is_local());

  auto without = std::make_unique<TableVersion>(*first);
  without->indexes.erase(without->indexes.begin() + 1);
  const TableRef second = catalog_.Publish(first, std::move(without));
  auto with = std::make_unique<TableVersion>(*second);
  with->indexes.insert(with->indexes.begin() + 1, GlobalIndex("g2", KeysOf("b")));
  const TableRef third = catalog_.Publish(second, std::move(with));
  EXPECT_EQ(third->FindIndex("g1")->storage, first->FindIndex("g1")->storage);
  EXPECT_EQ(third->FindIndex("l2")->storage, first->FindIndex("l2")->storage);
  EXPECT_NE(third->FindIndex("g2")->storage, first->FindIndex("g2")->storage);
  EXPECT_NE(third->FindIndex("g2")->id, first->FindIndex("g2")->id);
  EXPECT_EQ(third->FindIndex("g3"), nullptr);
}

// Both versions of a change are made at the same time, and published one after the other.
TEST_F(CatalogTest, AnIndexWithoutStorageIsTheOneOfItsNameBefore) {
  const TableRef first = Create("t");
  auto during = std::make_unique<TableVersion>(*first);
  during->indexes.push_back(GlobalIndex("g", KeysOf("a")));
  during->indexes[0].phase = IndexPhase::kAllocating;
  auto after = std::make_unique<TableVersion>(*first);
  after->indexes.push_back(GlobalIndex("g", KeysOf("a")));
  const TableRef second = catalog_.Publish(first, std::move(during));
  const TableRef third = catalog_.Publish(second, std::move(after));
  EXPECT_NE(third->indexes[0].storage, nullptr);
  EXPECT_EQ(third->indexes[0].storage, second->indexes[0].storage);
  EXPECT_EQ(third->indexes[0].id, second->indexes[0].id);
}

TEST_F(CatalogTest, ListIsSortedAndPaged) {
  for (const char* name : {"b", "a", "C", "d", "a.1"}) Create(name);
  Create("x", kOther);
  bool more = false;
  EXPECT_THAT(catalog_.List(kAccount, std::nullopt, 3, &more), ElementsAre("C", "a", "a.1"));
  EXPECT_TRUE(more);
  EXPECT_THAT(catalog_.List(kAccount, "a.1", 3, &more), ElementsAre("b", "d"));
  EXPECT_FALSE(more);
  EXPECT_THAT(catalog_.List(kAccount, "aa", 1, &more), ElementsAre("b"));
  EXPECT_TRUE(more);
  EXPECT_THAT(catalog_.List(kAccount, "d", 3, &more), IsEmpty());
  EXPECT_FALSE(more);
  EXPECT_THAT(catalog_.List({"1", "r"}, std::nullopt, 3, &more), IsEmpty());
  EXPECT_FALSE(more);
}

TEST_F(CatalogTest, SaysWhichAccountsHaveATable) {
  const TableRef table = Create("t");
  Create("t", kOther);
  Create("u", kOther);
  EXPECT_THAT(catalog_.AccountsWith("t", 10),
              ElementsAre("123456789012/us-east-1", "999999999999/eu-west-1"));
  EXPECT_THAT(catalog_.AccountsWith("t", 1), ElementsAre("123456789012/us-east-1"));
  catalog_.Remove(table);
  EXPECT_THAT(catalog_.AccountsWith("t", 10), ElementsAre("999999999999/eu-west-1"));
  EXPECT_THAT(catalog_.AccountsWith("v", 10), IsEmpty());
}

TEST_F(CatalogTest, AnAccountHasTokensFromItsFirstTableOn) {
  EXPECT_EQ(catalog_.TokensOf(kAccount), nullptr);
  const TableRef table = Create("t");
  const auto tokens = catalog_.TokensOf(kAccount);
  EXPECT_NE(tokens, nullptr);
  EXPECT_EQ(catalog_.TokensOf(kOther), nullptr);
  Create("t", kOther);
  EXPECT_NE(catalog_.TokensOf(kOther), tokens);
  catalog_.Remove(table);
  EXPECT_EQ(catalog_.TokensOf(kAccount), nullptr);
}

TEST_F(CatalogTest, AnAccountWithoutTablesIsDroppedWhenItsTokensHaveExpired) {
  const auto change_something = [this] { catalog_.Remove(Create("u", kOther)); };
  const TableRef table = Create("t");
  const auto tokens = catalog_.TokensOf(kAccount);
  EXPECT_EQ(Begin("token"), State::kNew);
  catalog_.Remove(table);
  clock_.Advance(IdempotencyTokens::kLifetimeMs);
  change_something();
  EXPECT_EQ(catalog_.TokensOf(kAccount), tokens) << "a request is under way";
  Complete("token");
  clock_.Advance(IdempotencyTokens::kLifetimeMs - 1);
  change_something();
  EXPECT_EQ(catalog_.TokensOf(kAccount), tokens) << "the token is known";
  clock_.Advance(1);
  change_something();
  EXPECT_EQ(catalog_.TokensOf(kAccount), nullptr);
  EXPECT_EQ(catalog_.TokensOf(kOther), nullptr);
}

// An account that still has tokens does not keep the others from being dropped.
TEST_F(CatalogTest, ManyAccountsWithoutTablesAreDropped) {
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(std::to_string(100'000'000'000 + i));
  for (const std::string& id : ids) {
    const AccountName account{id, "us-east-1"};
    const TableRef table = Create("t", account);
    Begin("token", account);
    Complete("token", account);
    catalog_.Remove(table);
  }
  EXPECT_NE(catalog_.TokensOf({ids[50], "us-east-1"}), nullptr);
  clock_.Advance(IdempotencyTokens::kLifetimeMs);
  for (int i = 0; i < 30; ++i) Create("u" + std::to_string(i));
  for (const std::string& id : ids) EXPECT_EQ(catalog_.TokensOf({id, "us-east-1"}), nullptr) << id;
}

TEST_F(CatalogTest, AnExchangeForgetsTheTokensOfAScope) {
  Create("t");
  EXPECT_EQ(Begin("token"), State::kNew);
  Complete("token");
  const Scope other{.account_id = kOther.account_id};
  EXPECT_TRUE(catalog_.Exchange({}, {}, &other));
  EXPECT_EQ(Begin("token"), State::kReplay);
  const Scope other_region{.account_id = kAccount.account_id, .region = "mars-north-1"};
  EXPECT_TRUE(catalog_.Exchange({}, {}, &other_region));
  EXPECT_EQ(Begin("token"), State::kReplay);
  const Scope own{.account_id = kAccount.account_id, .region = kAccount.region};
  EXPECT_TRUE(catalog_.Exchange({}, {}, &own));
  EXPECT_EQ(Begin("token"), State::kNew);
}

TEST_F(CatalogTest, AnExchangeOfATableForgetsTheTokensOfItsRequests) {
  const TableRef table = Create("t");
  const TableRef other = Create("u");
  for (const auto& [token, id] : {std::pair("t", table->table->id()), {"u", other->table->id()}}) {
    Begin(token);
    Complete(token, kAccount, {id});
  }
  const Scope scope{.account_id = kAccount.account_id, .table = "t"};
  const TableRef in = catalog_.Prepare(NewTable("t", KeysOf("pk")));
  EXPECT_TRUE(catalog_.Exchange({&table, 1}, {&in, 1}, &scope));
  EXPECT_EQ(Begin("t"), State::kNew);
  EXPECT_EQ(Begin("u"), State::kReplay);
}

TEST_F(CatalogTest, CountsItsExchanges) {
  const std::uint64_t before = catalog_.exchanges();
  const TableRef table = Create("t");
  EXPECT_GT(catalog_.exchanges(), before);
  const std::uint64_t made = catalog_.exchanges();
  EXPECT_EQ(Create("t"), nullptr);
  EXPECT_EQ(catalog_.exchanges(), made);
  EXPECT_TRUE(catalog_.Remove(table));
  EXPECT_GT(catalog_.exchanges(), made);
}

TEST_F(CatalogTest, APinnedTableOutlivesItsRemovalButTakesNoCommits) {
  const ManualClock clock(0);
  Engine engine(clock);
  ItemMaker maker(KeysOf("pk"));
  const TableRef table = engine.catalog().Create(NewTable("t", KeysOf("pk")));
  const ItemRef item = maker.Make({{"pk", S("a")}});
  ASSERT_EQ(Put(engine, *table, item).result, CommitResult::kCommitted);
  engine.catalog().Remove(table);
  EXPECT_EQ(ReadOne(engine, *table, PositionOf(*item)), item);
  EXPECT_EQ(Put(engine, *table, item).result, CommitResult::kStale);

  const TableRef again = engine.catalog().Create(NewTable("t", KeysOf("pk")));
  EXPECT_EQ(ReadOne(engine, *again, PositionOf(*item)), nullptr);
  EXPECT_EQ(Put(engine, *table, item).result, CommitResult::kStale);
}

}  // namespace
}  // namespace hashrange::test
