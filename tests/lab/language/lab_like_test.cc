#include "lab/language/lab_parts.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hashrange {
namespace {

// Writes a tree as YAML in one line: {a: [b, c], d: e}.
std::string Line(const LabNode& node) {
  if (node.kind == LabNode::Kind::kScalar) return node.text;
  std::string line;
  for (const LabNode& element : node.elements) {
    line += (line.empty() ? "" : ", ") + Line(element);
  }
  if (node.kind == LabNode::Kind::kList) return "[" + line + "]";
  for (const LabNode::Member& member : node.members) {
    line += (line.empty() ? "" : ", ") + member.name + ": " + Line(member.value);
  }
  return "{" + line + "}";
}

// Returns the layout of that name, whole, or the error.
std::string Whole(std::string_view layouts, std::string_view name) {
  const auto tree = ReadLabDocument(layouts, "lab");
  EXPECT_TRUE(tree.ok());
  LabReading reading("lab");
  const std::vector<LabNode::Member> resolved = ResolveLikes(*tree, reading);
  const auto file = reading.TakeFile();
  if (!file.ok()) return file.error().message;
  for (const LabNode::Member& layout : resolved) {
    if (layout.name == name) return Line(layout.value);
  }
  return "none";
}

struct LikeRow {
  std::string_view name;
  std::string_view layouts;  // of which "b" is shown
  std::string_view whole;
};
constexpr LikeRow kLikes[] = {
    {"maps merge member by member", "a: {t: {x: 1, y: {z: 2}}}\nb: {like: a, t: {y: {w: 3}, x: 4}}",
     "{t: {x: 4, y: {z: 2, w: 3}}}"},
    {"a list replaces a list", "a: {t: {x: [1, 2]}}\nb: {like: a, t: {x: [3]}}", "{t: {x: [3]}}"},
    {"a map replaces a list", "a: {t: {x: [1, 2]}}\nb: {like: a, t: {x: {y: 3}}}",
     "{t: {x: {y: 3}}}"},
    {"`embed` replaces", "a: {L: {PK: x}}\nb: {like: a, L: {embed: O.l}}", "{L: {embed: O.l}}"},
    {"`embed` is replaced", "a: {L: {embed: O.l, map_by: s}}\nb: {like: a, L: {PK: x}}",
     "{L: {PK: x}}"},
    {"`embed` replaces `embed`", "a: {L: {embed: O.l, map_by: s}}\nb: {like: a, L: {embed: O.m}}",
     "{L: {embed: O.m}}"},
    {"null removes", "a: {t: {x: 1, y: 2}}\nb: {like: a, t: {x: null}}", "{t: {y: 2}}"},
    {"a quoted null is a text", "a: {t: {x: 1, y: 2}}\nb: {like: a, t: {x: \"null\"}}",
     "{t: {x: null, y: 2}}"},
    {"a layout may be like a later one, which is like another one",
     "b: {like: c, x: 1}\nc: {like: d, y: 2}\nd: {x: 3, y: 3, z: 3}", "{x: 1, y: 2, z: 3}"},
};

TEST(LabLike, ALayoutIsTheOtherOneButForWhatItSays) {
  for (const LikeRow& row : kLikes) EXPECT_EQ(Whole(row.layouts, "b"), row.whole) << row.name;
}

TEST(LabLike, UnknownNamesAndCyclesAreErrors) {
  EXPECT_EQ(Whole("alpha: {x: 1}\nb: {like: alpa}", "b"),
            "lab:2:11: there is no layout \"alpa\"; did you mean \"alpha\"? Known are \"alpha\" "
            "and \"b\"");
  EXPECT_EQ(
      Whole("a: {like: b}\nb: {like: a}", "a"),
      "lab:2:11: the layout \"a\" would be like itself: \"a\" is like \"b\", and \"b\" is like "
      "\"a\"");
  EXPECT_EQ(Whole("a: {like: a}", "a"), "lab:1:11: the layout \"a\" would be like itself");
}

}  // namespace
}  // namespace hashrange
