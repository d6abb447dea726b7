// Tests which files of a folder belong to a seed, beyond the cases of seed_test.cc.
#include "control/files/seed_plan.h"

#include <gtest/gtest.h>

#include <string>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

class SeedPlanTest : public test::TransferFixture {
 protected:
  // Returns "label[definition: file file] …", or the error.
  std::string Plan(const fs::path& path) {
    const auto plan = PlanSeed(path.empty() ? folder() : folder() / path);
    if (!plan.ok()) return ResultText(plan.error());
    std::string list;
    for (const SeedTable& table : plan->tables) {
      list.append(list.empty() ? "" : " ").append(table.label).append("[");
      if (table.definition) list.append(Name(table.definition->path)).append(":");
      for (const SeedItems& items : table.items) {
        list.append(" ").append(Name(items.file.path)).append(items.is_csv ? "(csv)" : "");
      }
      list.append("]");
    }
    return list;
  }
  std::string Name(const fs::path& path) { return path.lexically_relative(folder()).string(); }
};

using SeedPlan = SeedPlanTest;

TEST_F(SeedPlan, NamesOfTablesMayHoldDots) {
  for (const char* file : {"a.b.table.json", "a.b.json", "a.b.csv.gz", "a.jsonl"}) Write(file, "");
  EXPECT_EQ(Plan(""), "a[ a.jsonl] a.b[a.b.table.json: a.b.csv.gz(csv) a.b.json]");
}

TEST_F(SeedPlan, AFileAndAFolderOfOneTableAreTakenTogether) {
  for (const char* file : {"app.table.json", "app/1.json", "app/2.csv", "app/deep/3.json"}) {
    Write(file, "");
  }
  EXPECT_EQ(Plan(""), "app[app.table.json: app/1.json app/2.csv(csv)]");
}

TEST_F(SeedPlan, ATablesFolderIsASeed) {
  for (const char* file : {"app/table.json", "app/items.json.gz", "app/.x.json"}) Write(file, "");
  EXPECT_EQ(Plan("app"), "app[app/table.json: app/items.json.gz]");
  EXPECT_EQ(Plan("app/"), "app[app/table.json: app/items.json.gz]");
}

TEST_F(SeedPlan, AFileIsWhatItsNameSays) {
  for (const char* file : {"app.table.json", "app.csv.gz", "odd"}) Write(file, "");
  EXPECT_EQ(Plan("app.table.json"), "app[app.table.json:]");
  EXPECT_EQ(Plan("app.csv.gz"), "app[ app.csv.gz(csv)]");
  EXPECT_EQ(Plan("odd"), "odd[ odd]");
}

TEST_F(SeedPlan, ADumpHasTheTablesItsManifestNames) {
  Write("hashrange-dump.json", R"({"version":1,"tables":["..a","one"]})");
  for (const char* table : {"..a", "one", "stray"}) {
    Write(std::string(table) + "/table.json", "");
    Write(std::string(table) + "/items.json", "");
  }
  EXPECT_EQ(Plan(""), "..a[..a/table.json: ..a/items.json] one[one/table.json: one/items.json]");
  fs::remove(folder() / "one/table.json");
  EXPECT_EQ(Plan(""), "400 one: the table of the dump is not there");
}

TEST_F(SeedPlan, ADumpThatWasNotFinishedIsRefused) {
  Write("in/hashrange-dump.json.partial", "");
  Write("in/app.jsonl", "");
  EXPECT_EQ(Plan("in"), "400 in: a dump into this folder was not finished");
}

TEST_F(SeedPlan, AManifestIsChecked) {
  const struct {
    const char* text;
    const char* why;
  } kCases[] = {
      {"", "it is no JSON: The document is empty. (at byte 1)"},
      {R"({"version":2,"tables":[]})", "it is not of version 1"},
      {R"([])", "it is not of version 1"},
      {R"({"version":1})", "it names no tables"},
      {R"({"version":1,"tables":["../etc"]})", "it names a table with no table's name"},
      {R"({"version":1,"tables":[".."]})", "it names a table with no table's name"},
      {R"({"version":1,"tables":[7]})", "it names a table with no table's name"},
  };
  for (const auto& [text, why] : kCases) {
    Write("in/hashrange-dump.json", text);
    EXPECT_EQ(Plan("in"), std::string("400 in/hashrange-dump.json: ") + why);
  }
}

TEST_F(SeedPlan, AnExportIsChecked) {
  const std::string id = "in/AWSDynamoDB/1/";
  Write(id + "manifest-files.json", "{}");
  EXPECT_EQ(Plan("in"), "400 " + id + "manifest-files.json: it has no dataFileS3Key");
  Write(id + "manifest-files.json", R"({"dataFileS3Key":"AWSDynamoDB/1/data/a.ion.gz"})");
  EXPECT_EQ(Plan("in"), "400 " + id +
                            "manifest-files.json: the export is in Amazon Ion: only DynamoDB JSON "
                            "is read");
  Write(id + "manifest-files.json", R"({"dataFileS3Key":"../../../a.json.gz"})");
  EXPECT_EQ(Plan("in"), "400 " + id + "manifest-files.json: its data file " + id +
                            "data/a.json.gz is not there");
  Write("in/AWSDynamoDB/2/manifest-files.json", "");
  EXPECT_EQ(Plan("in"), "400 in/AWSDynamoDB: there are several exports: name one of them");
}

}  // namespace
}  // namespace hashrange
