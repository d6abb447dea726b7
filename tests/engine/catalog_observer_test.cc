// What an observer of the catalog and of the log is told of durable tables, and what a server does
// at its start with tables and tokens that were stored.
#include "engine/catalog_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <string>
#include <vector>

#include "engine/engine_fixture.h"
#include "engine/table_life_cycle.h"

namespace hashrange::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr AccountName kFork{"000000000001", "us-east-1"};

// Notes what it is told, as texts.
class Notes : public CatalogObserver, public ChangeObserver {
 public:
  void OnPrepare(const TableVersion& table, const TablePin& from) override {
    all.push_back("prepare " + Name(table) + " from " + Name(*from.version));
    if (cannot_prepare) throw std::bad_alloc();
  }
  void OnAbandon(const TableVersion& table) noexcept override {
    all.push_back("abandon " + Name(table));
  }
  void OnPublish(const TableVersion& version) noexcept override {
    all.push_back("publish " + Name(version));
  }
  void OnSeedItems(const PendingSeed& seed, absl::FunctionRef<const ItemRef*()> next) override {
    int count = 0;
    while (next()) ++count;
    all.push_back("seed " + Text(seed) + " of " + std::to_string(count));
    if (cannot_prepare) throw std::bad_alloc();
  }
  void OnSeedEnd(const PendingSeed& seed) noexcept override { all.push_back("end " + Text(seed)); }
  void OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                  std::span<const PendingSeed> seeds) noexcept override {
    std::string text = "exchange";
    for (const PendingSeed& seed : seeds) text += " *" + Text(seed);
    for (const TableRef& table : out) text += " -" + Name(*table);
    for (const TableRef& table : in) text += " +" + Name(*table);
    all.push_back(text);
  }
  void OnTags(std::uint64_t table_id, std::span<const Tag> tags) noexcept override {
    all.push_back("tags of " + std::to_string(table_id) + ": " + std::to_string(tags.size()));
  }
  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override {
    all.push_back("commit of " + std::to_string(changes.size()) +
                  (token ? " with " + token->account_id : "") +
                  (std::ranges::any_of(changes, &Change::is_none) ? ", nothing new" : ""));
  }
  std::vector<std::string> Take() { return std::exchange(all, {}); }
  static std::string Name(const TableVersion& table) {
    return table.name + "#" + std::to_string(table.table->id());
  }

  static std::string Text(const PendingSeed& seed) {
    return std::to_string(seed.id) + " for " + std::to_string(seed.table_id);
  }

  std::vector<std::string> all;
  bool cannot_prepare = false;
};

// A table that nothing but durability logs.
std::unique_ptr<TableVersion> Quiet(std::string name, AccountName account = kAccount) {
  auto table = NewTable(std::move(name), KeysOf("pk"), {}, account);
  table->settings.stream.reset();
  return table;
}

class CatalogObserverTest : public ::testing::Test {
 protected:
  void Observe() {
    engine_.AddObserver(notes_);
    catalog_.SetObserver(notes_);
  }
  // Keeps the account, which has no tables yet, in memory.
  void KeepInMemory(AccountName account) {
    const Scope scope{.account_id = account.account_id};
    EXPECT_TRUE(catalog_.Exchange({}, {}, &scope, Keeping::kInMemory));
  }
  ItemRef Make(std::string_view pk) { return maker_.Make({{"pk", S(pk)}}); }

  const ManualClock clock_{1234};
  Notes notes_;
  Engine engine_{clock_};
  Catalog& catalog_ = engine_.catalog();
  ItemMaker maker_{KeysOf("pk")};
  Arena arena_;
};

TEST_F(CatalogObserverTest, WithoutAnObserverNothingIsDurable) {
  const TableRef table = catalog_.Create(Quiet("t"));
  EXPECT_FALSE(table->is_durable);
  EXPECT_FALSE(table->IsLogged());
  EXPECT_FALSE(catalog_.IsDurable(kAccount.account_id));
}

