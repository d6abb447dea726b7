// Calls of the catalog whose allocations fail, one after the other: each call does everything or
// changes nothing, and what an observer needs was drawn before.
#include <gtest/gtest.h>

#include <new>
#include <string>
#include <vector>

#include "base/memory/memory_reserve.h"
#include "engine/catalog_observer.h"
#include "engine/engine_fixture.h"
#include "support/allocation_failures.h"

namespace hashrange::test {
namespace {

using Tokens = IdempotencyTokens;

// The names are too long to be copied without an allocation.
constexpr char kFirst[] = "the first table, which has a long name";
constexpr char kSecond[] = "the second table, which has a long name";
constexpr char kThird[] = "the third table, which has a long name";
constexpr AccountName kOther{"an account with a long id", "a Region with a long name"};

// Takes all that was drawn for it.
class Greedy : public CatalogObserver {
 public:
  void OnPrepare(const TableVersion& /*table*/, const TablePin& /*from*/) override {}
  void OnAbandon(const TableVersion& /*table*/) noexcept override {}
  void OnPublish(const TableVersion& /*version*/) noexcept override { Take(1); }
  void OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                  std::span<const PendingSeed> /*seeds*/) noexcept override {
    Take(out.size() + in.size());
  }
  void OnTags(std::uint64_t /*table_id*/, std::span<const Tag> /*tags*/) noexcept override {}

  int calls = 0;

 private:
  void Take(std::size_t tables) {
    constexpr std::size_t kHeaderBytes = ReservedBytes(0);
    constexpr std::size_t kMostBlocks = 16;
    void* blocks[kMostBlocks] = {};
    for (std::size_t i = 0; i <= tables && i < kMostBlocks; ++i) {
      blocks[i] = AllocateReserved(MemoryPart::kLookups, kMostBytesOfObserver - kHeaderBytes);
    }
    for (void* block : blocks) FreeReserved(MemoryPart::kLookups, block);
    ++calls;
  }
};

class CatalogFailures : public testing::TestWithParam<Failing> {
 protected:
  CatalogFailures() { catalog_.SetObserver(observer_); }

  // Makes the call with each allocation failing in turn, until none has failed. `call` returns what
  // the catalog answered, `check` is told whether the call was done.
  template <typename Prepare, typename Call, typename Check>
  void FailEach(const Prepare& prepare, const Call& call, const Check& check) {
    std::int64_t number = 0;
    for (bool have_happened = true; have_happened && !HasFailure(); ++number) {
      prepare();
      const int calls = observer_.calls;
      bool is_done = false;
      {
        AllocationFailures failures(number, GetParam());
        try {
          is_done = call();
        } catch (const std::bad_alloc&) {
        }
        have_happened = failures.have_happened();
      }
      EXPECT_TRUE(is_done || have_happened) << number;
      EXPECT_EQ(observer_.calls - calls, is_done ? 1 : 0) << number;
      check(is_done);
    }
    EXPECT_GT(number, 3);
  }

  // Returns the names of an account, each with the number of the version that is found.
  std::string NamesOf(AccountName account) {
    bool more = false;
    std::string text;
    for (const std::string& name : catalog_.List(account, {}, 100, &more)) {
      const TableRef found = catalog_.Find(account, name);
      text += name + " " + (found ? std::to_string(found->number) : "none") + "\n";
    }
    for (const TableRef& table : catalog_.TablesOf({.account_id = account.account_id})) {
      text += table->name + " " + std::to_string(table->number) + "\n";
    }
    return text;
  }
  std::string All() { return NamesOf(kAccount) + "other\n" + NamesOf(kOther); }

  bool CanWrite(const TableVersion& table) {
    const ItemRef item = maker_.Make({{"pk", S("a")}});
    return Put(engine_, table, item).result == CommitResult::kCommitted;
  }
  // Stores a token of a request that used the table.
  void AddToken(const TableVersion& table) {
    TokenRecord record;
    record.account_id = table.account_id;
    record.region = table.region;
    token_ = "a token of table " + std::to_string(table.table->id());
    record.token = Tokens::DigestOf(Tokens::Api::kTransactWriteItems, token_);
    record.expiry_epoch_ms = clock_.NowEpochMs() + 1000;
    record.completed.tables = {table.table->id()};
    catalog_.RestoreTokens({record});
  }
  bool KnowsToken() {
    std::vector<std::uint32_t> sizes;
    const auto tokens = catalog_.TokensOf(kAccount);
    const auto state =
        tokens->Begin(Tokens::Api::kTransactWriteItems, token_, {}, clock_.NowEpochMs(), &sizes);
    if (state == Tokens::State::kNew) tokens->Abandon(Tokens::Api::kTransactWriteItems, token_);
    return state == Tokens::State::kReplay;
  }

