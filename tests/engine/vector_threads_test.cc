// Searches among writers: whoever reads the rows of a group sees each row as some commit wrote it,
// with its own item, and sees a group as of one instant.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/engine_fixture.h"

namespace hashrange::test {
namespace {

constexpr int kLength = 200, kPairs = 300, kGroups = 2, kVectorWriters = 2, kVectorWrites = 1500;

class VectorThreadsTest : public testing::Test {
 protected:
  // The vector of an item begins with its attribute "n". All items of a pair are in one group.
  static ItemRef MakeItem(ItemMaker& maker, int i, int n) {
    return maker.Make({{"pk", maker.Text(std::to_string(i))},
                       {"group", maker.Text(std::to_string(i % kGroups))},
                       {"n", maker.N(n)},
                       {"v", maker.Numbers(n, kLength)}});
  }

  // Items i and i + kPairs are written together, with numbers whose sum is 0, or are erased
  // together.
  void Write(int writer) {
    Random random(static_cast<std::uint64_t>(writer));
    ItemMaker maker(KeysOf("pk"));
    Arena arena;
    for (int write = 0; write < kVectorWrites; ++write) {
      maker.Reset();
      arena.Reset();
      const int i = static_cast<int>(random.Next() % kPairs);
      const int n = static_cast<int>(random.Next() % 1000) + 1;
      const bool erases = random.Next() % 4 == 0;
      const ItemRef items[] = {MakeItem(maker, i, n), MakeItem(maker, i + kPairs, -n)};
      const auto decide = [&](int which) {
        return erases ? Decision::Erase() : Decision::Put(items[which]);
      };
      const auto first = [&](ItemView) { return decide(0); };
      const auto second = [&](ItemView) { return decide(1); };
      const ItemWrite writes[] = {{{table_.get(), PositionOf(*items[0])}, first},
                                  {{table_.get(), PositionOf(*items[1])}, second}};
      WriteOutcome outcomes[2];
      EXPECT_EQ(engine_.Commit(writes, outcomes, arena), CommitResult::kCommitted);
    }
  }

  void Search() {
    const IndexVersion& index = table_->indexes[0];
    for (int group = 0; group < kGroups; ++group) {
      const std::string text = std::to_string(group);
      const ValueView value = S(text);
      std::int64_t sum = 0;
      for (const auto& [item, floats] :
           RowsOf(engine_.Range(index, HashOfParts({&value, 1})), kLength)) {
        const std::int64_t n = IntegerOf({table_->key, item.get()}, "n");
        ASSERT_EQ(floats.front(), static_cast<float>(n));
        ASSERT_EQ(floats.back(), static_cast<float>(n + kLength - 1));
        sum += n;
      }
      ASSERT_EQ(sum, 0);
    }
  }

  const ManualClock clock_{0};
  Engine engine_{clock_};
  TableRef table_ = engine_.catalog().Create(
      NewTable("t", KeysOf("pk"), {VectorIndex("vectors", kLength, "group")}));
};

TEST_F(VectorThreadsTest, SearchesSeeWholeCommits) {
  static_assert(kPairs % kGroups == 0);
  std::atomic<int> writing{kVectorWriters};
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kVectorWriters; ++writer) {
    threads.emplace_back([this, writer, &writing] {
      Write(writer);
      --writing;
    });
  }
  while (writing > 0 && !HasFatalFailure()) Search();
  for (std::thread& thread : threads) thread.join();
  Search();
  ExpectExactIndexes(engine_, *table_);
}

}  // namespace
}  // namespace hashrange::test
