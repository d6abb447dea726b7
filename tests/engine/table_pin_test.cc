// Tables that are pinned, prepared and exchanged: a pin does not change, a table made from a pin is
// independent, and an exchange replaces all of its tables or none.
#include "engine/table_pin.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "engine/engine_fixture.h"
#include "support/eventually.h"

namespace hashrange::test {
namespace {

constexpr AccountName kForkAccount{"999999999999", "us-east-1"};

class TablePinTest : public testing::Test {
 protected:
  std::unique_ptr<TableVersion> Definition(AccountName account = kAccount) {
    return NewTable("t", KeysOf("pk", "sk"),
                    {GlobalIndex("g", KeysOf("g", "pk")), LocalIndex("l", KeysOf("pk", "l")),
                     VectorIndex("v", 40, "g")},
                    account);
  }
  ItemRef Item(int number, const std::string& text) {
    const std::string key = std::to_string(number);
    return maker_.Make({{"pk", maker_.Text(key)},
                        {"sk", S("s")},
                        {"g", maker_.Text(text)},
                        {"l", maker_.Text(text + key)},
                        {"v", maker_.Numbers(text.empty() ? 0 : text[0] + number, 40)}});
  }
  void PutAll(const TableRef& table, int from, int to, const std::string& text) {
    for (int i = from; i < to; ++i) Put(engine_, *table, Item(i, text));
  }
  // Checks that the table has `count` items, and that its indexes and statistics agree with them.
  void ExpectExact(const TableVersion& table, std::size_t count) {
    EXPECT_EQ(RangeAll(engine_, table, nullptr).size(), count);
    EXPECT_EQ(engine_.StatisticsOf(table, nullptr).item_count, static_cast<int>(count));
    ExpectExactIndexes(engine_, table);
  }
  TableRef Fork(const TablePin& pin) {
    auto copy = std::make_unique<TableVersion>(*pin.version);
    copy->account_id = kForkAccount.account_id;
    return engine_.catalog().Prepare(std::move(copy), &pin);
  }