TEST_F(CatalogObserverTest, TablesThatComeChangeAndGoAreTold) {
  Observe();
  EXPECT_TRUE(catalog_.IsDurable(kAccount.account_id));
  const TableRef table = catalog_.Create(Quiet("t"));
  EXPECT_TRUE(table->is_durable);
  EXPECT_EQ(catalog_.Create(Quiet("t")), nullptr);
  const TableRef next = catalog_.Publish(table, Quiet("t"));
  EXPECT_TRUE(next->is_durable);
  EXPECT_EQ(catalog_.Publish(table, Quiet("t")), nullptr);
  EXPECT_FALSE(catalog_.Remove(table));
  EXPECT_TRUE(catalog_.Remove(next));
  EXPECT_THAT(notes_.all, ElementsAre("exchange +t#1", "publish t#1", "exchange -t#1"));
}

TEST_F(CatalogObserverTest, AnExchangeIsOneCall) {
  Observe();
  const TableRef a = catalog_.Create(Quiet("a"));
  const TablePin pin = catalog_.Pin(a);
  notes_.Take();
  const std::vector<TableRef> in = {catalog_.Prepare(Quiet("a"), &pin),
                                    catalog_.Prepare(Quiet("b"))};
  const Scope scope{.account_id = kAccount.account_id};
  EXPECT_TRUE(catalog_.Exchange({&a, 1}, in, &scope));
  const TableRef unused = catalog_.Prepare(Quiet("a"), &pin);
  EXPECT_FALSE(catalog_.Exchange({}, {&unused, 1}));
  catalog_.Abandon({&unused, 1});
  EXPECT_THAT(notes_.all, ElementsAre("prepare a#2 from a#1", "exchange -a#1 +a#2 +b#3",
                                      "prepare a#4 from a#1", "abandon a#4"));
}

TEST_F(CatalogObserverTest, PreparedTablesAreAbandonedUnlessTheyAreKept) {
  Observe();
  const TableRef a = catalog_.Create(Quiet("a"));
  const TablePin pin = catalog_.Pin(a);
  notes_.Take();
  {
    PreparedTables prepared(catalog_);
    prepared.Add(Quiet("b"), &pin);
    EXPECT_TRUE(catalog_.Exchange({}, prepared.all()));
    EXPECT_EQ(prepared.Keep().size(), 1u);
  }
  EXPECT_THAT(notes_.Take(), ElementsAre("prepare b#2 from a#1", "exchange +b#2"));
  {
    PreparedTables prepared(catalog_);
    prepared.Add(Quiet("c"), &pin);
    notes_.cannot_prepare = true;
    EXPECT_THROW(prepared.Add(Quiet("d"), &pin), std::bad_alloc);
    EXPECT_EQ(prepared.all().size(), 1u);
  }
  EXPECT_THAT(notes_.Take(), ElementsAre("prepare c#3 from a#1", "prepare d#4 from a#1",
                                         "abandon d#4", "abandon c#3"));
}

TEST_F(CatalogObserverTest, AForkIsInMemoryUntilNoTableIsLeft) {
  Observe();
  const auto account = kFork.account_id;
  const Scope scope{.account_id = account};
  const Scope elsewhere{.account_id = account, .region = "eu-west-1"};
  const TableRef a = catalog_.Prepare(Quiet("a", kFork), nullptr, Keeping::kInMemory);
  EXPECT_TRUE(catalog_.IsDurable(account));
  EXPECT_TRUE(catalog_.Exchange({}, {&a, 1}, &scope, Keeping::kInMemory));
  EXPECT_FALSE(catalog_.IsDurable(account));
  const TableRef b = catalog_.Create(Quiet("b", kFork));
  EXPECT_FALSE(b->is_durable);
  EXPECT_TRUE(catalog_.Exchange({&a, 1}, {}, &scope, Keeping::kDurable));
  EXPECT_TRUE(catalog_.Exchange({}, {}, &elsewhere, Keeping::kDurable));
  EXPECT_FALSE(catalog_.IsDurable(account));
  EXPECT_TRUE(catalog_.Exchange({&b, 1}, {}, nullptr));
  EXPECT_FALSE(catalog_.IsDurable(account));  // a deleted table is no reset
  EXPECT_TRUE(catalog_.Exchange({}, {}, &scope, Keeping::kDurable));
  EXPECT_TRUE(catalog_.IsDurable(account));
  EXPECT_TRUE(catalog_.Create(Quiet("a", kFork))->is_durable);
}

