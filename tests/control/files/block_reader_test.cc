#include "control/files/block_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace hashrange {
namespace {

// Files whose items are not their lines: how they are recognised, and how they are cut.

struct Cut {
  std::vector<std::string> items;  // "line: text"
  std::string error;
  bool is_partial = false;
};

Cut CutAll(std::string_view text, std::size_t block_bytes) {
  ValueReader reader(OpenText(text), "PK", block_bytes);
  Cut cut;
  RecordBlock block;
  for (;;) {
    const auto has_block = reader.Next(&block);
    if (!has_block.ok()) {
      cut.error = std::to_string(reader.line()) + ": " + has_block.error().message;
      return cut;
    }
    cut.is_partial = reader.is_partial();
    if (!*has_block) return cut;
    for (const RecordPlace& place : block.places) {
      cut.items.push_back(std::to_string(place.line) + ": " +
                          std::string(block.bytes.view().substr(place.begin, place.size)));
    }
  }
}

using Items = std::vector<std::string>;

// Cuts the text in blocks of several sizes, which must all give the same result.
Cut CutInAnyBlocks(std::string_view text) {
  const Cut cut = CutAll(text, 1 << 20);
  for (const std::size_t block_bytes : {1, 2, 3, 7, 16, 100}) {
    const Cut other = CutAll(text, block_bytes);
    EXPECT_EQ(other.items, cut.items) << text << " in blocks of " << block_bytes;
    EXPECT_EQ(other.error, cut.error) << text << " in blocks of " << block_bytes;
    EXPECT_EQ(other.is_partial, cut.is_partial) << text << " in blocks of " << block_bytes;
  }
  return cut;
}

void ExpectItems(std::string_view text, const Items& items) {
  const Cut cut = CutInAnyBlocks(text);
  EXPECT_EQ(cut.items, items) << text;
  EXPECT_EQ(cut.error, "") << text;
}

void ExpectError(std::string_view text, std::string_view error) {
  EXPECT_EQ(CutInAnyBlocks(text).error, error) << text;
}

TEST(ValueReader, AnArrayIsCutIntoItsElements) {
  ExpectItems("[]", {});
  ExpectItems("\xEF\xBB\xBF [ ]\n", {});
  ExpectItems(R"([{"a":1},{"b":[2,{"c":"]}"}]}])", {R"(1: {"a":1})", R"(1: {"b":[2,{"c":"]}"}]})"});
  ExpectItems("[\n  {\n    \"a\": 1\n  },\n  {\"b\": 2}\n]\n",
              {"2: {\n    \"a\": 1\n  }", "5: {\"b\": 2}"});
  ExpectItems("[{}]\n[{\"a\":1}]", {"1: {}", "2: {\"a\":1}"});
  ExpectItems(R"([7, "x,]", null])", {"1: 7", R"(1: "x,]")", "1: null"});
}

TEST(ValueReader, ObjectsFollowOneAnother) {
  ExpectItems("{\n\"a\":1\n}\n{\"b\":\"}\\\"{\"}{}\n",
              {"1: {\n\"a\":1\n}", R"(4: {"b":"}\"{"})", "4: {}"});
}

TEST(ValueReader, TheItemsOfAScanAreTaken) {
  ExpectItems("{\n \"Items\": [\n  {\"PK\": 1},\n  {\"PK\": 2}\n ],\n \"Count\": 2\n}\n",
              {"3: {\"PK\": 1}", "4: {\"PK\": 2}"});
  ExpectItems(R"({"Count":1,"Items":[{"PK":1}],"ConsumedCapacity":null})", {R"(1: {"PK":1})"});
  ExpectItems(R"({"Items":[],"Count":0})", {});
  // The file has the pages of a scan.
  ExpectItems("{\"Items\":[{\"PK\":1}]}\n{\"Items\":[{\"PK\":2}]}",
              {R"(1: {"PK":1})", R"(2: {"PK":2})"});
}

TEST(ValueReader, AnItemMayHaveAnAttributeItems) {
  for (const std::string_view item :
       {R"({"PK":"o","Items":[{"sku":1}]})", R"({"Items":[{"sku":1}],"PK":"o"})",
        R"({"Items":{"L":[]},"x":1})", R"({"x":{"Items":[]}})", R"({"x":"Items","y":[]})"}) {
    ExpectItems(item, {"1: " + std::string(item)});
  }
  // In an array every object is an item.
  ExpectItems(R"([{"Items":[]}])", {R"(1: {"Items":[]})"});
}

