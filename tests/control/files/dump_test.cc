#include "control/files/dump.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <regex>
#include <string>
#include <thread>
#include <utility>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

using test::Definition;

class Dump : public test::TransferFixture {
 protected:
  Dump() {
    api_.Ok("CreateTable", Definition("one"));
    api_.Ok("CreateTable", Definition("two"));
    Put("one", "a");
  }
  void Put(const std::string& table, const std::string& key) {
    api_.Ok("PutItem", R"({"TableName":")" + table + R"(","Item":{"PK":{"S":")" + key +
                           R"("},"SK":{"S":"1"},"n":{"N":"7"}}})");
  }
  // Returns the names of the files in the folder, ascending.
  std::string Files(const fs::path& path) {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder() / path)) {
      if (!entry.is_directory()) names.push_back(entry.path().lexically_relative(folder() / path));
    }
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names) list.append(list.empty() ? "" : " ").append(name);
    return list;
  }
};

TEST_F(Dump, FilesHaveTheFormsOfTheService) {
  EXPECT_EQ(DumpInto("out"), "one 1, two 0");
  EXPECT_EQ(Files("out"),
            "hashrange-dump.json one/items.json one/table.json two/items.json two/table.json");
  EXPECT_EQ(Read("out/one/items.json"),
            "{\"Item\":{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"},\"n\":{\"N\":\"7\"}}}\n");
  EXPECT_EQ(Read("out/two/items.json"), "");
  EXPECT_EQ(Read("out/hashrange-dump.json"), "{\"version\":1,\"tables\":[\"one\",\"two\"]}\n");
  EXPECT_TRUE(
      SameJson(Read("out/one/table.json"), api_.Ok("DescribeTable", R"({"TableName":"one"})")));
}

TEST_F(Dump, OneTableMayBeAskedFor) {
  EXPECT_EQ(DumpInto("out", {.table = "one"}), "one 1");
  EXPECT_EQ(Files("out"), "hashrange-dump.json one/items.json one/table.json");
  EXPECT_EQ(DumpInto("other", {.table = "none"}), "404 there is no table none");
  EXPECT_FALSE(fs::exists(folder() / "other"));
}

TEST_F(Dump, PlainJsonAndGzipMayBeAskedFor) {
  EXPECT_EQ(DumpInto("plain", {.table = "one", .format = DataFormat::kJson}), "one 1");
  EXPECT_EQ(Read("plain/one/items.jsonl"), "{\"PK\":\"a\",\"SK\":\"1\",\"n\":7}\n");
  EXPECT_EQ(DumpInto("gzip", {.table = "one", .compresses = true}), "one 1");
  EXPECT_EQ(*ReadWholeFile(folder() / "gzip/one/items.json.gz", 1 << 20),
            "{\"Item\":{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"},\"n\":{\"N\":\"7\"}}}\n");
}

TEST_F(Dump, FoldersAreMadeAndAnEmptyOneIsTaken) {
  EXPECT_EQ(DumpInto("a/b/c"), "one 1, two 0");
  fs::create_directory(folder() / "empty");
  EXPECT_EQ(DumpInto("empty"), "one 1, two 0");
}

TEST_F(Dump, AForeignFolderIsRefusedWithoutOverwrite) {
  Write("mine/notes.txt", "mine");
  Write("mine/one/items.jsonl", "mine");
  EXPECT_EQ(DumpInto("mine"),
            "400 mine: the folder is not empty and holds no dump: to write into it all the same, "
            "say \"overwrite\":true");
  EXPECT_EQ(Files("mine"), "notes.txt one/items.jsonl");
  EXPECT_EQ(DumpInto("mine", {.table = "one", .overwrites = true}), "one 1");
  EXPECT_EQ(Files("mine"), "hashrange-dump.json notes.txt one/items.json one/table.json");
  EXPECT_EQ(Read("mine/notes.txt"), "mine");
  Write("file", "mine");
  EXPECT_EQ(DumpInto("file"), "400 file: it is no folder");
}

