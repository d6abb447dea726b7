// Small backfills are done at once, large backfills in turns and on a thread.
#include "engine/backfill/backfiller.h"

#include <string>

#include "engine/backfill/backfill_fixture.h"
#include "support/eventually.h"

namespace hashrange::test {
namespace {

using BackfillerTest = BackfillFixture;

TEST_F(BackfillerTest, ASmallTableIsFilledAtOnce) {
  PutItems(99);
  AddIndex("kinds");
  Backfiller backfiller(engine_, {.at_once = 100, .has_thread = false});
  backfiller.Start(AddressOf("kinds"));
  EXPECT_TRUE(IsFilled("kinds"));
  EXPECT_FALSE(backfiller.RunBatch());
  ExpectExact();
}

TEST_F(BackfillerTest, TheRestOfALargerTableWaits) {
  PutItems(200);
  AddIndex("kinds");
  Backfiller backfiller(engine_, {.at_once = 100, .has_thread = false});
  backfiller.Start(AddressOf("kinds"));
  EXPECT_FALSE(IsFilled("kinds"));
  EXPECT_GT(EntriesOf("kinds"), 0);
  while (backfiller.RunBatch()) {
  }
  EXPECT_TRUE(IsFilled("kinds"));
  ExpectExact();
}

TEST_F(BackfillerTest, SeveralTakeTurns) {
  engine_.catalog().Create(NewTable("other", KeysOf("pk")));
  Backfiller backfiller(engine_, {.at_once = 0, .has_thread = false});
  for (const std::string table : {"t", "other"}) {
    PutItems(500, table);
    AddIndex("kinds", table);
    backfiller.Start(AddressOf("kinds", table));
  }
  EXPECT_TRUE(backfiller.RunBatch());
  const std::int64_t batch = EntriesOf("kinds");
  EXPECT_GT(batch, 0);
  EXPECT_EQ(EntriesOf("kinds", "other"), 0);
  EXPECT_TRUE(backfiller.RunBatch());
  EXPECT_EQ(EntriesOf("kinds"), batch);
  EXPECT_EQ(EntriesOf("kinds", "other"), batch);
  while (backfiller.RunBatch()) {
  }
  ExpectExact();
  ExpectExact("other");
}

TEST_F(BackfillerTest, ItsThreadFillsWhatIsLeft) {
  PutItems(3000);
  Backfiller backfiller(engine_, {.at_once = 10});
  for (const char* name : {"first", "second"}) {
    AddIndex(name);
    backfiller.Start(AddressOf(name));
  }
  EXPECT_TRUE(Eventually([this] { return IsFilled("first") && IsFilled("second"); }));
  ExpectExact();
  // By now the thread waits for more work.
  AddIndex("third");
  backfiller.Start(AddressOf("third"));
  EXPECT_TRUE(Eventually([this] { return IsFilled("third"); }));
}

// The test tries several times, as the thread of an attempt may finish first on a busy machine.
TEST_F(BackfillerTest, TheDestructorDoesNotWaitForTheBackfill) {
  constexpr int kAttempts = 20;
  PutItems(20000);
  bool is_filled = true;
  for (int i = 0; is_filled && i < kAttempts; ++i) {
    const std::string name = "kinds" + std::to_string(i);
    AddIndex(name);
    {
      Backfiller backfiller(engine_, {.at_once = 0});
      backfiller.Start(AddressOf(name));
      EXPECT_TRUE(Eventually([&] { return EntriesOf(name) > 0; }));
    }
    is_filled = IsFilled(name);
  }
  EXPECT_FALSE(is_filled);
}

TEST_F(BackfillerTest, ATableThatIsRemovedWhileItsIndexIsFilledIsForgotten) {
  PutItems(5000);
  AddIndex("kinds");
  Backfiller backfiller(engine_, {.at_once = 0});
  backfiller.Start(AddressOf("kinds"));
  const std::weak_ptr<Table> storage = Published()->table;
  first_ = nullptr;
  // Remove fails when the thread publishes a version with the filled index in between.
  while (!engine_.catalog().Remove(Published())) {
  }
  EXPECT_TRUE(Eventually([&] { return storage.expired(); }));
}

}  // namespace
}  // namespace hashrange::test