TEST(ValueReader, AnAnswerOfAScanSaysWhetherItIsPartial) {
  for (const std::string_view whole :
       {R"({"Items":[{}]})", R"({"Items":[{"LastEvaluatedKey":1}],"NextToken":null})",
        R"({"Items":[{}],"LastEvaluatedKey":{"PK":1}}{"Items":[{}]})",
        R"({"PK":1,"Items":[{}],"LastEvaluatedKey":1})"}) {
    EXPECT_FALSE(CutInAnyBlocks(whole).is_partial) << whole;
  }
  for (const std::string_view part :
       {R"({"Items":[{}],"LastEvaluatedKey":{"PK":{"S":"a"}}})",
        R"({"LastEvaluatedKey":{"PK":1},"Items":[{}]})", R"({"Items":[],"NextToken":"x"})"}) {
    EXPECT_TRUE(CutInAnyBlocks(part).is_partial) << part;
  }
}

TEST(ValueReader, ErrorsHaveTheirLine) {
  ExpectError("[{}\n {}]", "2: a comma, or the end of the array, is missing here");
  ExpectError("[{},\n,{}]", "2: an item is missing here");
  ExpectError("[{},\n\n]", "3: an item is missing here");
  ExpectError("[\n{\"a\":1}\n", "3: the array of the items has no end");
  ExpectError("[\n{\"a\":\n[1\n", "2: what begins here has no end");
  ExpectError("[\n{\"a\":\"x\n\"}]", "2: a text in quotes does not end in its line");
  ExpectError("{\n}\n]", "3: no item begins here");
  ExpectError("{\"Items\":[{}],\n\"Count\":", "1: what begins here has no end");
}

TEST(ValueReader, ItemsBeforeAnErrorAreHandedOut) {
  EXPECT_EQ(CutInAnyBlocks("[{},\n{}\n{}]").items, (Items{"1: {}", "2: {}"}));
}

TEST(ValueReader, AnItemHasALimit) {
  const std::string open = "[\n{\"a\":[" + std::string(kMaxRecordBytes * 2, ' ');
  EXPECT_EQ(CutAll(open, 1 << 20).error,
            "2: what begins here is longer than 16 MB: is a bracket not closed?");
}

TEST(ValueReader, TheAnswerOfAScanMayBeLongerThanAnItem) {
  const std::string item = R"({"PK":")" + std::string(1 << 20, 'x') + "\"}";
  std::string text = R"({"Items":[)" + item;
  while (text.size() < kMaxRecordBytes * 2) text += ",\n" + item;
  text += R"(],"LastEvaluatedKey":{}})";
  const Cut cut = CutAll(text, 1 << 20);
  EXPECT_EQ(cut.error, "");
  EXPECT_EQ(cut.items.size(), text.size() / (item.size() + 2));
  EXPECT_TRUE(cut.is_partial);
}

// Any tree, written in any layout, is cut into the same items.
TEST(ValueReader, LayoutMakesNoDifference) {
  std::mt19937 random(7);
  const auto space = [&] { return std::string(random() % 3, " \n\t"[random() % 3]); };
  const auto make = [&](const auto& self, int depth) -> std::string {
    const auto kind = random() % (depth > 3 ? 3 : 5);
    if (kind == 0) return std::to_string(random() % 100);
    if (kind == 1) return "\"" + std::string(random() % 4, "a{]:,\\"[random() % 5]) + "\\\"\"";
    if (kind == 2) return "true";
    std::string text(1, kind == 3 ? '{' : '[');
    for (auto left = random() % 4; left > 0; --left) {
      if (text.size() > 1) text += ',' + space();
      if (kind == 3) text += "\"k\"" + space() + ":" + space();
      text += self(self, depth + 1) + space();
    }
    return text + (kind == 3 ? '}' : ']');
  };
  for (int round = 0; round < 500; ++round) {
    Items items;
    std::string array = "[";
    for (auto left = random() % 5; left > 0; --left) {
      const std::string item = "{\"i\":" + make(make, 0) + "}";
      array += (items.empty() ? "" : ",") + space();
      const auto line = std::count(array.begin(), array.end(), '\n') + 1;
      items.push_back(std::to_string(line) + ": " + item);
      array += item + space();
    }
    ExpectItems(array + "]", items);
  }
}

TEST(ValueReader, LinesAreDistinguishedFromOtherForms) {
  for (const std::string_view lines :
       {"", "\n\n", "{\"a\":1}\n{\"b\":2}\n", "\n {\"a\":1}", "{\"a\":1", "x", "7\n",
        "{\"a\":\"x\n", "{\"PK\":1,\"Items\":[]}", "{\"Items\":{}}", "{}{}"}) {
    EXPECT_TRUE(HasItemPerLine(lines, "PK")) << lines;
  }
  for (const std::string_view others :
       {"[", "\xEF\xBB\xBF\n[{}]", "{\n", "\n{\n\"a\":1}", "{\"a\":{\n}}", "{\"Items\":[]}",
        "{\"Count\":1,\"Items\":[{\"PK\":1"}) {
    EXPECT_FALSE(HasItemPerLine(others, "PK")) << others;
  }
}

// Files of lines and of CSV.

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
