#include "cli/data/data_commands.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "hashrange/database.h"
#include "support/temporary_folder.h"

namespace hashrange {
namespace {

namespace fs = std::filesystem;

class DataCommands : public testing::Test {
 protected:
  DataCommands() {
    std::string error;
    const auto database = Database::Open({.data_directory = data()}, &error);
    EXPECT_TRUE(database) << error;
    database->Call("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]})");
    for (int i = 0; i < 50; ++i) {
      database->Call("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"item )" +
                                    std::to_string(i) + R"("}}})");
    }
  }

  std::string data() const { return folder_.path() / "data"; }

  // Returns the greatest file of that ending, which has the items.
  fs::path GreatestFile(const std::string& ending) const {
    fs::path greatest;
    for (const auto& file : fs::directory_iterator(data())) {
      if (file.path().extension() != ending) continue;
      if (greatest.empty() || file.file_size() > fs::file_size(greatest)) greatest = file.path();
    }
    return greatest;
  }

  // Returns the exit code, and what is printed.
  std::string Compact() const {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = RunCompact(data());
    return std::to_string(code) + " " + testing::internal::GetCapturedStdout() +
           testing::internal::GetCapturedStderr();
  }

  const test::TemporaryFolder folder_;
};

TEST_F(DataCommands, SoundDataAreCompacted) {
  EXPECT_TRUE(Compact().starts_with("0 " + data() + ": ")) << Compact();
}

// A compaction would cut the end off without a word, and what a start says of it would be lost.
TEST_F(DataCommands, ADamagedEndIsNotCompacted) {
  const fs::path log = GreatestFile(".log");
  const auto bytes = fs::file_size(log) - 7;
  fs::resize_file(log, bytes);
  EXPECT_EQ(Compact(), "1 hashrange: " + data() + " is damaged, and was not compacted; hashrange " +
                           "check " + data() + " shows where\n");
  EXPECT_EQ(fs::file_size(log), bytes);
}

TEST_F(DataCommands, DamagedDataAreNotCompacted) {
  Compact();  // the items are in a table then
  const fs::path table = GreatestFile(".ldb");
  ASSERT_FALSE(table.empty());
  {
    std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(40);
    file.put('\xff');
  }
  EXPECT_EQ(Compact(), "1 hashrange: " + data() + " is damaged, and was not compacted; hashrange " +
                           "check " + data() + " shows where\n");
}

}  // namespace
}  // namespace hashrange
