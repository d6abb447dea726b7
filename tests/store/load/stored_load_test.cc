// What a start says of data that no server has written.
#include "store/load/stored_load.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/stream/stored_stream.h"
#include "engine/table.h"
#include "engine/table_record.h"
#include "store/data_directory.h"
#include "store/journal.h"
#include "store/load/change_writer.h"
#include "store/load/store_trimmer.h"
#include "store/stored_item.h"
#include "support/items.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

using Stored = std::vector<std::pair<StoreKey, std::string>>;

std::string TableRecord(std::string account, std::string name) {
  TableVersion table;
  table.account_id = std::move(account);
  table.region = "us-east-1";
  table.name = std::move(name);
  table.key = test::KeysOf("pk");
  return EncodeTable(table);
}

class StoredLoadTest : public testing::Test {
 protected:
  std::unique_ptr<DataDirectory> Open() {
    auto opened = DataDirectory::Open(folder_.path() / "data", {});
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  // Returns what a start with these records says; "" if it succeeds.
  std::string ProblemWith(const Stored& stored) {
    std::filesystem::remove_all(folder_.path() / "data");
    {
      Journal journal(Open(), {});
      journal.Start();
      journal.Append(items_, {});
      for (const auto& [key, value] : stored) {
        JournalRecord record{key, RecordValue::Of(value)};
        journal.Append({}, {&record, 1});
      }
      EXPECT_TRUE(journal.Stop().ok());
    }
    AdjustableClock clock;
    StreamSet streams(clock, {});
    Engine engine(clock);
    std::atomic<std::int64_t> items{0};
    const auto directory = Open();
    const DataReader reader(*directory);
    StoredLoad load({engine, streams, clock}, reader, items);
    const auto summary = load.Run(1);
    now_epoch_ms_ = clock.NowEpochMs();
    if (summary.ok()) {
      removed_tables_ = summary->removed_tables;
      stale_records_.clear();
      seeds_.clear();
      for (const auto& found : summary->seeds) {
        seeds_.push_back(std::to_string(found.seed.id) + " of " +
                         std::to_string(found.table->table->id()) + ": " +
                         std::to_string(found.items.size()) + " items");
      }
      for (const StoreKey& key : summary->stale_records) {
        stale_records_.push_back(StoreKeyText(key.bytes()));
      }
    }
    next_id_ = engine.catalog().Create(DecodeTable(TableRecord("new", "new")).value())->table->id();
    return summary.ok() ? "" : summary.error().message;
  }
  std::string ProblemWithCounter(std::uint8_t counter, std::uint64_t value) {
    return ProblemWith({{StoreKey::OfCounter(counter), EncodeCounter(value)}});
  }

  const test::TemporaryFolder folder_;
  std::vector<JournalItem> items_;  // which are stored, too
  std::int64_t now_epoch_ms_ = 0;
  std::vector<std::uint64_t> removed_tables_;
  std::vector<std::string> stale_records_;  // as StoreKeyText
  std::vector<std::string> seeds_;          // which a start finishes
  std::uint64_t next_id_ = 0;
};

TEST_F(StoredLoadTest, ATableIsStoredOnce) {
  const std::string app = TableRecord("1", "app");
  EXPECT_EQ(ProblemWith({{StoreKey::OfTable(1), app},
                         {StoreKey::OfTable(2), TableRecord("2", "app")},
                         {StoreKey::OfTable(3), TableRecord("1", "other")}}),
            "");
  EXPECT_EQ(ProblemWith({{StoreKey::OfTable(1), app}, {StoreKey::OfTable(2), app}}),
            "the table app is stored twice");
}

// A server was killed while it removed the items of a deleted table.
TEST_F(StoredLoadTest, ItemsOfRemovedTablesAreLeftToBeRemoved) {
  test::ItemMaker maker(test::KeysOf("pk"));
  for (const std::uint64_t table : {1, 4, 7}) {
    items_.push_back({table, maker.Make({{"pk", test::S("a")}}), false});
  }
  const Stored table = {{StoreKey::OfTable(4), TableRecord("1", "app")}};
  EXPECT_EQ(ProblemWith(table), "");
  EXPECT_EQ(removed_tables_, (std::vector<std::uint64_t>{1, 7}));
  EXPECT_EQ(next_id_, 8u) << "the id of a removed table is not used again";
}

// A server was killed while it put the items of a seed into a table, another one before it had
// removed a seed whose table was deleted.
TEST_F(StoredLoadTest, ASeedIsFinishedUnlessItsTableIsGone) {
  test::ItemMaker maker(test::KeysOf("pk"));
  for (const std::uint64_t id : {4, 9, 12}) {
    items_.push_back({id, maker.Make({{"pk", test::S("a")}}), false});
  }
  EXPECT_EQ(ProblemWith({{StoreKey::OfTable(4), TableRecord("1", "app")},
                         {StoreKey::OfSeed(9, 4), EncodeCounter(4)},
                         {StoreKey::OfSeed(12, 5), EncodeCounter(5)},
                         {StoreKey::OfSeed(20, 4), EncodeCounter(4)}}),
            "");
  EXPECT_EQ(seeds_, (std::vector<std::string>{"9 of 4: 1 items", "20 of 4: 0 items"}));
  EXPECT_EQ(removed_tables_, (std::vector<std::uint64_t>{12}));
  EXPECT_EQ(stale_records_,
            (std::vector<std::string>{"the seed with id 12 of the table with id 5"}));
  EXPECT_EQ(next_id_, 21u) << "the id of a seed is not used again";
}

// A server was killed after it had described the new beginning of a stream and before it had
// removed the records before it; and another one while it forgot a stream.
TEST_F(StoredLoadTest, RecordsThatNoStreamHasAreLeftToBeRemoved) {
  StoredStream stream;
  stream.definition.table_name = "app";
  stream.definition.table_arn = "arn";
  stream.definition.region = "us-east-1";
  stream.definition.key = test::KeysOf("pk");
  stream.definition.id = 3;
  stream.definition.is_durable = true;
  stream.definition.account_id = "1";
  stream.definition.account_region = "us-east-1";
  stream.first_numbers = {5};
  test::ItemMaker maker(test::KeysOf("pk"));
  const std::string image = EncodeImage(maker.Make({{"pk", test::S("a")}}).get());
  const std::string record = EncodeStreamRecord({.before = {}, .after = image, .epoch_ms = 1});
  Stored stored = {{StoreKey::OfStream(3), EncodeStream(stream)}};
  for (const std::uint64_t number : {4, 5}) {
    stored.emplace_back(StoreKey::OfStreamRecord(3, 0, number), record);
  }
  stored.emplace_back(StoreKey::OfStreamRecord(3, 1, 6), record);  // there is no such shard
  stored.emplace_back(StoreKey::OfStreamRecord(9, 0, 5), record);  // there is no such stream
  EXPECT_EQ(ProblemWith(stored), "");
  EXPECT_EQ(stale_records_,
            (std::vector<std::string>{"record 4 of shard 0 of the stream with id 3",
                                      "record 6 of shard 1 of the stream with id 3",
                                      "record 5 of shard 0 of the stream with id 9"}));
}

// A restart does not go back behind the time of a commit.
TEST_F(StoredLoadTest, TheTimeOfACommitIsStoredWithIt) {
  AdjustableClock clock;
  Engine engine(clock);
  TableVersion table = *engine.catalog().Create(DecodeTable(TableRecord("1", "app")).value());
  table.is_durable = true;
  test::ItemMaker maker(test::KeysOf("pk"));
  const std::int64_t late_ms = clock.NowEpochMs() + 3'600'000;
  {
    Journal journal(Open(), {});
    StoreTrimmer trimmer(journal, clock);
    ChangeWriter writer(journal, trimmer, clock);
    journal.Start();
    for (const std::int64_t epoch_ms : {late_ms, late_ms - 1000}) {
      const Change change{.table = &table,
                          .before = {},
                          .after = maker.Make({{"pk", test::S("a")}}),
                          .epoch_ms = epoch_ms};
      writer.OnCommit({&change, 1}, nullptr);
    }
    EXPECT_TRUE(journal.Stop().ok());
  }
  const auto directory = Open();
  std::vector<std::uint64_t> times;
  const Status read =
      DataReader(*directory)
          .ForEachRecord(RecordKind::kCounter,
                         [&](const StoreKeyParts& key, std::string_view value) -> Status {
                           if (key.number == kClockCounter)
                             times.push_back(DecodeCounter(value).value());
                           return {};
                         });
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(times, std::vector<std::uint64_t>{static_cast<std::uint64_t>(late_ms)});
}

TEST_F(StoredLoadTest, TheClockStaysInItsRange) {
  constexpr auto kMost = static_cast<std::uint64_t>(AdjustableClock::kMaxEpochMs);
  EXPECT_EQ(ProblemWithCounter(kClockCounter, kMost), "");
  EXPECT_EQ(now_epoch_ms_, AdjustableClock::kMaxEpochMs);
  for (const std::uint64_t wrong : {kMost + 1, std::uint64_t{1} << 63, UINT64_MAX}) {
    EXPECT_EQ(ProblemWithCounter(kClockCounter, wrong),
              "the counter of the clock is damaged: it is " + std::to_string(wrong));
  }
}

TEST_F(StoredLoadTest, NoIdIsTheLastOne) {
  constexpr std::uint64_t kMost = INT64_MAX;
  EXPECT_EQ(ProblemWithCounter(kTableIdCounter, kMost), "");
  EXPECT_EQ(next_id_, kMost + 1);
  EXPECT_EQ(ProblemWithCounter(kStreamIdCounter, kMost), "");
  const std::string begin = "an id of a table or of a stream is damaged: it is ";
  for (const std::uint64_t wrong : {kMost + 1, UINT64_MAX}) {
    const std::string sentence = begin + std::to_string(wrong);
    EXPECT_EQ(ProblemWithCounter(kTableIdCounter, wrong), sentence);
    EXPECT_EQ(ProblemWithCounter(kStreamIdCounter, wrong), sentence);
    EXPECT_EQ(ProblemWith({{StoreKey::OfTable(wrong), TableRecord("1", "app")}}), sentence);
  }
}

}  // namespace
}  // namespace hashrange
