#include "store/directory_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include "store/stored_directory.h"

namespace hashrange {
namespace {

using test::ContentOf;
using test::KeysOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

using DirectoryCheckTest = test::StoredDirectory;

RecordRules Rules() {
  return {[](std::string_view record) -> Result<KeySchema> {
            if (record != "pk") return StoreError("no schema");
            return KeysOf("pk");
          },
          [](const StoreKeyParts&, std::string_view value) -> Status {
            return value == "bad" ? Status(StoreError("no sense")) : Status();
          }};
}

TEST_F(DirectoryCheckTest, CheckCountsWhatIsSound) {
  Store({1, 2}, 5);
  StoreBytes(std::string(StoreKey::OfStreamRecord(1, 0, 1).bytes()), "record");
  StoreBytes(std::string(StoreKey::OfCounter(1).bytes()), "counter");
  // The record of table 2 is removed; its items are left.
  ASSERT_TRUE(Open()->db()->Delete({}, std::string(StoreKey::OfTable(2).bytes())).ok());
  const auto report = CheckDirectory("d", Rules(), &disk_);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(report->damages, IsEmpty());
  EXPECT_THAT(report->damaged_ends, IsEmpty());
  EXPECT_EQ(report->damage_count, 0u);
  EXPECT_EQ(report->tables, 1u);
  EXPECT_EQ(report->items, 5u);
  EXPECT_EQ(report->left_items, 5u);
  EXPECT_EQ(report->stream_records, 1u);
  EXPECT_EQ(report->other_records, 1u);
  EXPECT_GT(report->bytes_on_disk, 300u);
}

// The items of a seed that was interrupted are no rest of a deleted table, as long as its table is.
TEST_F(DirectoryCheckTest, ItemsOfASeedAreItemsOfItsTable) {
  Store({1, 2, 3}, 5);
  for (const std::uint64_t id : {2, 3}) {
    ASSERT_TRUE(Open()->db()->Delete({}, std::string(StoreKey::OfTable(id).bytes())).ok());
  }
  StoreBytes(std::string(StoreKey::OfSeed(2, 1).bytes()), "seed");
  StoreBytes(std::string(StoreKey::OfSeed(3, 9).bytes()), "seed of a table that is gone");
  const auto report = CheckDirectory("d", Rules(), &disk_);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(report->damages, IsEmpty());
  EXPECT_EQ(report->items, 10u);
  EXPECT_EQ(report->left_items, 5u);
  EXPECT_EQ(report->other_records, 2u);
  ASSERT_TRUE(CompactDirectory("d", &disk_).ok());
  const auto compacted = CheckDirectory("d", Rules(), &disk_);
  EXPECT_EQ(compacted->items, 10u);
}

TEST_F(DirectoryCheckTest, CheckNamesAllDamage) {
  Store({1}, 5);
  std::string item;
  AppendItemKey(1, 5, "k", &item);
  StoreBytes(item, "x");
  StoreBytes("X", "x");
  StoreBytes(std::string(StoreKey::OfTable(3).bytes()), "other");
  StoreBytes(std::string(StoreKey::OfCounter(1).bytes()), "bad");
  const auto report = CheckDirectory("d", Rules(), &disk_);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_THAT(
      report->damages,
      ElementsAre("the table with id 3 is damaged: no schema", "counter 1 is damaged: no sense",
                  "an item of the table with id 1 (key 00000000000000056b) is damaged: its "
                  "key is damaged",
                  "there is unknown data (key 58)"));
  EXPECT_EQ(report->damage_count, 4u);
}

TEST_F(DirectoryCheckTest, CheckNamesADamagedEndAndLeavesIt) {
  Store({1}, 5);
  Open();
  Store({1}, 5, 20);
  std::map<std::string, std::string> contents;
  std::uint64_t sound_bytes = 0;
  for (const std::string& name : disk_.FilesIn("d")) {
    if (name.ends_with(".log")) {
      sound_bytes = disk_.Content("d/" + name).size();
      disk_.SetContent("d/" + name, disk_.Content("d/" + name) + "torn");
    }
    contents[name] = disk_.Content("d/" + name);
  }
  const auto report = CheckDirectory("d", Rules(), &disk_);
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->damaged_ends.size(), 1u);
  EXPECT_EQ(report->damaged_ends[0].kept_bytes, sound_bytes);
  EXPECT_EQ(report->damaged_ends[0].cut_bytes, 4u);
  EXPECT_EQ(report->tables, 0u);
  for (const auto& [name, content] : contents)
    EXPECT_EQ(disk_.Content("d/" + name), content) << name;
}

TEST_F(DirectoryCheckTest, CheckNamesTheDamagedFile) {
  Store({1}, 5);
  Open();
  for (const std::string& name : disk_.FilesIn("d")) {
    if (!name.ends_with(".ldb")) continue;
    std::string content = disk_.Content("d/" + name);
    content[20] = static_cast<char>(content[20] ^ 1);
    disk_.SetContent("d/" + name, content);
    const auto report = CheckDirectory("d", Rules(), &disk_);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_THAT(report->damages, testing::Contains(StartsWith(name + " is damaged: ")));
  }
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
