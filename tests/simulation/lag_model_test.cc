// Random writes with a clock that is moved are compared with a history of all changes and the
// delays that the seed gives. At every time the past contains exactly the changes that are due by
// then; when all are due, it equals the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"
#include "operation/read/read_lag.h"
#include "simulation/consistency.h"

namespace hashrange {
namespace {

using test::ItemMaker;
using test::kAccount;
using test::KeysOf;

constexpr std::int64_t kStartMs = 1'700'000'000'000;

// All changes of the table, and the time at which one kind of read has to see each of them.
class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed) {}

  DelayRange delays;

  // The item of `key` becomes `after` at `now_ms`; null: it is removed.
  void Add(const std::string& collection, const std::string& key, const ItemRef& after,
           std::int64_t now_ms) {
    const auto span = static_cast<std::uint64_t>(delays.max_ms - delays.min_ms) + 1;
    const std::int64_t delay_ms = delays.min_ms + static_cast<std::int64_t>(random_.Next() % span);
    std::int64_t& last_ms = last_due_ms_[collection];
    last_ms = std::max(last_ms, now_ms + delay_ms);
    seen_[collection + "/" + key].emplace_back(last_ms, after);
  }

  // Returns the items that are seen at that time, in the order of their addresses.
  std::vector<const Item*> At(std::int64_t now_ms) const {
    std::vector<const Item*> items;
    for (const auto& [key, changes] : seen_) {
      const Item* item = nullptr;
      for (const auto& [due_ms, after] : changes) {
        if (due_ms <= now_ms) item = after.get();
      }
      if (item) items.push_back(item);
    }
    std::ranges::sort(items);
    return items;
  }

 private:
  Random random_;
  std::map<std::string, std::int64_t> last_due_ms_;
  std::map<std::string, std::vector<std::pair<std::int64_t, ItemRef>>> seen_;
};

class LagModelTest : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  LagModelTest() {
    auto version = test::NewTable(
        "app", KeysOf("pk", "sk"),
        {test::GlobalIndex("byG", KeysOf("g", "sk")), test::LocalIndex("byL", KeysOf("pk", "g"))});
    version->settings.stream.reset();
    engine_.catalog().Create(std::move(version));
    indexes_.delays = {0, 300};
    items_.delays = {50, 90};
    EXPECT_TRUE(consistency_.Set(kAccount, "app", {indexes_.delays, items_.delays, GetParam()}));
  }

  TableRef Table() { return engine_.catalog().Find(kAccount, "app"); }

  void WriteOne() {
    const std::string pk = std::to_string(random_.Next() % 5);
    const std::string sk = std::to_string(random_.Next() % 4);
    const Position position = maker_.At({maker_.Text(pk), maker_.Text(sk)});
    test::SingleCommit commit;
    if (random_.Next() % 4 == 0) {
      commit = test::Erase(engine_, *Table(), position);
    } else {
      std::vector<Attribute> attributes = {
          {"pk", maker_.Text(pk)}, {"sk", maker_.Text(sk)}, {"n", maker_.N(next_n_++ / 2)}};
      if (random_.Next() % 3) {
        attributes.push_back({"g", maker_.Text(std::to_string(random_.Next() % 3))});
      }
      commit = test::Put(engine_, *Table(), maker_.Make(std::move(attributes)));
    }
    ASSERT_EQ(commit.result, CommitResult::kCommitted);
    const auto& [before, after, error] = commit.outcome;
    const bool is_same =
        before && after &&
        ItemView(maker_.schema(), before.get()).SameAttributes({maker_.schema(), after.get()});
    if (is_same || (!before && !after)) return;
    indexes_.Add(pk, sk, after, clock_.NowEpochMs());
    items_.Add(pk, sk, after, clock_.NowEpochMs());
    maker_.Reset();
  }

  // Returns all items that a read of the table or of an index sees.
  std::vector<ItemRef> Seen(const IndexVersion* index) {
    const TableRef table = Table();
    const ReadView view = ReadViewOf(*table, index, false);
    return test::RangeAll(engine_, *view.table, view.index);
  }
  static std::vector<const Item*> Blocks(const std::vector<ItemRef>& items) {
    std::vector<const Item*> blocks;
    for (const ItemRef& item : items) blocks.push_back(item.get());
    std::ranges::sort(blocks);
    return blocks;
  }

  // Returns the items of an index at that time.
  std::vector<const Item*> EntriesOf(const IndexVersion& index, const History& history) {
    std::vector<const Item*> entries = history.At(clock_.NowEpochMs());
    std::erase_if(entries, [&](const Item* item) {
      return !BelongsTo(index.schema.key, {maker_.schema(), item});
    });
    return entries;
  }

  void ExpectAsHistorySays() {
    const TableRef table = Table();
    EXPECT_EQ(Blocks(Seen(nullptr)), items_.At(clock_.NowEpochMs()));
    const IndexVersion& by_g = *table->FindIndex("byG");
    EXPECT_EQ(Blocks(Seen(&by_g)), EntriesOf(by_g, indexes_));
    const IndexVersion& by_l = *table->FindIndex("byL");
    EXPECT_EQ(Blocks(Seen(&by_l)), EntriesOf(by_l, items_));
  }

  ManualClock clock_{kStartMs};
  Engine engine_{clock_};
  Consistency consistency_{engine_};
  ItemMaker maker_{KeysOf("pk", "sk")};
  Random random_{GetParam() + 100};
  History indexes_{GetParam()};
  History items_{GetParam()};
  std::int64_t next_n_ = 0;
};

TEST_P(LagModelTest, EveryReadSeesTheChangesThatAreDue) {
  for (int i = 0; i < 3000; ++i) {
    WriteOne();
    if (random_.Next() % 2) clock_.Advance(static_cast<std::int64_t>(random_.Next() % 40));
    if (random_.Next() % 5 == 0) ExpectAsHistorySays();
    ASSERT_FALSE(HasFailure()) << "after write " << i;
  }
  clock_.Advance(300);
  ExpectAsHistorySays();
  const TableRef table = Table();
  EXPECT_EQ(Blocks(Seen(nullptr)), Blocks(test::RangeAll(engine_, *table, nullptr)));
  for (const IndexVersion& index : table->indexes) {
    EXPECT_EQ(Blocks(Seen(&index)), Blocks(test::RangeAll(engine_, *table, &index)));
  }
}

// With long times without a read, and changes of the table's version in between, reads see the same
// as when the table is read all the time.
TEST_P(LagModelTest, PastIsTheSameWheneverItIsMade) {
  for (int i = 0; i < 60; ++i) {
    for (int n = 0; n < 40; ++n) {
      WriteOne();
      clock_.Advance(static_cast<std::int64_t>(random_.Next() % 5));
    }
    const TableRef table = Table();
    if (i % 3 == 0) {
      // With another index the past is made anew.
      auto next = std::make_unique<TableVersion>(*table);
      const std::string name = "more" + std::to_string(i);
      if (i % 2) next->indexes.erase(next->indexes.begin() + 1);
      IndexVersion added = test::GlobalIndex(name, KeysOf("sk", "pk"));
      added.phase = IndexPhase::kAllocating;
      next->indexes.insert(next->indexes.begin() + 1, std::move(added));
      ASSERT_TRUE(engine_.catalog().Publish(table, std::move(next)));
    }
    ExpectAsHistorySays();
    ASSERT_FALSE(HasFailure()) << "round " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LagModelTest, ::testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace hashrange