TEST_F(CatalogObserverTest, AnAccountWithATableInMemoryIsInMemory) {
  Observe();
  const Scope scope{.account_id = kFork.account_id};
  KeepInMemory(kFork);
  const TableRef late = catalog_.Prepare(Quiet("late", kFork));
  EXPECT_TRUE(catalog_.Exchange({}, {}, &scope, Keeping::kDurable));
  EXPECT_TRUE(catalog_.IsDurable(kFork.account_id));
  EXPECT_TRUE(catalog_.Exchange({}, {&late, 1}));
  EXPECT_FALSE(catalog_.IsDurable(kFork.account_id));
  const TableRef kept = catalog_.Prepare(Quiet("kept", kFork), nullptr, Keeping::kDurable);
  EXPECT_TRUE(catalog_.Exchange({}, {&kept, 1}, &scope, Keeping::kDurable));
  EXPECT_FALSE(catalog_.IsDurable(kFork.account_id));
  EXPECT_TRUE(catalog_.Exchange({&late, 1}, {}, &scope, Keeping::kDurable));
  EXPECT_FALSE(catalog_.IsDurable(kFork.account_id));  // a table that was there before is left
}

TEST_F(CatalogObserverTest, AccountsAreListedWithWhatIsKept) {
  const auto listed = [this] {
    std::string text;
    for (const AccountSummary& each : catalog_.Accounts()) {
      text += each.account_id + " " + std::to_string(each.tables) +
              (each.is_durable ? " kept\n" : " in memory\n");
    }
    return text;
  };
  const TableRef stored = catalog_.PrepareStored(Quiet("t"), 1);
  EXPECT_TRUE(catalog_.Exchange({}, {&stored, 1}));
  const std::string account(kAccount.account_id), fork(kFork.account_id);
  EXPECT_EQ(listed(), account + " 1 in memory\n");
  Observe();
  KeepInMemory(kFork);
  EXPECT_EQ(listed(), fork + " 0 in memory\n" + account + " 1 kept\n");
  EXPECT_NE(catalog_.Create(Quiet("t", kFork)), nullptr);
  EXPECT_EQ(listed(), fork + " 1 in memory\n" + account + " 1 kept\n");
}

