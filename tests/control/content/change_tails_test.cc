// Tests of ChangeTails at its limits: the bytes of all tails together, and the end of a table. What
// the calls show of it is in content_calls_test.cc.
#include "control/content/change_tails.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "support/items.h"

namespace hashrange {
namespace {

using test::S;

constexpr AccountName kTailAccount{"000000000000", "us-east-1"};

class ChangeTailsTest : public testing::Test {
 protected:
  // Two items of 1,000 bytes and their changes have room, three have not.
  ChangeTailsTest() : tails_(3000), engine_(clock_), maker_(test::KeysOf("pk")) {
    engine_.AddObserver(tails_);
    for (const char* name : {"a", "b"}) {
      auto version = std::make_unique<TableVersion>();
      version->account_id = kTailAccount.account_id;
      version->region = kTailAccount.region;
      version->name = name;
      version->key = maker_.schema();
      engine_.catalog().Create(std::move(version));
    }
  }

  TableRef Table(std::string_view name) { return engine_.catalog().Find(kTailAccount, name); }
  // Puts an item of about 1,000 bytes.
  void Put(std::string_view table, std::string_view key) {
    const TableRef version = Table(table);
    const std::string text(950, 'x');
    const auto put = [&](ItemView) {
      return Decision::Put(maker_.Make({{"pk", S(key)}, {"text", S(text)}}));
    };
    const ItemWrite write{{version.get(), maker_.At({S(key)})}, put};
    WriteOutcome outcome;
    Arena arena;
    ASSERT_EQ(engine_.Commit({&write, 1}, {&outcome, 1}, arena), CommitResult::kCommitted);
  }
  // Returns "first id - last id, forgotten".
  std::string Kept(std::string_view table, std::uint64_t since = 0) {
    const ChangeTails::Page page = tails_.Find(*Table(table), since);
    std::string text;
    for (const KeptChange& change : page.changes) text += std::to_string(change.id) + " ";
    return text + "of " + std::to_string(page.state.last_id) + ", " +
           std::to_string(page.state.forgotten) + " forgotten, " + std::to_string(page.missed) +
           " missed";
  }

  ManualClock clock_{1'700'000'000'000};
  ChangeTails tails_;
  Engine engine_;
  test::ItemMaker maker_;
};

TEST_F(ChangeTailsTest, TheOldestChangesOfAllTablesMakeRoom) {
  tails_.Enable(engine_.catalog(), kTailAccount, "a", std::nullopt);
  tails_.Enable(engine_.catalog(), kTailAccount, "b", std::nullopt);
  Put("a", "1");
  Put("b", "1");
  EXPECT_EQ(Kept("a"), "1 of 1, 0 forgotten, 0 missed");
  Put("b", "2");
  Put("b", "3");
  EXPECT_EQ(Kept("a"), "of 1, 1 forgotten, 1 missed");
  EXPECT_EQ(Kept("b"), "2 3 of 3, 1 forgotten, 1 missed");
  Put("a", "2");
  EXPECT_EQ(Kept("a"), "2 of 2, 1 forgotten, 1 missed");
  EXPECT_EQ(Kept("a", 1), "2 of 2, 1 forgotten, 0 missed");
  EXPECT_EQ(Kept("b"), "3 of 3, 2 forgotten, 2 missed");
}

TEST_F(ChangeTailsTest, ADroppedTableLeavesItsRoom) {
  tails_.Enable(engine_.catalog(), kTailAccount, "a", 1);
  tails_.Enable(engine_.catalog(), kTailAccount, "b", std::nullopt);
  Put("b", "1");
  Put("a", "1");
  engine_.catalog().Remove(Table("a"));
  Put("b", "2");
  EXPECT_EQ(Kept("b"), "1 2 of 2, 0 forgotten, 0 missed");
}

TEST_F(ChangeTailsTest, ATailThatEndedForgetsItsChangesAtOnce) {
  tails_.Enable(engine_.catalog(), kTailAccount, "a", std::nullopt);
  Put("a", "1");
  const TableRef earlier = Table("a");
  tails_.Disable(engine_.catalog(), kTailAccount, "a");
  EXPECT_EQ(tails_.Find(*earlier, 0).changes.size(), 0u);
  EXPECT_FALSE(Table("a")->IsLogged());
  EXPECT_FALSE(tails_.Enable(engine_.catalog(), kTailAccount, "none", std::nullopt));
  EXPECT_FALSE(tails_.Disable(engine_.catalog(), kTailAccount, "none"));
}

}  // namespace
}  // namespace hashrange
