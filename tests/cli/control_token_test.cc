#include "cli/control_token.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace hashrange {
namespace {

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
  std::string Read(const CommandLine& line) {
    std::string error;
    const std::string token = ReadControlToken(line, &error);
    return error.empty() ? token : "error: " + error;
  }
  CommandLine FileOf(const std::string& text) {
    std::ofstream(file_) << text;
    CommandLine line;
    line.control_token_file = file_.string();
    return line;
  }

  const std::filesystem::path file_;
};

TEST_F(ControlToken, IsTakenFromWhereItIsSaid) {
  CommandLine line;
  EXPECT_EQ(Read(line), "");
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(Read(line), "of the variable");
  EXPECT_EQ(Read(FileOf("of the file\r\n")), "of the file");
  line.control_token = "of the command line";
  EXPECT_EQ(Read(line), "of the command line");
  setenv("HASHRANGE_TOKEN", "", 1);
  EXPECT_EQ(Read(CommandLine()), "");
}

TEST_F(ControlToken, AFileWithoutOneIsAnError) {
  setenv("HASHRANGE_TOKEN", "of the variable", 1);
  EXPECT_EQ(Read(FileOf(" \n")),
            "error: --control-token-file: " + file_.string() + " holds no token");
  CommandLine line;
  line.control_token_file = "/nowhere/at/all";
  EXPECT_EQ(Read(line), "error: --control-token-file: /nowhere/at/all: No such file or directory");
}

}  // namespace
}  // namespace hashrange
