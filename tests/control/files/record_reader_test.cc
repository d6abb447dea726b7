#include "control/files/record_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

struct Blocks {
  std::vector<std::pair<std::uint64_t, std::string>> blocks;  // first line, text
  std::string error;

  std::string text() const {
    std::string all;
    for (const auto& block : blocks) all += block.second;
    return all;
  }
};

Blocks ReadAll(std::string_view text, bool is_csv, std::size_t block_bytes) {
  RecordReader reader(OpenText(text), is_csv, block_bytes);
  Blocks read;
  RecordBlock block;
  for (;;) {
    const auto has_block = reader.Next(&block);
    if (!has_block.ok()) {
      read.error = std::to_string(reader.line()) + ": " + has_block.error().message;
      return read;
    }
    if (!*has_block) return read;
    read.blocks.emplace_back(block.first_line, block.bytes.view());
  }
}

TEST(RecordReader, BlocksHoldWholeLines) {
  const Blocks read = ReadAll("one\ntwo\nthree\nfour", false, 9);
  const std::vector<std::pair<std::uint64_t, std::string>> expected = {
      {1, "one\ntwo\n"}, {3, "three\n"}, {4, "four"}};
  EXPECT_EQ(read.blocks, expected);
  EXPECT_EQ(read.error, "");
}

TEST(RecordReader, ALineLongerThanABlockIsWhole) {
  const std::string text = "a\n" + std::string(1000, 'x') + "\nb\n";
  const Blocks read = ReadAll(text, false, 16);
  EXPECT_EQ(read.text(), text);
  for (const auto& [line, block] : read.blocks) EXPECT_EQ(block.back(), '\n');
}

TEST(RecordReader, AnEmptyFileHasNoBlock) { EXPECT_TRUE(ReadAll("", false, 16).blocks.empty()); }

TEST(RecordReader, AByteOrderMarkIsLeftOut) {
  EXPECT_EQ(ReadAll("\xEF\xBB\xBFone\n", false, 64).text(), "one\n");
  EXPECT_EQ(ReadAll("one\n\xEF\xBB\xBFtwo\n", false, 64).text(), "one\n\xEF\xBB\xBFtwo\n");
}

TEST(RecordReader, AQuotedLineEndBelongsToItsRecord) {
  const Blocks read = ReadAll("a,b\n\"x\ny\",2\n\"\"\"\n\",3\n", true, 5);
  const std::vector<std::pair<std::uint64_t, std::string>> expected = {
      {1, "a,b\n"}, {2, "\"x\ny\",2\n"}, {4, "\"\"\"\n\",3\n"}};
  EXPECT_EQ(read.blocks, expected);
}

TEST(RecordReader, ARecordHasALimit) {
  const std::string text = "a\n" + std::string(kMaxRecordBytes + (1 << 20), 'x');
  EXPECT_EQ(ReadAll(text, false, 1 << 20).error, "2: a line is longer than 16 MB");
  const std::string csv = "a\n\"" + std::string(kMaxRecordBytes + (1 << 20), '\n');
  EXPECT_EQ(ReadAll(csv, true, 1 << 20).error,
            "2: a record is longer than 16 MB: is a quote not closed?");
}

// Any text is cut into blocks that together are the text, whatever the size of a block. Each block
// but the last ends with a line outside quotes.
TEST(RecordReader, BlocksTogetherAreTheText) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (auto left = random() % 60; left > 0; --left) text += "ab,\"\n\r"[random() % 6];
    const bool is_csv = random() % 2 == 0;
    const Blocks read = ReadAll(text, is_csv, 4 + random() % 20);
    EXPECT_EQ(read.text(), text);
    std::uint64_t line = 1;
    for (const auto& [first_line, block] : read.blocks) {
      EXPECT_EQ(first_line, line) << text;
      line += static_cast<std::uint64_t>(std::count(block.begin(), block.end(), '\n'));
      const bool is_last = &block == &read.blocks.back().second;
      const bool is_open = is_csv && std::count(block.begin(), block.end(), '"') % 2 != 0;
      EXPECT_TRUE(is_last || (block.back() == '\n' && !is_open)) << text;
    }
  }
}

}  // namespace
}  // namespace hashrange
