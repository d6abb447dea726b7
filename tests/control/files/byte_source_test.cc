#include "control/files/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

class ByteSource : public test::TransferFixture {
 protected:
  // Returns the content, read in pieces of `piece` bytes, or the error.
  std::string Content(const std::string& file, std::size_t piece = 7) {
    auto source = OpenFile(folder() / file);
    if (!source.ok()) return ResultText(source.error());
    std::string content;
    for (;;) {
      std::string room(piece, '\0');
      const auto bytes = (*source)->Read({room.data(), room.size()});
      if (!bytes.ok()) return ResultText(bytes.error());
      if (*bytes == 0) return content;
      content.append(room, 0, *bytes);
    }
  }
};

std::string Lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

TEST_F(ByteSource, AFileIsReadAsItIs) {
  Write("a.json", Lines(100));
  EXPECT_EQ(Content("a.json"), Lines(100));
  EXPECT_EQ(Content("a.json", 1 << 20), Lines(100));
}

TEST_F(ByteSource, AnEmptyFileHasNoBytes) {
  Write("a.json", "");
  EXPECT_EQ(Content("a.json"), "");
}

TEST_F(ByteSource, GzipIsSeenInTheContent) {
  Write("a.json.gz", test::Gzipped(Lines(30'000)));
  Write("b.json", test::Gzipped(Lines(10)));
  EXPECT_EQ(Content("a.json.gz", 1000), Lines(30'000));
  EXPECT_EQ(Content("b.json"), Lines(10));
}

TEST_F(ByteSource, SeveralGzipMembersAreOneFile) {
  Write("a.gz", test::Gzipped("one ") + test::Gzipped("") + test::Gzipped("two"));
  EXPECT_EQ(Content("a.gz"), "one two");
  EXPECT_EQ(Content("a.gz", 1), "one two");
}

TEST_F(ByteSource, BrokenGzipIsAnError) {
  const std::string whole = test::Gzipped(Lines(1000));
  Write("short.gz", whole.substr(0, whole.size() / 2));
  Write("trailer.gz", whole.substr(0, whole.size() - 3));
  std::string changed = whole;
  changed[whole.size() - 5] ^= 1;  // of the CRC
  Write("crc.gz", changed);
  Write("behind.gz", whole + "text");
  EXPECT_EQ(Content("short.gz"), "400 its gzip data ends before its end");
  EXPECT_EQ(Content("trailer.gz"), "400 its gzip data ends before its end");
  EXPECT_EQ(Content("crc.gz"), "400 its gzip data is broken: incorrect data check");
  EXPECT_EQ(Content("behind.gz"), "400 its gzip data is broken: incorrect header check");
}

TEST_F(ByteSource, AFileNamedGzMustBeGzip) {
  Write("a.gz", "plain");
  Write("empty.gz", "");
  EXPECT_EQ(Content("a.gz"), "400 it is named .gz and is no gzip file");
  EXPECT_EQ(Content("empty.gz"), "400 it is named .gz and is no gzip file");
}

TEST_F(ByteSource, OnlyRegularFilesAreRead) {
  fs::create_directory(folder() / "d");
  ASSERT_EQ(mkfifo((folder() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(Content("d"), "400 it is no regular file");
  EXPECT_EQ(Content("pipe"), "400 it is no regular file");
  EXPECT_EQ(Content("nothing"), "404 there is no such file");
}

TEST_F(ByteSource, LinksAreFollowed) {
  Write("a", "text");
  fs::create_symlink("a", folder() / "link");
  fs::create_symlink("gone", folder() / "dangling");
  fs::create_symlink("loop", folder() / "loop");
  EXPECT_EQ(Content("link"), "text");
  EXPECT_EQ(Content("dangling"), "404 there is no such file");
  EXPECT_EQ(Content("loop"), "400 it cannot be read: Too many levels of symbolic links");
}

TEST_F(ByteSource, AFileThatMayNotBeReadIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  Write("a", "text");
  fs::permissions(folder() / "a", fs::perms::none);
  EXPECT_EQ(Content("a"), "400 it cannot be read: Permission denied");
}

TEST_F(ByteSource, AWholeFileHasALimit) {
  Write("a", std::string(200'000, 'x'));
  Write("bomb.gz", test::Gzipped(std::string(32 << 20, ' ')));
  EXPECT_EQ(*ReadWholeFile(folder() / "a", 200'000), std::string(200'000, 'x'));
  const auto bomb = ReadWholeFile(folder() / "bomb.gz", 1 << 20);
  ASSERT_FALSE(bomb.ok());
  EXPECT_EQ(bomb.error().message, "it is larger than 1 MB");
}

}  // namespace
}  // namespace hashrange
