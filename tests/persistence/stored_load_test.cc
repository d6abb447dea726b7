// What a start says of data that no server has written.
#include "persistence/stored_load.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/table.h"
#include "engine/table_record.h"
#include "persistence/stored_values.h"
#include "store/data_directory.h"
#include "store/journal.h"
#include "support/items.h"

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
  StoredLoadTest() {
    std::string folder = testing::TempDir() + "/load-XXXXXX";
    folder_ = mkdtemp(folder.data());
  }
  ~StoredLoadTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<DataDirectory> Open() {
    auto opened = DataDirectory::Open(folder_ + "/data", {});
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  // Returns what a start with these records says; "" if it succeeds.
  std::string ProblemWith(const Stored& stored) {
    std::filesystem::remove_all(folder_ + "/data");
    {
      Journal journal(Open(), {});
      journal.Start();
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
    next_id_ = engine.catalog().Create(DecodeTable(TableRecord("new", "new")).value())->table->id();
    return summary.ok() ? "" : summary.error().message;
  }
  std::string ProblemWithCounter(std::uint8_t counter, std::uint64_t value) {
    return ProblemWith({{StoreKey::OfCounter(counter), EncodeCounter(value)}});
  }

  std::string folder_;
  std::int64_t now_epoch_ms_ = 0;
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
