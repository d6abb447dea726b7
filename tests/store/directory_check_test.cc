#include "store/directory_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include "store/files/file_names.h"
#include "store/stored_directory.h"

namespace hashrange {
namespace {

using test::ContentOf;
using test::KeysOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class DirectoryCheckTest : public test::StoredDirectory {
 protected:
  // Checks the directory, whose tables have the key "pk".
  DirectoryReport Check() {
    const RecordRules rules = {[](std::string_view record) -> Result<KeySchema> {
                                 if (record != "pk") return InternalError("no schema");
                                 return KeysOf("pk");
                               },
                               [](const StoreKeyParts&, std::string_view value) -> Status {
                                 return value == "bad" ? Status(InternalError("no sense"))
                                                       : Status();
                               }};
    auto report = CheckDirectory("d", rules, &disk_);
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? *std::move(report) : DirectoryReport();
  }
};

TEST_F(DirectoryCheckTest, CheckCountsWhatIsSound) {
  Store({1, 2}, 5);
  StoreBytes(std::string(StoreKey::OfStreamRecord(1, 0, 1).bytes()), "record");
  StoreBytes(std::string(StoreKey::OfCounter(1).bytes()), "counter");
  // The record of table 2 is removed; its items are left.
  ASSERT_TRUE(Open()->db()->Delete({}, std::string(StoreKey::OfTable(2).bytes())).ok());
  const DirectoryReport report = Check();
  EXPECT_THAT(report.damages, IsEmpty());
  EXPECT_THAT(report.damaged_ends, IsEmpty());
  EXPECT_EQ(report.damage_count, 0u);
  EXPECT_EQ(report.tables, 1u);
  EXPECT_EQ(report.items, 5u);
  EXPECT_EQ(report.left_items, 5u);
  EXPECT_EQ(report.stream_records, 1u);
  EXPECT_EQ(report.other_records, 1u);
  EXPECT_GT(report.bytes_on_disk, 300u);
}

// The items of a seed that was interrupted are no rest of a deleted table, as long as its table is.
TEST_F(DirectoryCheckTest, ItemsOfASeedAreItemsOfItsTable) {
  Store({1, 2, 3}, 5);
  for (const std::uint64_t id : {2, 3}) {
    ASSERT_TRUE(Open()->db()->Delete({}, std::string(StoreKey::OfTable(id).bytes())).ok());
  }
  StoreBytes(std::string(StoreKey::OfSeed(2, 1).bytes()), "seed");
  StoreBytes(std::string(StoreKey::OfSeed(3, 9).bytes()), "seed of a table that is gone");
  const DirectoryReport report = Check();
  EXPECT_THAT(report.damages, IsEmpty());
  EXPECT_EQ(report.items, 10u);
  EXPECT_EQ(report.left_items, 5u);
  EXPECT_EQ(report.other_records, 2u);
  ASSERT_TRUE(CompactDirectory("d", &disk_).ok());
  const DirectoryReport compacted = Check();
  EXPECT_EQ(compacted.items, 10u);
}

TEST_F(DirectoryCheckTest, CheckNamesAllDamage) {
  Store({1}, 5);
  std::string item;
  AppendItemKey(1, 5, "k", &item);
  StoreBytes(item, "x");
  StoreBytes("X", "x");
  StoreBytes(std::string(StoreKey::OfTable(3).bytes()), "other");
  StoreBytes(std::string(StoreKey::OfCounter(1).bytes()), "bad");
  const DirectoryReport report = Check();
  EXPECT_THAT(
      report.damages,
      ElementsAre("the table with id 3 is damaged: no schema", "counter 1 is damaged: no sense",
                  "an item of the table with id 1 (key 00000000000000056b) is damaged: its "
                  "key is damaged",
                  "there is unknown data (key 58)"));
  EXPECT_EQ(report.damage_count, 4u);
}

TEST_F(DirectoryCheckTest, CheckNamesADamagedEndAndLeavesIt) {
  Store({1}, 5);
  Open();
  Store({1}, 5, 20);
  const std::string log = FileThatEndsWith(".log");
  const std::uint64_t sound_bytes = disk_.Content(log).size();
  disk_.SetContent(log, disk_.Content(log) + "torn");
  std::map<std::string, std::string> contents;
  for (const std::string& name : disk_.FilesIn("d")) contents[name] = disk_.Content("d/" + name);
  const DirectoryReport report = Check();
  ASSERT_EQ(report.damaged_ends.size(), 1u);
  EXPECT_EQ(report.damaged_ends[0].kept_bytes, sound_bytes);
  EXPECT_EQ(report.damaged_ends[0].cut_bytes, 4u);
  EXPECT_EQ(report.tables, 1u);
  EXPECT_EQ(report.items, 5u);
  for (const auto& [name, content] : contents)
    EXPECT_EQ(disk_.Content("d/" + name), content) << name;
}

// Each write to the disk would fail.
TEST_F(DirectoryCheckTest, CheckWritesNothing) {
  Store({1}, 5);
  Open();
  Store({1}, 5, 20);
  disk_.RemoveFile("d/HASHRANGE.lock");
  const auto files = disk_.FilesIn("d");
  const int flushes = disk_.flushes();
  disk_.SetFaults({.every_nth_change = 1});
  const DirectoryReport report = Check();
  EXPECT_EQ(report.items, 5u);
  EXPECT_EQ(report.damage_count, 0u);
  EXPECT_EQ(disk_.FilesIn("d"), files);
  EXPECT_EQ(disk_.flushes(), flushes);
}

TEST_F(DirectoryCheckTest, ADirectoryInUseIsLeftAlone) {
  const auto directory = Open();
  const auto checked = CheckDirectory("d", RecordRules(), &disk_);
  const auto repaired = RepairDirectory("d", &disk_);
  ASSERT_FALSE(checked.ok() || repaired.ok());
  EXPECT_EQ(checked.error().message, "d is used by another server");
  EXPECT_EQ(repaired.error().message, "d is used by another server");
  EXPECT_EQ(repaired.error().code, ErrorCode::kValidationException);
}

TEST_F(DirectoryCheckTest, CheckReportsFilesWithoutWhichNothingCanBeRead) {
  Store({1}, 5);
  const std::string current = disk_.Content("d/CURRENT");
  const std::string manifest = current.substr(0, current.size() - 1);
  for (const auto& [name, sentence] :
       {std::pair{std::string("CURRENT"), std::string("d/CURRENT is damaged")},
        std::pair{manifest, "d/" + manifest + " is damaged"},
        std::pair{std::string("HASHRANGE"), std::string("d/HASHRANGE is damaged")}}) {
    const std::string sound = disk_.Content("d/" + name);
    disk_.SetContent("d/" + name, "");
    const DirectoryReport report = Check();
    EXPECT_TRUE(report.is_unreadable);
    EXPECT_THAT(report.damages, ElementsAre(sentence));
    EXPECT_FALSE(RepairDirectory("d", &disk_).ok());
    disk_.SetContent("d/" + name, sound);
  }
}

// A log and a table are damaged: the log is not cut, as that would not make the directory usable.
TEST_F(DirectoryCheckTest, ARepairThatCannotSucceedChangesNothing) {
  Store({1}, 5);
  Open();
  Store({1}, 5, 20);
  const std::string log = FileThatEndsWith(".log");
  const std::string content = disk_.Content(log);
  disk_.SetContent(log, content.substr(0, content.size() - 1));
  const std::string table = FileThatEndsWith(".ldb");
  disk_.Flip(table, 20);
  const auto files = disk_.FilesIn("d");
  const auto repaired = RepairDirectory("d", &disk_);
  ASSERT_FALSE(repaired.ok());
  EXPECT_THAT(repaired.error().message, StartsWith(table + " is damaged: "));
  EXPECT_EQ(disk_.FilesIn("d"), files);
  const DirectoryReport report = Check();
  EXPECT_EQ(report.damaged_ends.size(), 1u);
}

TEST_F(DirectoryCheckTest, ARepairedDirectoryCanBeOpened) {
  Store({1}, 5);
  const std::string log = FileThatEndsWith(".log");
  const std::string content = disk_.Content(log);
  disk_.SetContent(log, content.substr(0, content.size() - 1));
  EXPECT_THAT(Refusal(), StartsWith(log + " is damaged from byte "));
  const auto repaired = RepairDirectory("d", &disk_);
  ASSERT_TRUE(repaired.ok()) << repaired.error().message;
  ASSERT_EQ(repaired->size(), 1u);
  EXPECT_EQ(disk_.Content("d/" + repaired->front().kept_as),
            content.substr(repaired->front().kept_bytes, repaired->front().cut_bytes));
  EXPECT_EQ(Refusal(), "");
  EXPECT_THAT(*RepairDirectory("d", &disk_), IsEmpty());
}

TEST_F(DirectoryCheckTest, CheckNamesTheDamagedFile) {
  Store({1}, 5);
  Open();
  const std::string table = FileThatEndsWith(".ldb");
  disk_.Flip(table, 20);
  const DirectoryReport report = Check();
  EXPECT_THAT(report.damages,
              testing::Contains(StartsWith(std::string(NameInPath(table)) + " is damaged: ")));
}

TEST_F(DirectoryCheckTest, CompactionDropsWhatIsReplacedAndRemoved) {
  Store({1, 2}, 200, 500);
  Store({1, 2}, 200, 501);
  ASSERT_TRUE(Open()->db()->Delete({}, std::string(StoreKey::OfTable(2).bytes())).ok());
  auto sound = ContentOf(*Open());
  std::erase_if(sound, [](const auto& entry) {
    return entry.first.starts_with(std::string("I\0\0\0\0\0\0\0\2", 9));
  });
  const auto report = CompactDirectory("d", &disk_);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_LT(report->bytes_after, report->bytes_before);
  EXPECT_EQ(ContentOf(*Open()), sound);
}

}  // namespace
}  // namespace hashrange