  const ManualClock clock_{1234};
  Greedy observer_;
  Engine engine_{clock_};
  Catalog& catalog_ = engine_.catalog();
  ItemMaker maker_{KeysOf("pk")};
  std::string token_;
};

TEST_P(CatalogFailures, AnExchangeIsDoneWhollyOrNotAtAll) {
  const Scope forget{.account_id = kAccount.account_id};
  std::vector<TableRef> out, in;
  std::string before;
  const auto prepare = [&] {
    for (const TableRef& table : catalog_.TablesOf({})) catalog_.Remove(table);
    out = {catalog_.Create(NewTable(kFirst, KeysOf("pk"))),
           catalog_.Create(NewTable(kSecond, KeysOf("pk")))};
    // The other account is new.
    in = {catalog_.Prepare(NewTable(kFirst, KeysOf("pk"))),
          catalog_.Prepare(NewTable(kThird, KeysOf("pk"), {}, kOther)),
          catalog_.Prepare(NewTable(kFirst, KeysOf("pk"), {}, kOther))};
    AddToken(*out[0]);
    before = All();  // also makes copies of the versions
  };
  const auto check = [&](bool is_done) {
    EXPECT_EQ(KnowsToken(), !is_done);
    if (!is_done) {
      EXPECT_EQ(All(), before);
    } else {
      EXPECT_EQ(catalog_.TablesOf({}), std::vector<TableRef>({in[0], in[2], in[1]}));
      EXPECT_EQ(catalog_.Find(kAccount, kSecond), nullptr);
      EXPECT_EQ(catalog_.Find(kAccount, kFirst)->number, in[0]->number);
      EXPECT_EQ(catalog_.Find(kOther, kThird)->number, in[1]->number);
      EXPECT_EQ(catalog_.Find(kOther, kFirst)->number, in[2]->number);
    }
    for (const TableRef& table : out) EXPECT_EQ(CanWrite(*table), !is_done);
  };
  FailEach(
      prepare, [&] { return catalog_.Exchange(out, in, &forget); }, check);
}

TEST_P(CatalogFailures, ATableIsReplacedTogetherWithItsTokens) {
  const Scope forget{.account_id = kAccount.account_id, .table = kFirst};
  TableRef out = catalog_.Create(NewTable(kFirst, KeysOf("pk")));
  TableRef in;
  const auto prepare = [&] {
    in = catalog_.Prepare(NewTable(kFirst, KeysOf("pk")));
    AddToken(*out);
  };
  const auto check = [&](bool is_done) {
    EXPECT_EQ(KnowsToken(), !is_done);
    EXPECT_EQ(catalog_.Find(kAccount, kFirst)->number, is_done ? in->number : out->number);
    EXPECT_EQ(CanWrite(*out), !is_done);
    if (is_done) out = in;
  };
  FailEach(
      prepare,
      [&] {
        return catalog_.Exchange({&out, 1}, {&in, 1}, &forget);
      },
      check);
}

TEST_P(CatalogFailures, AVersionIsPublishedOrNot) {
  TableRef current = catalog_.Create(NewTable(kFirst, KeysOf("pk")));
  TableRef next;
  const auto check = [&](bool is_done) {
    if (is_done) current = next;
    EXPECT_EQ(catalog_.TablesOf({}), std::vector<TableRef>({current}));
    EXPECT_EQ(catalog_.Find(kAccount, kFirst)->number, current->number);
    EXPECT_TRUE(CanWrite(*current));
  };
  std::unique_ptr<TableVersion> version;
  const auto call = [&] {
    next = catalog_.Publish(current, std::move(version));
    return next != nullptr;
  };
  FailEach([&] { version = NewTable(kFirst, KeysOf("pk")); }, call, check);
}

TEST_P(CatalogFailures, ManyTablesAreCreatedAndFound) {
  constexpr int kTables = 200;  // the maps grow several times
  for (int i = 0; i < kTables; ++i) {
    const std::string name = kFirst + std::to_string(i);
    std::unique_ptr<TableVersion> version;
    TableRef created;
    for (int number = 0; !created; ++number) {
      version = NewTable(name, KeysOf("pk"));
      AllocationFailures failures(number, GetParam());
      try {
        created = catalog_.Create(std::move(version));
      } catch (const std::bad_alloc&) {
      }
    }
    TableRef found;
    for (int number = 0; !found; ++number) {
      AllocationFailures failures(number, GetParam());
      try {
        found = catalog_.Find(kAccount, name);
        ASSERT_TRUE(found);
      } catch (const std::bad_alloc&) {
      }
    }
    EXPECT_EQ(found->number, created->number);
  }
  for (int i = 0; i < kTables; ++i) {
    const std::string name = kFirst + std::to_string(i);
    const TableRef found = catalog_.Find(kAccount, name);
    ASSERT_TRUE(found) << i;
    EXPECT_EQ(found->name, name);
  }
  EXPECT_EQ(catalog_.TablesOf({}).size(), static_cast<std::size_t>(kTables));
}

TEST_P(CatalogFailures, AnAccountWithItsFirstTableIsAddedOrNot) {
  TableRef table;
  std::unique_ptr<TableVersion> version;
  const auto prepare = [&] {
    if (table) catalog_.Remove(table);
    version = NewTable(kThird, KeysOf("pk"), {}, kOther);
  };
  const auto call = [&] {
    table = catalog_.Create(std::move(version));
    return table != nullptr;
  };
  const auto check = [&](bool is_done) {
    EXPECT_EQ(catalog_.TablesOf({}).size(), is_done ? 1u : 0u);
    EXPECT_EQ(NamesOf(kOther).empty(), !is_done);
  };
  table = nullptr;
  FailEach(prepare, call, check);
}

INSTANTIATE_TEST_SUITE_P(All, CatalogFailures, testing::Values(Failing::kOne, Failing::kAllFrom),
                         [](const auto& test) {
                           return test.param == Failing::kOne ? "One" : "AllFrom";
                         });

}  // namespace
}  // namespace hashrange::test