  ManualClock clock_{0};
  Engine engine_{clock_};
  ItemMaker maker_{KeysOf("pk", "sk")};
};

TEST_F(TablePinTest, AForkAndItsOriginalAreIndependent) {
  const TableRef original = engine_.catalog().Create(Definition());
  PutAll(original, 0, 3000, "a");
  const auto pins = engine_.catalog().Pin({.account_id = kAccount.account_id});
  ASSERT_EQ(pins.size(), 1u);
  const TableRef fork = Fork(pins[0]);
  const TableRef second = Fork(pins[0]);
  ExpectExact(*fork, 3000);
  EXPECT_EQ(RangeAll(engine_, *fork, nullptr), RangeAll(engine_, *original, nullptr));

  PutAll(original, 2000, 4000, "b");
  PutAll(fork, 1000, 2500, "c");
  for (int i = 0; i < 500; ++i) Erase(engine_, *fork, PositionOf(*Item(i, "")));
  ExpectExact(*original, 4000);
  ExpectExact(*fork, 2500);
  ExpectExact(*second, 3000);
  const ItemRef item = Item(2200, "");
  const auto text_in = [&](const TableRef& table) {
    return ReadOne(engine_, *table, PositionOf(*item));
  };
  EXPECT_TRUE(
      ItemView(fork->key, text_in(fork).get()).SameAttributes({fork->key, Item(2200, "c").get()}));
  EXPECT_TRUE(ItemView(fork->key, text_in(original).get())
                  .SameAttributes({fork->key, Item(2200, "b").get()}));
  EXPECT_TRUE(ItemView(fork->key, text_in(second).get())
                  .SameAttributes({fork->key, Item(2200, "a").get()}));
}

TEST_F(TablePinTest, APreparedTableIsFoundWhenItIsExchangedIn) {
  const TableRef prepared = engine_.catalog().Prepare(Definition());
  EXPECT_EQ(Put(engine_, *prepared, Item(1, "a")).result, CommitResult::kCommitted);
  EXPECT_EQ(engine_.catalog().Find(kAccount, "t"), nullptr);
  EXPECT_TRUE(engine_.catalog().Exchange({}, {&prepared, 1}));
  const TableRef found = engine_.catalog().Find(kAccount, "t");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->number, prepared->number);
  ExpectExact(*found, 1);
}

TEST_F(TablePinTest, AnExchangeIsOfAllOrNothing) {
  Catalog& catalog = engine_.catalog();
  const TableRef first = catalog.Create(Definition());
  const TableRef other = catalog.Create(Definition(kForkAccount));
  const TableRef next = catalog.Prepare(Definition());
  const TableRef taken = catalog.Prepare(Definition(kForkAccount));
  {
    const TableRef in[] = {next, taken};
    EXPECT_FALSE(catalog.Exchange({&first, 1}, in));  // the name of the table `taken` is in use
  }
  EXPECT_EQ(catalog.Find(kAccount, "t")->number, first->number);
  EXPECT_EQ(Put(engine_, *first, Item(1, "a")).result, CommitResult::kCommitted);
  EXPECT_TRUE(catalog.Exchange({&first, 1}, {&next, 1}));
  EXPECT_EQ(catalog.Find(kAccount, "t")->number, next->number);
  EXPECT_EQ(Put(engine_, *first, Item(1, "a")).result, CommitResult::kStale);
  {
    const TableRef out[] = {other, first};
    EXPECT_FALSE(catalog.Exchange(out, {&taken, 1}));  // `first` was removed before
  }
  EXPECT_EQ(catalog.Find(kForkAccount, "t")->number, other->number);
}

TEST_F(TablePinTest, AScopeSelectsTheTablesItNames) {
  Catalog& catalog = engine_.catalog();
  const AccountName accounts[] = {
      {"111111111111", "us-east-1"}, {"111111111111", "eu-west-1"}, {"222222222222", "eu-west-1"}};
  for (const AccountName& account : accounts) {
    catalog.Create(NewTable("a", KeysOf("pk"), {}, account));
    catalog.Create(NewTable("b", KeysOf("pk"), {}, account));
  }
  const auto count = [&](const Scope& scope) { return catalog.TablesOf(scope).size(); };
  EXPECT_EQ(count({}), 6u);
  EXPECT_EQ(count({.account_id = "111111111111"}), 4u);
  EXPECT_EQ(count({.region = "eu-west-1"}), 4u);
  EXPECT_EQ(count({.table = "a"}), 3u);
  EXPECT_EQ(count({.account_id = "111111111111", .region = "eu-west-1"}), 2u);
  EXPECT_EQ(count({.account_id = "111111111111", .region = "eu-west-1", .table = "b"}), 1u);
  EXPECT_EQ(count({.account_id = "11111111111"}), 0u);
  EXPECT_EQ(count({.account_id = "333333333333"}), 0u);
  EXPECT_EQ(count({.table = "c"}), 0u);
}

TEST_F(TablePinTest, WhatIsDiscardedIsFreedSoon) {
  auto garbage = std::make_shared<TableRef>(engine_.catalog().Prepare(Definition()));
  PutAll(*garbage, 0, 100, "a");
  std::weak_ptr<Table> table = (*garbage)->table;
  engine_.catalog().Discard(std::move(garbage));
  EXPECT_TRUE(Eventually([&] { return table.expired(); }));
}

TEST_F(TablePinTest, ReleasedTablesAreFreedAtOnceOrSoon) {
  for (const int count : {100, 3000}) {
    std::vector<TableRef> tables = {engine_.catalog().Prepare(Definition())};
    PutAll(tables[0], 0, count, "a");
    const std::weak_ptr<Table> table = tables[0]->table;
    engine_.catalog().ReleaseTables(std::move(tables));
    EXPECT_TRUE(table.expired() || count > 100);
    EXPECT_TRUE(Eventually([&] { return table.expired(); }));
  }
}

// Each commit adds an item to both tables, so a pin of both always has the same number in each.
TEST_F(TablePinTest, APinIsOfOneInstantOverTables) {
  const TableRef a = engine_.catalog().Create(NewTable("a", KeysOf("pk", "sk")));
  const TableRef b = engine_.catalog().Create(NewTable("b", KeysOf("pk", "sk")));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    ItemMaker maker(KeysOf("pk", "sk"));
    Arena arena;
    for (int i = 0; !stop; ++i) {
      maker.Reset();
      arena.Reset();
      const ItemRef item = maker.Make({{"pk", S("k")}, {"sk", maker.Text(std::to_string(i))}});
      const auto put = [&](ItemView) { return Decision::Put(item); };
      const ItemWrite writes[] = {{{a.get(), PositionOf(*item)}, put},
                                  {{b.get(), PositionOf(*item)}, put}};
      WriteOutcome outcomes[2];
      engine_.Commit(writes, outcomes, arena);
    }
  });
  for (int i = 0; i < 300; ++i) {
    const auto pins = engine_.catalog().Pin(Scope());
    ASSERT_EQ(pins.size(), 2u);
    std::int64_t counts[2] = {};
    for (int table = 0; table < 2; ++table) {
      for (const PinnedMap& map : pins[table].items) counts[table] += map.item_count;
    }
    ASSERT_EQ(counts[0], counts[1]);
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace hashrange::test
