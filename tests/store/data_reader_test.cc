#include "store/data_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>
#include "store/stored_directory.h"

namespace hashrange {
namespace {

using test::Changes;
using test::ContentOf;
using testing::ElementsAre;
using testing::StartsWith;

using DataReaderTest = test::StoredDirectory;

TEST(SplitHashes, CoverAllHashesOnce) {
  EXPECT_THAT(SplitHashes(1), ElementsAre(HashRange{0, std::nullopt}));
  EXPECT_THAT(SplitHashes(2),
              ElementsAre(HashRange{0, 1ull << 63}, HashRange{1ull << 63, std::nullopt}));
  const std::vector<HashRange> three = SplitHashes(3);
  EXPECT_EQ(three[0].end, three[1].begin);
  EXPECT_EQ(three[1].end, three[2].begin);
  EXPECT_LT(three[1].begin, three[2].begin);
  EXPECT_EQ(three[2].end, std::nullopt);
}

TEST_F(DataReaderTest, ReaderReadsItemsByRangesOfSeveralThreads) {
  Store({1, 2, ~0ull}, 300);
  const auto directory = Open();
  const DataReader reader(*directory);
  EXPECT_THAT(reader.TablesWithItems().value(), ElementsAre(1, 2, ~0ull));
  for (const std::uint64_t table : {std::uint64_t{1}, ~std::uint64_t{0}}) {
    const std::vector<HashRange> ranges = SplitHashes(3);
    std::vector<std::vector<ItemRef>> parts(ranges.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      threads.emplace_back([&, i] {
        EXPECT_TRUE(reader
                        .ForEachItem(table, schema_, ranges[i],
                                     [&](ItemRef item) -> Status {
                                       parts[i].push_back(std::move(item));
                                       return {};
                                     })
                        .ok());
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<Position> positions;
    for (const std::vector<ItemRef>& part : parts) {
      EXPECT_FALSE(part.empty());
      for (const ItemRef& item : part) positions.push_back(test::PositionOf(*item));
    }
    EXPECT_EQ(positions.size(), 300u);
    EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  }
}

TEST_F(DataReaderTest, ReaderReadsEachKindOfRecord) {
  {
    Journal journal(Open(), {});
    Changes changes;
    const std::vector<StoreKey> keys = {StoreKey::OfTable(1),
                                        StoreKey::OfTable(2),
                                        StoreKey::OfTableTags(1),
                                        StoreKey::OfStream(3),
                                        StoreKey::OfStreamTags(3),
                                        StoreKey::OfStreamRecord(3, 0, 1),
                                        StoreKey::OfStreamRecord(3, 0, 2),
                                        StoreKey::OfStreamRecord(3, 1, 1),
                                        StoreKey::OfStreamRecord(4, 0, 1),
                                        StoreKey::OfSeed(5, 1),
                                        StoreKey::OfToken(600'000, 7),
                                        StoreKey::OfCounter(7)};
    for (const StoreKey& key : keys) {
      changes.records.emplace_back(key, StoreKeyText(key.bytes()));
    }
    changes.AppendTo(journal);
    journal.Start();
  }
  const auto directory = Open();
  const DataReader reader(*directory);
  std::vector<std::string> read;
  const DataReader::VisitRecord visit = [&](const StoreKeyParts&,
                                            std::string_view value) -> Status {
    read.emplace_back(value);
    return {};
  };
  std::map<RecordKind, std::size_t> counts;
  for (const RecordKind kind : kPlainRecordKinds) {
    read.clear();
    EXPECT_TRUE(reader.ForEachRecord(kind, visit).ok());
    counts[kind] = read.size();
  }
  EXPECT_EQ(counts, (std::map<RecordKind, std::size_t>{{RecordKind::kTable, 2},
                                                       {RecordKind::kTableTags, 1},
                                                       {RecordKind::kSeed, 1},
                                                       {RecordKind::kStream, 1},
                                                       {RecordKind::kStreamTags, 1},
                                                       {RecordKind::kStreamRecord, 4},
                                                       {RecordKind::kToken, 1},
                                                       {RecordKind::kCounter, 1},
                                                       {RecordKind::kLogPosition, 0}}));
  read.clear();
  EXPECT_TRUE(reader.ForEachRecord(RecordKind::kStreamRecord, visit).ok());
  EXPECT_THAT(read, ElementsAre("record 1 of shard 0 of the stream with id 3",
                                "record 2 of shard 0 of the stream with id 3",
                                "record 1 of shard 1 of the stream with id 3",
                                "record 1 of shard 0 of the stream with id 4"));
  EXPECT_TRUE(reader.CheckForUnknownKeys().ok());
  // An error of the visitor ends the reading.
  int visited = 0;
  const Status ended = reader.ForEachRecord(RecordKind::kTable,
                                            [&](const StoreKeyParts&, std::string_view) -> Status {
                                              ++visited;
                                              return InternalError("enough");
                                            });
  EXPECT_EQ(ended.error().message, "enough");
  EXPECT_EQ(visited, 1);
}

TEST_F(DataReaderTest, DamagedItemsAreNotServed) {
  Store({1}, 3);
  std::string key;
  AppendItemKey(1, 5, "k", &key);
  StoreBytes(key, "x");
  const auto directory = Open();
  const Status read =
      DataReader(*directory).ForEachItem(1, schema_, {}, [](const ItemRef&) { return Status(); });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message,
            "an item of the table with id 1 (key 00000000000000056b) is damaged: its key is "
            "damaged");
}

TEST_F(DataReaderTest, UnknownKeysAreErrors) {
  Store({1}, 3);
  for (const char* key : {"A", "J", "T1", "Z", "z"}) {
    StoreBytes(key, "x");
    const auto directory = Open();
    const DataReader reader(*directory);
    Status found = reader.CheckForUnknownKeys();
    if (found.ok()) {
      found = reader.ForEachRecord(RecordKind::kTable,
                                   [](const StoreKeyParts&, std::string_view) { return Status(); });
    }
    ASSERT_FALSE(found.ok()) << key;
    EXPECT_THAT(found.error().message, StartsWith("d holds unknown data (key "));
    ASSERT_TRUE(directory->db()->Delete({}, key).ok());
  }
}

// Each byte of each table is flipped once: it is found, or it changes nothing.
TEST_F(DataReaderTest, FlippedBytesOfTablesAreFoundOrHarmless) {
  Store({1}, 40, 50);
  Open();  // makes a table of the log
  const auto sound = ContentOf(*Open());
  const std::string table = FileThatEndsWith(".ldb");
  const std::string content = disk_.Content(table);
  ASSERT_GT(content.size(), 200u);
  int found = 0;
  for (std::size_t at = 0; at < content.size(); at += 3) {
    disk_.SetContent(table, content);
    disk_.Flip(table, at, 4);
    const auto opened = test::OpenSmall(disk_, "d");
    if (!opened.ok()) {
      ++found;
      continue;
    }
    const auto read = ContentOf(**opened);
    if (read.contains("error")) {
      ++found;
    } else {
      EXPECT_EQ(read, sound) << at;
    }
  }
  EXPECT_GT(found, static_cast<int>(content.size() / 6));
}

}  // namespace
}  // namespace hashrange
