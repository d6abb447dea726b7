#include "store/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <leveldb/db.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "store/files/file_names.h"
#include "store/files/log_ends.h"
#include "store/journal_fixture.h"
#include "support/eventually.h"

namespace hashrange {
namespace {

using test::Changes;
using test::S;
using test::StoredContent;

class JournalTest : public test::JournalFixture {};

TEST_F(JournalTest, ItemsAndRecordsAreStored) {
  Journal& journal = Open();
  Changes first = Put("a");
  first.records.emplace_back(StoreKey::OfTable(1), "table");
  first.records.emplace_back(StoreKey::OfToken(600'000, 7), "token");
  Changes second = Put("b");
  Changes third;
  third.items.push_back({1, first.items[0].item, true});
  third.records.emplace_back(StoreKey::OfTable(1), "");
  EXPECT_EQ(journal.appended(), 0u);
  EXPECT_EQ(journal.safe(), 0u);
  EXPECT_EQ(first.AppendTo(journal), 1u);
  journal.Start();
  EXPECT_EQ(second.AppendTo(journal), 2u);
  EXPECT_EQ(third.AppendTo(journal), 3u);
  EXPECT_TRUE(journal.WaitUntilSafe(3).ok());
  EXPECT_EQ(journal.safe(), 3u);
  EXPECT_EQ(Stored(), ContentAfter({first, second, third}));
}

TEST_F(JournalTest, NothingAppendedIsNoPosition) {
  Journal& journal = Open();
  EXPECT_EQ(Changes().AppendTo(journal), 0u);
  Put("a").AppendTo(journal);
  EXPECT_EQ(Changes().AppendTo(journal), 1u);
  EXPECT_TRUE(journal.WaitUntilSafe(0).ok());
}

TEST_F(JournalTest, LastChangeOfAKeyCounts) {
  Journal& journal = Open();
  const Changes old = Put("a", 1);
  const Changes young = Put("a", 2);
  Changes both;
  both.items = {old.items[0], young.items[0]};
  both.AppendTo(journal);
  journal.Start();
  EXPECT_EQ(Stored(), ContentAfter({young}));
}

// A value that is made later sees what it captured, not what became of it.
TEST_F(JournalTest, ValuesAreMadeOnTheThreadOfTheJournal) {
  Journal& journal = Open();
  std::atomic<bool> is_made{false};
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<JournalRecord> records;
  records.push_back({StoreKey::OfTable(1), [&, item = Put("a").items[0].item](std::string& out) {
                       is_made = std::this_thread::get_id() != caller;
                       out += std::to_string(item->size_bytes());
                     }});
  journal.Append({}, records);
  EXPECT_FALSE(is_made);
  journal.Start();
  EXPECT_EQ(Stored(), (StoredContent{{std::string(StoreKey::OfTable(1).bytes()), "14"}}));
  EXPECT_TRUE(is_made);
}

TEST_F(JournalTest, ManyThreadsAppend) {
  Journal& journal = Start();
  std::vector<std::vector<Changes>> all(4);
  for (int t = 0; t < 4; ++t) {
    for (int i = 0; i < 200; ++i) {
      all[static_cast<std::size_t>(t)].push_back(
          Put(std::to_string(t) + "-" + std::to_string(i % 50), static_cast<std::size_t>(i)));
    }
  }
  std::vector<std::thread> threads;
  for (const std::vector<Changes>& own : all) {
    threads.emplace_back([&journal, &own] {
      for (const Changes& changes : own) {
        const Journal::Position position = changes.AppendTo(journal);
        if (position % 16 == 0) {
          EXPECT_TRUE(journal.WaitUntilSafe(position).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(journal.appended(), 800u);
  StoredContent expected;
  for (const std::vector<Changes>& own : all) expected.merge(ContentAfter(own));
  EXPECT_EQ(Stored(), expected);
}

TEST_F(JournalTest, ListenersHearOfWhatIsSafe) {
  struct Heard : Durability::Listener {
    void OnSafe(Durability::Position safe) noexcept override { last = safe; }
    std::atomic<Durability::Position> last{0};
  };
  Heard heard;
  Heard removed;
  Journal& journal = Open();
  journal.AddListener(heard);
  journal.AddListener(removed);
  journal.RemoveListener(removed);
  journal.Start();
  Put("a").AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return heard.last == 1; }));
  Put("b").AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return heard.last == 2; }));
  EXPECT_EQ(removed.last, 0u);
  journal.RemoveListener(heard);
}

TEST_F(JournalTest, AlwaysFlushesBeforeAPositionIsSafe) {
  Start();
  const int flushes = disk_.flushes();
  PutSafely("a");
  EXPECT_EQ(disk_.flushes(), flushes + 1);
}

TEST_F(JournalTest, NeverFlushesAtTheEndOnly) {
  Journal& journal = Open(Journal::Flush::kNever);
  const int flushes = disk_.flushes();
  journal.Start();
  std::vector<Changes> all = {Put("a")};
  EXPECT_TRUE(journal.WaitUntilSafe(all[0].AppendTo(journal)).ok());
  EXPECT_EQ(disk_.flushes(), flushes);
  // More than a log holds, so another one is begun.
  for (const std::size_t bytes : {100'000, 10}) {
    all.push_back(Put("b" + std::to_string(bytes), bytes));
    EXPECT_TRUE(journal.WaitUntilSafe(all.back().AppendTo(journal)).ok());
  }
  EXPECT_TRUE(journal.Stop().ok());
  EXPECT_EQ(StoredAfterPowerCut(), ContentAfter(all));
}

// The longest log has the last changes.
TEST_F(JournalTest, WhatAKilledServerFlushedIsRecordedAfterAWhile) {
  options_.record = std::chrono::milliseconds(0);
  Start();
  PutSafely("a");
  std::string log;
  EXPECT_TRUE(test::Eventually([&] {
    const auto ends = ReadLogEnds(disk_, "d");
    EXPECT_TRUE(ends.ok());
    for (const auto& [number, bytes] : *ends) {
      if (bytes > 0) log = "d/" + LogFileName(number);
    }
    return !log.empty();
  }));
  disk_.Kill();
  journal_.reset();
  disk_.StartAgain();
  disk_.SetContent(log, "");
  const auto opened = test::OpenSmall(disk_, "d");
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message,
              testing::StartsWith(log + " has lost its end: it has 0 bytes"));
}

TEST_F(JournalTest, IntervalFlushesAfterAWhile) {
  options_.interval = std::chrono::milliseconds(1);
  Journal& journal = Open(Journal::Flush::kInterval);
  const int flushes = disk_.flushes();
  journal.Start();
  const Changes change = Put("a");
  change.AppendTo(journal);
  EXPECT_TRUE(test::Eventually([&] { return disk_.flushes() == flushes + 1; }));
  EXPECT_EQ(StoredAfterPowerCut(), ContentAfter({change}));
}

TEST_F(JournalTest, IntervalIsSafeBeforeItIsFlushed) {
  options_.interval = std::chrono::hours(1);
  Journal& journal = Start(Journal::Flush::kInterval);
  const int flushes = disk_.flushes();
  const Changes change = PutSafely("a");
  EXPECT_EQ(disk_.flushes(), flushes);
  // An orderly end flushes.
  EXPECT_TRUE(journal.Stop().ok());
  EXPECT_EQ(StoredAfterPowerCut(), ContentAfter({change}));
}

TEST_F(JournalTest, ItemsOfADeletedTableAreRemoved) {
  Journal& journal = Start();
  std::vector<Changes> all;
  for (int i = 0; i < 2500; ++i) {
    all.push_back(Put(std::to_string(i)));
    if (i >= 2300) all.back().items[0].table_id = 2;
    all.back().AppendTo(journal);
  }
  journal.RemoveRange(StoreKeyRange::OfItems(1));
  const std::vector<Changes> left(all.begin() + 2300, all.end());
  // The removal is done in the background, and an end interrupts it.
  StoredContent stored;
  for (int attempts = 0; stored != ContentAfter(left); ++attempts) {
    ASSERT_LT(attempts, 10'000);
    stored = Stored();
    Open().Start();
    journal_->RemoveRange(StoreKeyRange::OfItems(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Put("again").AppendTo(*journal_);
  EXPECT_EQ(Stored().size(), 201u);
}

TEST_F(JournalTest, BackupIsAsOfOneCommit) {
  Journal& journal = Start();
  std::atomic<bool> is_done{false};
  // Each commit writes the same text to two items and a record.
  const auto commit = [this](int number) {
    Changes changes;
    for (const char* key : {"a", "b"}) {
      changes.items.push_back(
          {1, maker_.Make({{"pk", S(key)}, {"v", maker_.Text(std::to_string(number))}}), false});
    }
    changes.records.emplace_back(StoreKey::OfCounter(1), std::to_string(number));
    return changes;
  };
  std::vector<Changes> all;
  for (int i = 0; i < 300; ++i) all.push_back(commit(i));
  std::thread writer([&] {
    for (std::size_t i = 1; i < all.size() || !is_done; ++i) {
      all[i % all.size()].AppendTo(journal);
      std::this_thread::yield();
    }
  });
  for (int copy = 0; copy < 3; ++copy) {
    const std::string path = "copy" + std::to_string(copy);
    const Journal::Position appended = all[0].AppendTo(journal);
    const Status status = journal.Backup(path);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_GE(journal.safe(), appended);
    const auto ends = ReadLogEnds(disk_, path);
    ASSERT_TRUE(ends.ok());
    ASSERT_FALSE(ends->empty());
    EXPECT_GT(ends->rbegin()->second, 0u) << "the end of the copy's log is recorded";
    disk_.CreateDir("unused");
    const StoredContent content = StoredAfterEnd(path);
    const auto copy_again = test::OpenSmall(disk_, path);
    ASSERT_TRUE(copy_again.ok());
    std::string position;
    EXPECT_TRUE((*copy_again)->db()->Get({}, "L", &position).IsNotFound())
        << "the record speaks of logs of the other directory";
    const int number = std::stoi(content.at(std::string(StoreKey::OfCounter(1).bytes())));
    EXPECT_EQ(content, ContentAfter({all[static_cast<std::size_t>(number)]}));
  }
  is_done = true;
  writer.join();
}

TEST_F(JournalTest, BackupSaysWhyItFails) {
  Journal& journal = Start();
  PutSafely("a", 10'000);
  const auto refusal = [&](const std::string& path) {
    const Status status = journal.Backup(path);
    return status.ok() ? "" : status.error().message;
  };
  for (const std::string directory : {"d", "d/", "d/below", "./e/../d"}) {
    EXPECT_EQ(refusal(directory),
              (directory == "d/" ? "d" : directory) +
                  " is in the data directory of this server, d: name a directory outside of it");
  }
  ASSERT_TRUE(disk_.CreateDir("other").ok());
  disk_.SetContent("other/file", "text");
  EXPECT_EQ(refusal("other"),
            "other is not a data directory of Hashrange, or an unfinished one: it has files, but "
            "no file HASHRANGE");
  disk_.SetFaults({.capacity_bytes = disk_.used_bytes() + 1000});
  EXPECT_EQ(refusal("copy"), "the disk of copy has too little room");
  disk_.SetFaults({});
  EXPECT_EQ(refusal("copy"), "");
  EXPECT_EQ(StoredAfterEnd("copy").size(), 1u);
}

}  // namespace
}  // namespace hashrange
