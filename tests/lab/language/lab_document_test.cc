#include "lab/language/lab_document.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hashrange {
namespace {

// Returns the tree in one line: text as it is, in quotes where it was quoted, and behind each value
// its line and column.
std::string Shown(const LabNode& node) {
  const std::string place =
      "@" + std::to_string(node.place.line) + ":" + std::to_string(node.place.column);
  if (node.kind == LabNode::Kind::kScalar) {
    const std::string text = node.is_quoted ? '"' + node.text + '"' : node.text;
    return text + (node.is_cut ? "<cut>" : "") + place;
  }
  std::string parts;
  for (const LabNode& element : node.elements) parts += Shown(element) + " ";
  for (const LabNode::Member& member : node.members) {
    parts += member.name + "@" + std::to_string(member.place.line) + ":" +
             std::to_string(member.place.column) + "=" + Shown(member.value) + " ";
  }
  if (!parts.empty()) parts.pop_back();
  const bool is_list = node.kind == LabNode::Kind::kList;
  return (is_list ? "[" : "{") + parts + (is_list ? "]" : "}") + (node.is_flow ? "f" : "") + place;
}

// Returns the tree, or the error's sentence.
std::string Read(std::string_view text) {
  const Result<LabNode> tree = ReadLabDocument(text, "x.yaml");
  return tree.ok() ? Shown(*tree) : tree.error().message;
}

struct DocumentRow {
  std::string_view name;
  std::string_view text;
  std::string_view tree;
};
constexpr DocumentRow kTrees[] = {
    {"blocks and flows are one tree with places", "a: 1\nb:\n  - x\n  - {c: 'd', \"e\": [1, 2]}\n",
     "{a@1:1=1@1:4 b@2:1=[x@3:5 {c@4:6=\"d\"@4:9 e@4:14=[1@4:20 2@4:23]f@4:19}f@4:5]@3:3}@1:1"},
    {"JSON is read, too", "{\"a\": [true, null, -1.5e3], \"b\":\"x\\u00e9\\n\"}",
     "{a@1:2=[true@1:8 null@1:14 -1.5e3@1:20]f@1:7 b@1:29=\"x\xC3\xA9\n\"@1:33}f@1:1"},
    {"nothing stands where its name stands", "a:\nnull_count: 3\n",
     "{a@1:1=@1:1 null_count@2:1=3@2:13}@1:1"},
    {"nothing is last", "a: null\nb:", "{a@1:1=null@1:4 b@2:1=@2:1}@1:1"},
    {"nothing is first", "a:\nb: x", "{a@1:1=@1:1 b@2:1=x@2:4}@1:1"},
    {"nulls of a list", "[null,~]", "[null@1:2 ~@1:7]f@1:1"},
    {"scalars stay text", "[NO, 0007, 0x1F, 2026-01-01, ~, 1_000]",
     "[NO@1:2 0007@1:6 0x1F@1:12 2026-01-01@1:18 ~@1:30 1_000@1:33]f@1:1"},
    {"aliases are copied", "a: &x {b: 1}\nc: *x\n",
     "{a@1:1={b@1:8=1@1:11}f@1:4 c@2:1={b@1:8=1@1:11}f@1:4}@1:1"},
    {"the text of a block is quoted", "a: |\n  x\n  y\nb: z",
     "{a@1:1=\"x\ny\n\"@1:4 b@4:1=z@4:4}@1:1"},
    {"columns count characters", "{\xC3\xA4: \xE2\x82\xAC, b: 1}",
     "{\xC3\xA4@1:2=\xE2\x82\xAC@1:5 b@1:8=1@1:11}f@1:1"},
    {"a byte order mark takes no column",
     "\xEF\xBB\xBF"
     "a: 1\r\nb: 2\r\n",
     "{a@1:1=1@1:4 b@2:1=2@2:4}@1:1"},
    {"a text that a pseudo-comment cuts is known",
     "a: USER #{id}\nb: USER # of {id}\nc: USER # a comment\nd: 'X' #{id}\ne: U#{x}",
     "{a@1:1=USER<cut>@1:4 b@2:1=USER<cut>@2:4 c@3:1=USER@3:4 d@4:1=\"X\"@4:4 e@5:1=U#{x}@5:4}"
     "@1:1"},
};

TEST(LabDocument, TreesHaveTextsAndPlaces) {
  for (const DocumentRow& row : kTrees) EXPECT_EQ(Read(row.text), row.tree) << row.name;
}

TEST(LabDocument, OnlyWhatIsNotQuotedIsNull) {
  const Result<LabNode> tree = ReadLabDocument("[~, null, '', x]", "");
  ASSERT_TRUE(tree.ok());
  EXPECT_TRUE(tree->elements[0].IsNull());
  EXPECT_TRUE(tree->elements[1].IsNull());
  EXPECT_FALSE(tree->elements[2].IsNull());
  EXPECT_FALSE(tree->elements[3].IsNull());
}

TEST(LabDocument, FindGivesAMember) {
  const Result<LabNode> tree = ReadLabDocument("a: 1\nb: 2", "");
  ASSERT_TRUE(tree.ok());
  ASSERT_NE(tree->Find("b"), nullptr);
  EXPECT_EQ(tree->Find("b")->text, "2");
  EXPECT_EQ(tree->Find("c"), nullptr);
}

TEST(LabDocument, WhatIsWrongIsSaidWithItsPlace) {
  const struct {
    std::string text;
    std::string sentence;
  } kRows[] = {
      {"", "x.yaml:1:1: the file is empty"},
      {"a: 1\nb: 2\na: 3",
       "x.yaml:3:1: the name \"a\" is here a second time; line 1 has it, too. A name may be given "
       "once"},
      {"a: 1\n---\nb: 2", "x.yaml:2:1: a second document begins; a lab file is one document"},
      {"{a: 1} x",
       "x.yaml:1:8: the document has ended; this text is not part of it. Check the indentation and "
       "the brackets before it"},
      {"a: {{x}}",
       "x.yaml:1:5: a name has to be a text; an unquoted `{` begins a map and an unquoted `[` a "
       "list. Put the text into quotes"},
      {"a: &x [*x]", "x.yaml:1:8: this alias is inside of what it stands for"},
      {"a: &x [1]\n*x : 2",
       "x.yaml:2:1: a name has to be a text; this alias stands for a list or a map"},
      {"a: !important",
       "x.yaml:1:4: an unquoted `!` begins a tag, which a lab file has none of; put the text into "
       "quotes"},
      {"<<: {a: 1}", "x.yaml:1:1: `<<` does not merge maps in a lab file; write the members out"},
      {": x", "x.yaml:1:1: a name is missing before the `:`"},
      {"a: \xFF", "x.yaml:1:4: a lab file is UTF-8; this byte is not"},
      {std::string("a: b\0c", 6), "x.yaml:1:5: a control character"},
      {std::string(65, '[') + std::string(65, ']'),
       "x.yaml:1:65: lists and maps inside one another are limited to 64 levels"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.text), row.sentence) << row.text;
}

// In braces and brackets, a comment takes what closes them, and the parser stops lines later.
TEST(LabDocument, ACommentThatTookABracketIsSaidWhereItBegins) {
  const std::string sentence =
      ": this ` #` begins a comment, so the bracket that is open here is not closed; put the text "
      "into quotes";
  const struct {
    std::string text;
    std::string place;
  } kRows[] = {
      {"items:\n  A: {PK: USER #{id}, SK: C}\n  B: {PK: x, SK: y}\n", "x.yaml:2:16"},
      {"items:\n  A: {PK: USER #{id}, SK: C}\n", "x.yaml:2:16"},
      {"items: {A: {PK: USER # {id}},\n  B: {PK: x}}\nc: 1\n", "x.yaml:1:22"},
      {"a: [x, y #z]\nb:\n  - 1\n", "x.yaml:1:10"},
      {"a: {b: #c}\nd: 1", "x.yaml:1:8"},
      {"a: {b: x #c}\n\n\nd: {e: 1}", "x.yaml:1:10"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Read(row.text), row.place + sentence) << row.text;
  EXPECT_EQ(Read("a: {b: 1, #c}\n  d: 1\ne: 2\n").find("comment"), std::string::npos);
}

TEST(LabDocument, AliasesCannotGrowWithoutBound) {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    text += name + ": &" + name + " [" + last;
    for (int k = 0; k < 9; ++k) text += ", " + last;
    text += "]\n";
  }
  EXPECT_EQ(Read(text),
            "x.yaml:5:5: the document becomes too large here: it may have 200000 values, aliases "
            "included, and 64 levels of lists and maps");
}

// Many values in one line are read in seconds, as each place is found behind the one before.
TEST(LabDocument, LongLinesAreReadInTimeThatGrowsWithThem) {
  std::string text = "[";
  constexpr int kValues = 100'000;
  for (int i = 0; i < kValues; ++i) text += "ä ,";
  const auto tree = ReadLabDocument(text + "b]", "app.yaml");
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  ASSERT_EQ(tree->elements.size(), kValues + 1U);
  EXPECT_EQ(tree->elements[1].place.column, 5);
  EXPECT_EQ(tree->elements.back().place.column, 3 * kValues + 2);
}

TEST(LabDocument, LargeTextsAreRefused) {
  EXPECT_EQ(Read(std::string(kMaxLabBytes + 1, ' ')),
            "x.yaml:1:1: a lab file may have 16777216 bytes");
}

}  // namespace
}  // namespace hashrange
