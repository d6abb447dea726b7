#include "cli/serving_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace hashrange {
namespace {

TEST(ServingProcess, ProgressTellsWhatWasDone) {
  EXPECT_EQ(SeedProgressText(0, 0), "Seeding: 0 items read");
  EXPECT_EQ(SeedProgressText(431'000, 0), "Seeding: 431,000 items read");
  EXPECT_EQ(SeedProgressText(431'000, 12'000), "Seeding: 431,000 items read, 12,000 stored");
}

TEST(ServingProcess, OneLineTellsWhatWasLoaded) {
  EXPECT_EQ(LoadedText("Seeded", {2, 1'000'000, "fixtures/", 1.94}),
            "Seeded 2 tables with 1,000,000 items from fixtures/ in 1.9 s");
  EXPECT_EQ(LoadedText("Seeded", {1, 1, "users.jsonl", 0.0042}),
            "Seeded 1 table with 1 item from users.jsonl in 0.004 s");
  EXPECT_EQ(LoadedText("Loaded", {1, 0, "users.table.json", 12}),
            "Loaded 1 table with 0 items from users.table.json in 12.0 s");
}

class ControlToken : public testing::Test {
 protected:
  ControlToken()
      : file_(std::filesystem::temp_directory_path() /
              ("hashrange-token-" + std::to_string(getpid()))) {
    unsetenv("HASHRANGE_TOKEN");
  }
  ~ControlToken() override {
    std::filesystem::remove(file_);
    unsetenv("HASHRANGE_TOKEN");
  }
  std::string TokenOrError(const CommandLine& line) {
    std::string error;
    const std::string token = ReadControlToken(line, &error);
    return error.empty() ? token : "error: " + error;
  }
  CommandLine LineWithTokenFile(const std::string& text) {
    std::ofstream(file_) << text;
    CommandLine line;
    line.control_token_file = file_.string();
    return line;
  }

  const std::filesystem::path file_;
};

TEST_F(ControlToken, IsTakenFromOptionFileOrVariable) {
  CommandLine line;
  EXPECT_EQ(TokenOrError(line), "");
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(TokenOrError(line), "of the variable");
  EXPECT_EQ(TokenOrError(LineWithTokenFile("of the file\r\n")), "of the file");
  line.server.control_token = "of the command line";
  EXPECT_EQ(TokenOrError(line), "of the command line");
  setenv("HASHRANGE_TOKEN", "", 1);
  EXPECT_EQ(TokenOrError(CommandLine()), "");
}

TEST_F(ControlToken, AFileWithoutOneIsAnError) {
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(TokenOrError(LineWithTokenFile(" \n")),
            "error: --control-token-file: " + file_.string() + " holds no token");
  CommandLine line;
  line.control_token_file = "/nowhere/at/all";
  EXPECT_EQ(TokenOrError(line),
            "error: --control-token-file: cannot read /nowhere/at/all: No such file or directory");
}

}  // namespace
}  // namespace hashrange