TEST_F(Dump, ADumpIsReplacedByTheNext) {
  EXPECT_EQ(DumpInto("out", {.compresses = true}), "one 1, two 0");
  Write("out/notes.txt", "mine");
  Put("one", "b");
  EXPECT_EQ(DumpInto("out", {.table = "one"}), "one 2");
  EXPECT_EQ(Files("out"), "hashrange-dump.json notes.txt one/items.json one/table.json");
  EXPECT_FALSE(fs::exists(folder() / "out/two"));
}

TEST_F(Dump, AFailedDumpLeavesTheEarlierFiles) {
  EXPECT_EQ(DumpInto("out"), "one 1, two 0");
  const std::string items = Read("out/one/items.json");
  Put("one", "b");
  api_.Ok("PutItem",
          R"({"TableName":"two","Item":{"PK":{"S":"a"},"SK":{"S":"1"},"s":{"SS":["x"]}}})");
  const std::string error =
      "400 two: the attribute s holds a set or binary, for which plain JSON has no form: dump it "
      "in the format dynamodb";
  EXPECT_EQ(DumpInto("out", {.format = DataFormat::kJson}), error);
  EXPECT_EQ(Files("out"),
            "hashrange-dump.json one/items.json one/table.json two/items.json two/table.json");
  EXPECT_EQ(Read("out/one/items.json"), items);
  EXPECT_EQ(DumpInto("new/er", {.format = DataFormat::kJson}), error);
  EXPECT_FALSE(fs::exists(folder() / "new"));
}

TEST_F(Dump, AFileThatCannotBeWrittenIsAnError) {
  Write("out/hashrange-dump.json", R"({"version":1,"tables":[]})");
  fs::create_directories(folder() / "out/one/items.json.partial");
  EXPECT_EQ(DumpInto("out"),
            "400 out/one/items.json.partial: it cannot be written: Is a directory");
  EXPECT_EQ(Files("out"), "hashrange-dump.json");
}

TEST_F(Dump, TheItemsOfOneTableMayBeText) {
  OutputBuffer text;
  const DumpRequest request{.table = "one"};
  EXPECT_TRUE(DumpText(parts(), request, text).ok());
  EXPECT_EQ(text.view(),
            "{\"Item\":{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"},\"n\":{\"N\":\"7\"}}}\n");
}

// Returns the text, with each definition cut behind its TableName.
std::string TextOf(DumpOfAll&& dump) {
  std::string text;
  OutputBuffer lines;
  while (dump.Next(lines)) text += lines.view();
  return std::regex_replace(
      text, std::regex(R"((\{"account":"\d+","region":"[^"]*",)[^\n]*("TableName":"[^"]*")[^\n]*)"),
      "$1$2");
}

