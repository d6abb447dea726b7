// The journal on a disk that fails, is full or is too slow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "store/journal_fixture.h"
#include "support/eventually.h"
#include "support/log_lines.h"

namespace hashrange {
namespace {

using test::Changes;
using testing::ElementsAre;
using testing::StartsWith;

class JournalFailuresTest : public test::JournalFixture {};

TEST_F(JournalFailuresTest, FailedDiskRefusesChangesUntilItWorks) {
  test::LogLines log(LogLevel::kInfo);
  Journal& journal = Start();
  const Changes first = PutSafely("a");
  EXPECT_EQ(Refusal(journal), "");
  disk_.SetFaults({.all_flushes = true});
  const Changes second = Put("b");
  const Changes third = Put("c");
  second.AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return !Refusal(journal).empty(); }));
  EXPECT_EQ(Refusal(journal), "The data directory cannot be written.");
  EXPECT_EQ(third.AppendTo(journal), 3u);
  EXPECT_EQ(journal.safe(), 1u);
  disk_.SetFaults({});
  EXPECT_TRUE(journal.WaitUntilSafe(3).ok());
  EXPECT_TRUE(test::Eventually([&] { return Refusal(journal).empty(); }));
  EXPECT_EQ(Stored(), ContentAfter({first, second, third}));
  EXPECT_THAT(log.lines(), ElementsAre(StartsWith("The data directory d cannot be written ("),
                                       "The data directory d can be written again."));
}

// A flush that fails may have lost what was written since the flush before.
TEST_F(JournalFailuresTest, WhatAFailedFlushLostIsWrittenAgain) {
  options_.interval = std::chrono::hours(1);
  Journal& journal = Start(Journal::Flush::kInterval);
  const Changes first = PutSafely("a");
  disk_.SetFaults({.all_flushes = true, .hides_dropped = true});
  // The log is full, so it is flushed before the next one is begun.
  const Changes second = Put("b", 100'000);
  const Changes third = Put("c");
  EXPECT_TRUE(journal.WaitUntilSafe(second.AppendTo(journal)).ok());
  third.AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return !Refusal(journal).empty(); }));
  disk_.SetFaults({});
  EXPECT_TRUE(journal.WaitUntilSafe(3).ok());
  EXPECT_EQ(StoredAfterPowerCut(), ContentAfter({first, second, third}));
}

TEST_F(JournalFailuresTest, FullDiskRefusesChangesBeforeItIsFull) {
  test::LogLines log(LogLevel::kInfo);
  options_.reserve_bytes = 1 << 20;
  Journal& journal = Start();
  const auto set_free = [&](std::uint64_t free) {
    disk_.SetFaults({.capacity_bytes = disk_.used_bytes() + free});
  };
  set_free(2 << 20);
  const Changes first = PutSafely("a");
  EXPECT_EQ(Refusal(journal), "");
  set_free((1 << 20) + 1000);
  const Changes second = PutSafely("b", 1000);
  EXPECT_TRUE(test::Eventually([&] { return !Refusal(journal).empty(); }));
  EXPECT_EQ(Refusal(journal), "The disk of the data directory has too little room.");
  // What was admitted before is still written, from the reserve.
  const Changes third = PutSafely("c", 1000);
  // A little more than was too little is still too little, so the state does not change all the
  // time.
  set_free((1 << 20) + (1 << 17) - 1);
  const int looks = disk_.looks_at_room();
  EXPECT_TRUE(test::Eventually([&] { return disk_.looks_at_room() > looks + 1; }));
  EXPECT_EQ(Refusal(journal), "The disk of the data directory has too little room.");
  set_free((1 << 20) + (1 << 17));
  EXPECT_TRUE(test::Eventually([&] { return Refusal(journal).empty(); }));
  EXPECT_EQ(Stored(), ContentAfter({first, second, third}));
  EXPECT_THAT(log.lines(),
              ElementsAre("The disk of the data directory d has less than 1 MiB left. Changes are "
                          "refused until it has more.",
                          "The disk of the data directory d has room again."));
}