TEST_F(CatalogObserverTest, ForksAndPrivateCopiesAreNotDurable) {
  Observe();
  KeepInMemory(kFork);
  const TableRef table = catalog_.Create(Quiet("t"));
  const TablePin pin = catalog_.Pin(table);
  notes_.Take();
  const TableRef copy = catalog_.PreparePrivate(std::make_unique<TableVersion>(*table), &pin);
  EXPECT_FALSE(copy->IsLogged());
  Put(engine_, *copy, Make("a"));
  const TableRef fork = catalog_.Prepare(Quiet("t", kFork), &pin);
  EXPECT_FALSE(fork->IsLogged());
  EXPECT_TRUE(catalog_.Exchange({}, {&fork, 1}));
  const TableRef next = catalog_.Publish(fork, Quiet("t", kFork));
  Put(engine_, *next, Make("a"));
  catalog_.Abandon({&fork, 1});
  EXPECT_TRUE(catalog_.Remove(next));
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(CatalogObserverTest, ASeedIsToldWithItsItems) {
  Observe();
  const TableRef table = catalog_.Create(Quiet("t"));
  Put(engine_, *table, Make("a"));
  notes_.Take();
  const std::vector<ItemRef> items = {Make("a"), Make("b")};
  std::size_t given = 0;
  const auto next = [&] { return given < items.size() ? &items[given++] : nullptr; };
  const PendingSeed seed = catalog_.KeepSeed(*table, next);
  EXPECT_TRUE(catalog_.Exchange({}, {}, nullptr, Keeping::kAsBefore, {&seed, 1}));
  for (const ItemRef& item : items) {
    const auto put = [&](ItemView) { return Decision::Put(item); };
    const ItemWrite write{
        .address = {table.get(), PositionOf(*item)}, .function = put, .seed = seed.id};
    WriteOutcome outcome;
    EXPECT_EQ(engine_.Commit({&write, 1}, {&outcome, 1}, arena_), CommitResult::kCommitted);
  }
  catalog_.EndSeed(seed);
  EXPECT_THAT(notes_.Take(), ElementsAre("seed 2 for 1 of 2", "exchange *2 for 1",
                                         "commit of 1, nothing new", "commit of 1", "end 2 for 1"));
  notes_.cannot_prepare = true;
  EXPECT_THROW(catalog_.KeepSeed(*table, next), std::bad_alloc);
  EXPECT_THAT(notes_.all, ElementsAre("seed 3 for 1 of 0", "end 3 for 1"));
}

TEST_F(CatalogObserverTest, ASeedOfATableInMemoryIsNotTold) {
  const TableRef table = catalog_.Create(Quiet("t"));
  Observe();
  const PendingSeed seed = catalog_.KeepSeed(*table, []() -> const ItemRef* { std::abort(); });
  EXPECT_EQ(seed.id, 0u);
  catalog_.EndSeed(seed);
  EXPECT_THAT(notes_.all, IsEmpty());
}

TEST_F(CatalogObserverTest, TagsAreTold) {
  const TableRef stored = catalog_.PrepareStored(Quiet("stored"), 7);
  EXPECT_TRUE(catalog_.Exchange({}, {&stored, 1}));
  Observe();
  const TableRef table = catalog_.Create(Quiet("t"));
  KeepInMemory(kFork);
  const TableRef fork = catalog_.Create(Quiet("t", kFork));
  notes_.Take();
  const std::vector<Tag> tags = {{"k", "v"}};
  for (const TableRef& each : {stored, table, fork}) each->tags->Add(tags);
  EXPECT_THAT(notes_.all, ElementsAre("tags of 7: 1", "tags of 8: 1"));
}

TEST_F(CatalogObserverTest, EachCommitToADurableTableIsTold) {
  Observe();
  const TableRef table = catalog_.Create(Quiet("t"));
  notes_.Take();
  Put(engine_, *table, Make("a"));
  Put(engine_, *table, Make("a"));  // changes nothing
  CommitOne(engine_, *table, PositionOf(*Make("b")), [](ItemView) { return Decision::Keep(); });
  EXPECT_THAT(notes_.all, ElementsAre("commit of 1"));
}

// Commits a put, or a write that keeps the item, with a token.
CommitResult CommitWithToken(Engine& engine, const TableRef& table, const ItemRef& item,
                             const Decision& decision) {
  Arena arena;
  const auto decide = [&](ItemView) { return decision; };
  const ItemWrite write{{table.get(), PositionOf(*item)}, decide};
  const auto make = [&](std::span<const WriteOutcome> outcomes) {
    TokenRecord record;
    record.account_id = std::to_string(outcomes.size());
    return record;
  };
  const MakeTokenRecord token = make;
  WriteOutcome outcome;
  return engine.Commit({&write, 1}, {&outcome, 1}, arena, &token);
}

TEST_F(CatalogObserverTest, ATokenIsToldWithItsCommit) {
  Observe();
  const TableRef table = catalog_.Create(Quiet("t"));
  notes_.Take();
  const ItemRef item = Make("a");
  EXPECT_EQ(CommitWithToken(engine_, table, item, Decision::Put(item)), CommitResult::kCommitted);
  EXPECT_EQ(CommitWithToken(engine_, table, item, Decision::Keep()), CommitResult::kCommitted);
  EXPECT_EQ(CommitWithToken(engine_, table, item, Decision::Refuse({})), CommitResult::kRefused);
  EXPECT_THAT(notes_.all, ElementsAre("commit of 1 with 1", "commit of 0 with 1"));
}

TEST_F(CatalogObserverTest, ATokenOfATableInMemoryIsNotTold) {
  Observe();
  KeepInMemory(kAccount);
  const TableRef table = catalog_.Create(NewTable("t", KeysOf("pk")));  // its stream is logged
  const ItemRef item = Make("a");
  EXPECT_EQ(CommitWithToken(engine_, table, item, Decision::Put(item)), CommitResult::kCommitted);
  EXPECT_EQ(CommitWithToken(engine_, table, item, Decision::Keep()), CommitResult::kCommitted);
  EXPECT_THAT(notes_.all, ElementsAre("commit of 1"));
}

TEST_F(CatalogObserverTest, StoredTablesKeepTheirIdsAndNewOnesGetOthers) {
  const TableRef stored = catalog_.PrepareStored(Quiet("stored"), 41);
  EXPECT_TRUE(stored->is_durable);
  EXPECT_EQ(stored->table->id(), 41u);
  EXPECT_EQ(catalog_.PrepareStored(Quiet("older"), 3)->table->id(), 3u);
  EXPECT_EQ(catalog_.Create(Quiet("new"))->table->id(), 42u);
  catalog_.ReserveTableIds(100);
  catalog_.ReserveTableIds(50);
  EXPECT_EQ(catalog_.Create(Quiet("newer"))->table->id(), 100u);
}

TEST_F(CatalogObserverTest, AStatusThatATestHeldEndsAtTheStart) {
  auto held = VersionAfter(*Quiet("t"), StatusHold{"", ResourceStatus::kUpdating});
  ASSERT_TRUE(IsHeld(*held));
  const TableRef stored = catalog_.PrepareStored(std::move(held), 1);
  EXPECT_FALSE(IsHeld(*stored));
  EXPECT_LE(stored->phase.ends_epoch_ms, clock_.NowEpochMs());
  EXPECT_EQ(VersionAfter(*stored, PhaseEnd{})->status(), ResourceStatus::kActive);
}

TEST_F(CatalogObserverTest, TokensAreRestoredAlsoForAnAccountWithoutTables) {
  using Tokens = IdempotencyTokens;
  TokenRecord record;
  record.account_id = kAccount.account_id;
  record.region = kAccount.region;
  record.expiry_epoch_ms = clock_.NowEpochMs() + 10;
  std::vector<TokenRecord> records;
  for (const char* token : {"late", "soon"}) {
    record.token = Tokens::DigestOf(Tokens::Api::kTransactWriteItems, token);
    records.push_back(record);
    --record.expiry_epoch_ms;
  }
  catalog_.RestoreTokens(records);
  const auto tokens = catalog_.TokensOf(kAccount);
  ASSERT_NE(tokens, nullptr);
  std::vector<std::uint32_t> sizes;
  const auto state = [&](const char* token, std::int64_t after_ms) {
    return tokens->Begin(Tokens::Api::kTransactWriteItems, token, {},
                         clock_.NowEpochMs() + after_ms, &sizes);
  };
  EXPECT_EQ(state("soon", 8), Tokens::State::kReplay);
  EXPECT_EQ(state("soon", 9), Tokens::State::kNew);
  EXPECT_EQ(state("late", 9), Tokens::State::kReplay);
  EXPECT_EQ(state("late", 10), Tokens::State::kNew);
}

}  // namespace
}  // namespace hashrange::test
