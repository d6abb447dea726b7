#include "cli/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "cli/stored_files.h"

namespace hashrange {
namespace {

TEST(OutputFile, TheOldContentIsReplacedWhenTheNewOneIsWritten) {
  const StoredFiles files;
  const std::string name = files.Add("result", "an old and long text");
  {
    Result<OutputFile> file = OutputFile::Open(name);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(files.Content("result"), "an old and long text");
    ASSERT_TRUE(file->Write("new").ok());
  }
  EXPECT_EQ(files.Content("result"), "new");
}

TEST(OutputFile, WithoutAResultEverythingStays) {
  const StoredFiles files;
  const std::string old = files.Add("old", "text");
  {
    const Result<OutputFile> first = OutputFile::Open(old);
    const Result<OutputFile> second = OutputFile::Open(files.Path("new"));
    EXPECT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(files.Content("new"), "none");
  }
  EXPECT_EQ(files.Content("old"), "text");
  EXPECT_EQ(files.Content("new"), "none");
}

TEST(OutputFile, ANewFileIsThereWhenItIsComplete) {
  const StoredFiles files;
  for (const char* text : {"", "text"}) {
    Result<OutputFile> file = OutputFile::Open(files.Path("new"));
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Write(text).ok());
    EXPECT_EQ(files.Content("new"), text);
    std::filesystem::remove(files.Path("new"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(files.Path("")));
}

TEST(OutputFile, WhereANewFileCannotBeNamedNothingIsLeft) {
  const StoredFiles files;
  Result<OutputFile> file = OutputFile::Open(files.Path("new"));
  ASSERT_TRUE(file.ok());
  std::filesystem::create_directory(files.Path("new"));
  const Status written = file->Write("text");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write " + files.Path("new") + ": Is a directory");
  std::filesystem::remove(files.Path("new"));
  EXPECT_TRUE(std::filesystem::is_empty(files.Path("")));
}

TEST(OutputFile, AMadeFileThatCannotBeWrittenIsNotLeft) {
  const StoredFiles files;
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  {
    Result<OutputFile> file = OutputFile::Make(files.Path("new"));
    ASSERT_TRUE(file.ok());
    const rlimit nothing = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &nothing), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const Status written = file->Write("text");
    std::signal(SIGXFSZ, handler);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().message, "cannot write " + files.Path("new") + ": File too large");
  }
  EXPECT_TRUE(std::filesystem::is_empty(files.Path("")));
}

TEST(OutputFile, AFileThatIsThereIsNotMade) {
  const StoredFiles files;
  const std::string name = files.Add("result", "old");
  const Result<OutputFile> refused = OutputFile::Make(name);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "cannot write " + name + ": File exists");
  EXPECT_EQ(files.Content("result"), "old");
  {
    Result<OutputFile> made = OutputFile::Make(files.Path("new"));
    ASSERT_TRUE(made.ok());
    ASSERT_TRUE(made->Write("text").ok());
  }
  EXPECT_EQ(files.Content("new"), "text");
}

TEST(OutputFile, WhatCannotBeWrittenIsNamed) {
  const StoredFiles files;
  const std::string name = files.Path("no/such/folder");
  const Result<OutputFile> file = OutputFile::Open(name);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "cannot write " + name + ": No such file or directory");
  const std::string folder = files.Path("folder/");
  const Result<OutputFile> directory = OutputFile::Open(folder);
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().message, "cannot write " + folder + ": Is a directory");
  Result<OutputFile> full = OutputFile::Open("/dev/full");
  ASSERT_TRUE(full.ok());
  const Status written = full->Write("text");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
}

}  // namespace
}  // namespace hashrange
