#include "base/file_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "support/temporary_folder.h"

namespace hashrange {
namespace {

class FileText : public testing::Test {
 protected:
  std::string Path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  std::string Add(std::string_view name, std::string_view text) const {
    std::ofstream(Path(name)) << text;
    return Path(name);
  }

  const test::TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
};

// Returns the content, or the sentence of the error.
std::string TextOrError(const Result<std::string>& read) {
  if (!read.ok()) {
    EXPECT_EQ(read.error().code, ErrorCode::kValidationException);
  }
  return read.ok() ? *read : read.error().message;
}

TEST_F(FileText, AFileIsReadWhole) {
  const std::string long_text(200'000, 'x');
  EXPECT_EQ(TextOrError(ReadFileText(Add("long", long_text))), long_text);
  EXPECT_EQ(TextOrError(ReadFileText(Add("zeros", std::string_view("a\0b", 3)))),
            std::string("a\0b", 3));
  EXPECT_EQ(TextOrError(ReadFileText(Add("empty", ""))), "");
}

TEST_F(FileText, AFileHasAtMostSoManyBytes) {
  const std::string file = Add("file", std::string(1024, 'x'));
  EXPECT_EQ(TextOrError(ReadFileText(file, 1024)), std::string(1024, 'x'));
  EXPECT_EQ(TextOrError(ReadFileText(Add("larger", std::string(1025, 'x')), 1024)),
            "cannot read " + Path("larger") + ": it is larger than 1 KB");
  std::filesystem::resize_file(file, kMaxFileTextBytes);
  EXPECT_EQ(TextOrError(ReadFileText(file)).size(), kMaxFileTextBytes);
  std::filesystem::resize_file(file, kMaxFileTextBytes + 1);
  EXPECT_EQ(TextOrError(ReadFileText(file)), "cannot read " + file + ": it is larger than 16 MB");
}

TEST_F(FileText, WhyAFileIsNotReadIsSaid) {
  EXPECT_EQ(TextOrError(ReadFileText(Path("none"))),
            "cannot read " + Path("none") + ": No such file or directory");
  EXPECT_EQ(TextOrError(ReadFileText(folder_)), "cannot read " + folder_ + ": Is a directory");
  EXPECT_EQ(TextOrError(ReadFileText(Add("file", "") + "/x")),
            "cannot read " + Path("file") + "/x: Not a directory");
}

TEST_F(FileText, OnlyTheEmptyDeviceIsRead) {
  EXPECT_EQ(TextOrError(ReadFileText("/dev/null")), "");
  EXPECT_EQ(TextOrError(ReadFileText("/dev/null", 10, FileKinds::kFile)), "");
  EXPECT_EQ(TextOrError(ReadFileText("/dev/zero")),
            "cannot read /dev/zero: it is neither a file nor a pipe");
  EXPECT_EQ(TextOrError(ReadFileText("/dev/zero", 10, FileKinds::kFile)),
            "cannot read /dev/zero: it is no file");
}

TEST_F(FileText, APipeIsReadToItsEndWherePipesAreRead) {
  const std::string pipe = Path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Nobody writes, and nobody waits.
  EXPECT_EQ(TextOrError(ReadFileText(pipe, 10, FileKinds::kFile)),
            "cannot read " + pipe + ": it is no file");
  std::thread writer([&pipe] { std::ofstream(pipe) << "one " << std::flush << "two"; });
  EXPECT_EQ(TextOrError(ReadFileText(pipe)), "one two");
  writer.join();
}

}  // namespace
}  // namespace hashrange