TEST_F(Dump, AllAccountsAndRegionsAreOneText) {
  api_.SignAs("111122223333", "eu-west-1");
  api_.Ok("CreateTable", Definition("one"));
  Put("one", "b");
  Put("one", "c");
  EXPECT_EQ(TextOf(DumpOfAll(parts())),
            R"({"account":"000000000000","region":"us-east-1","TableName":"one"
{"Item":{"PK":{"S":"a"},"SK":{"S":"1"},"n":{"N":"7"}}}
{"account":"000000000000","region":"us-east-1","TableName":"two"
{"account":"111122223333","region":"eu-west-1","TableName":"one"
{"Item":{"PK":{"S":"b"},"SK":{"S":"1"},"n":{"N":"7"}}}
{"Item":{"PK":{"S":"c"},"SK":{"S":"1"},"n":{"N":"7"}}}
)");
}

TEST_F(Dump, ADefinitionInATextOfAllIsThatOfASeed) {
  OutputBuffer lines;
  DumpOfAll dump(parts());
  ASSERT_TRUE(dump.Next(lines));
  const std::string definition(lines.view().substr(0, lines.view().find('\n')));
  EXPECT_EQ(DumpInto("out"), "one 1, two 0");
  EXPECT_EQ(definition + "\n", R"({"account":"000000000000","region":"us-east-1",)" +
                                   Read("out/one/table.json").substr(1));
}

TEST_F(Dump, ADumpOfAllIsOfItsInstant) {
  DumpOfAll dump(parts());
  Put("one", "b");
  Put("two", "b");
  api_.Ok("DeleteTable", R"({"TableName":"two"})");
  EXPECT_EQ(TextOf(std::move(dump)),
            R"({"account":"000000000000","region":"us-east-1","TableName":"one"
{"Item":{"PK":{"S":"a"},"SK":{"S":"1"},"n":{"N":"7"}}}
{"account":"000000000000","region":"us-east-1","TableName":"two"
)");
}

TEST_F(Dump, PiecesOfADumpOfAllEndWithALine) {
  constexpr int kItems = 3000;
  for (int i = 0; i < kItems; ++i) {
    api_.Ok("PutItem", R"({"TableName":"two","Item":{"PK":{"S":")" + std::to_string(i) +
                           R"("},"SK":{"S":"1"},"x":{"S":")" + std::string(500, 'x') + R"("}}})");
  }
  DumpOfAll dump(parts());
  OutputBuffer lines;
  int pieces = 0;
  std::ptrdiff_t count = 0;
  for (; dump.Next(lines); ++pieces) {
    EXPECT_TRUE(lines.view().ends_with('\n'));
    count += std::ranges::count(lines.view(), '\n');
  }
  EXPECT_EQ(count, 2 + 1 + kItems);
  EXPECT_EQ(pieces, 7);
}

TEST_F(Dump, WhatChangesTheContentOfAllTablesIsSeen) {
  const auto changes = [&](const auto& change) {
    const DumpOfAll before(parts());
    const DumpOfAll same(parts());
    EXPECT_TRUE(same.HasSameContent(before));
    change();
    return !DumpOfAll(parts()).HasSameContent(before);
  };
  EXPECT_FALSE(changes([&] { api_.Ok("Scan", R"({"TableName":"one"})"); }));
  EXPECT_FALSE(changes([&] { Put("one", "a"); }));  // as it was
  EXPECT_TRUE(changes([&] {                         // of the same size
    api_.Ok("PutItem",
            R"({"TableName":"one","Item":{"PK":{"S":"a"},"SK":{"S":"1"},"n":{"N":"8"}}})");
  }));
  EXPECT_TRUE(changes([&] { Put("two", "a"); }));
  EXPECT_TRUE(changes([&] {
    api_.Ok("TagResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/one",)"
                           R"("Tags":[{"Key":"a","Value":"b"}]})");
  }));
  EXPECT_TRUE(changes([&] {
    api_.Ok(
        "UpdateTimeToLive",
        R"({"TableName":"one","TimeToLiveSpecification":{"AttributeName":"t","Enabled":true}})");
  }));
  EXPECT_TRUE(changes([&] { api_.Ok("CreateTable", Definition("three")); }));
  EXPECT_TRUE(changes([&] { api_.Ok("DeleteTable", R"({"TableName":"three"})"); }));
}

// Each transaction writes the same item to two tables, so the tables are alike in a dump.
TEST_F(Dump, DumpIsOfOneInstant) {
  std::atomic<bool> is_done{false};
  std::thread writer([&] {
    for (int i = 0; !is_done; ++i) {
      const std::string n = std::to_string(i);
      const auto put = [&](const std::string& table) {
        return R"({"Put":{"TableName":")" + table + R"(","Item":{"PK":{"S":"t)" + n +
               R"("},"SK":{"S":"1"}}}})";
      };
      api_.Ok("TransactWriteItems", R"({"TransactItems":[)" + put("one") + "," + put("two") + "]}");
    }
  });
  for (int round = 0; round < 20; ++round) {
    const auto dumped = hashrange::Dump(parts(), {}, folder() / "out");
    ASSERT_TRUE(dumped.ok());
    EXPECT_EQ((*dumped)[0].items, (*dumped)[1].items + 1);
  }
  is_done = true;
  writer.join();
}

}  // namespace
}  // namespace hashrange