TEST_F(JournalFailuresTest, DiskWithoutAnyRoomLosesNothing) {
  options_.reserve_bytes = 0;
  Journal& journal = Start();
  disk_.SetFaults({.capacity_bytes = disk_.used_bytes() + 50'000});
  std::vector<Changes> all;
  while (Refusal(journal).empty()) {
    all.push_back(Put(std::to_string(all.size()), 1000));
    all.back().AppendTo(journal);
  }
  const Journal::Position safe = journal.safe();
  EXPECT_LT(safe, all.size());
  disk_.SetFaults({});
  EXPECT_TRUE(journal.WaitUntilSafe(all.size()).ok());
  EXPECT_EQ(Stored(), ContentAfter(all));
}

TEST_F(JournalFailuresTest, EndOnAFailedDiskSaysWhatIsLost) {
  test::LogLines log(LogLevel::kError);
  Journal& journal = Start();
  disk_.SetFaults({.all_writes = true});
  Put("a").AppendTo(journal);
  Put("b").AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return !Refusal(journal).empty(); }));
  const Status stopped = journal.Stop();
  ASSERT_FALSE(stopped.ok());
  EXPECT_THAT(stopped.error().message, StartsWith("The last 2 changes are not stored: "));
  EXPECT_EQ(log.lines().back(), stopped.error().message);
  EXPECT_EQ(Refusal(journal), "The server ends.");
  EXPECT_FALSE(journal.WaitUntilSafe(2).ok());
  EXPECT_EQ(journal.safe(), 0u);
}

TEST_F(JournalFailuresTest, ChangesAreRefusedWhenTooManyWait) {
  options_.max_waiting_bytes = 100'000;
  options_.stall = std::chrono::hours(1);
  Journal& journal = Open();  // not started: nothing is written
  Put("a", 200'000).AppendTo(journal);
  EXPECT_EQ(Refusal(journal), "") << "the disk may be busy";
  for (int i = 0; i < 9; ++i) Put("a", 200'000).AppendTo(journal);
  EXPECT_EQ(Refusal(journal), "The disk of the data directory is too slow.");
  journal.Start();
  EXPECT_TRUE(journal.WaitUntilSafe(10).ok());
  EXPECT_TRUE(journal.WaitForRoom().ok());
  EXPECT_EQ(Refusal(journal), "");
}

TEST_F(JournalFailuresTest, ChangesAreRefusedWhenTheDiskMakesNoProgress) {
  options_.max_waiting_bytes = 100'000;
  options_.stall = std::chrono::milliseconds(-1);
  Journal& journal = Open();
  Put("a", 50'000).AppendTo(journal);
  EXPECT_EQ(Refusal(journal), "");
  Put("a", 200'000).AppendTo(journal);
  EXPECT_EQ(Refusal(journal), "The disk of the data directory is too slow.");
}

TEST_F(JournalFailuresTest, LoaderWaitsForRoom) {
  options_.max_waiting_bytes = 100'000;
  Journal& journal = Start();
  std::vector<Changes> all;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(journal.WaitForRoom().ok());
    all.push_back(Put(std::to_string(i), 50'000));
    all.back().AppendTo(journal);
  }
  EXPECT_EQ(Stored(), ContentAfter(all));
}

// More waits than is written at once, and more comes while it is written.
TEST_F(JournalFailuresTest, EndWritesAllThatWaits) {
  Journal& journal = Open();
  std::vector<Changes> all;
  const auto append = [&](const std::string& key) {
    all.push_back(Put(key, 1 << 20));
    all.back().AppendTo(journal);
  };
  for (int i = 0; i < 40; ++i) append(std::to_string(i));
  journal.Start();
  // The thread has written the first part.
  EXPECT_TRUE(test::Eventually([&] { return journal.safe() > 0; }));
  append("last");
  EXPECT_EQ(Stored(), ContentAfter(all));
}

}  // namespace
}  // namespace hashrange
