#include <gtest/gtest.h>

#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

// Returns the projected attributes as text, or the error message.
std::string Project(std::string_view text, ItemView item) {
  Request request({{"#a", "a"}, {"#dot", "x.y"}, {"#name", "name"}}, {});
  Arena arena;
  const auto projection = BindProjection(text, request.placeholders(), arena);
  return projection.ok() ? Print(projection->Apply(item, arena)) : projection.error().message;
}

struct ProjectionCase {
  std::string_view text;
  std::string_view expected;
};

TEST(Projection, NamedPartsStayInTheirMapsAndLists) {
  const TestItem item({{"a", N("1")},
                       {"b", M({{"c", S("x")},
                                {"d", M({{"e", Null()}, {"f", N("2")}})},
                                {"g", L({N("0"), N("1"), N("2")})}})},
                       {"l", L({S("p"), M({{"q", N("5")}, {"r", N("6")}}), L({N("7"), N("8")})})},
                       {"x.y", Bool(true)},
                       {"ss", SS({"u", "v"})},
                       {"name", S("n")},
                       {"em", M({})}});
  static constexpr ProjectionCase kCases[] = {
      {"a", "{a: 1}"},
      {"pk", "{pk: \"k\"}"},
      {"#a", "{a: 1}"},
      {"#name, #dot", "{name: \"n\", x.y: true}"},
      {"l, a, ss", "{a: 1, l: [\"p\", {q: 5, r: 6}, [7, 8]], ss: SS<\"u\", \"v\">}"},
      {"em", "{em: {}}"},
      {"b.c", "{b: {c: \"x\"}}"},
      {"b.d.f, b.c, b.d.e", "{b: {c: \"x\", d: {e: null, f: 2}}}"},
      {"b.d", "{b: {d: {e: null, f: 2}}}"},
      {"b.g[2], b.g[0]", "{b: {g: [0, 2]}}"},
      {"b.g[7]", "{}"},
      {"b.g[1], b.g[7]", "{b: {g: [1]}}"},
      {"l[1].r, l[2][1]", "{l: [{r: 6}, [8]]}"},
      {"l[1].z, l[0]", "{l: [\"p\"]}"},
      {"nothing", "{}"},
      {"b.nothing", "{}"},
      {"b[0]", "{}"},
      {"l.a", "{}"},
      {"a.b", "{}"},
      {"a[0]", "{}"},
      {"em.x", "{}"},
      {"b.c.d, a", "{a: 1}"},
      {"x.y", "{}"},
      {"b.a, b.c, b.b, b.z", "{b: {c: \"x\"}}"},
  };
  for (const ProjectionCase& test : kCases) {
    EXPECT_EQ(Project(test.text, item.view()), test.expected) << test.text;
  }
  EXPECT_EQ(Project("a", NoItem()), "{}");
}

TEST(Projection, PathsMustBeDistinct) {
  constexpr std::string_view kOverlap =
      "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or "
      "rewrite one of these paths; path one: ";
  constexpr std::string_view kConflict =
      "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or "
      "rewrite one of these paths; path one: ";
  struct PairCase {
    std::string_view text;
    std::string_view kind;
    std::string_view pair;
  };
  const PairCase cases[] = {
      {"a, a", kOverlap, "[a], path two: [a]"},
      {"a, #a", kOverlap, "[a], path two: [a]"},
      {"a, a.b", kOverlap, "[a], path two: [a, b]"},
      {"a.b, a", kOverlap, "[a, b], path two: [a]"},
      {"l, l[0]", kOverlap, "[l], path two: [l, [0]]"},
      {"l[00], l[0].x", kOverlap, "[l, [0]], path two: [l, [0], x]"},
      {"z, a.b.c, y, a.b.d, a.b", kOverlap, "[a, b, c], path two: [a, b]"},
      {"b, a, b, a", kOverlap, "[b], path two: [b]"},
      {"a.c, a[1]", kConflict, "[a, c], path two: [a, [1]]"},
      {"a[1], b, a.c.d", kConflict, "[a, [1]], path two: [a, c, d]"},
      {"a.x[0], a.x.b, c, c", kOverlap, "[c], path two: [c]"},
  };
  for (const PairCase& test : cases) {
    EXPECT_EQ(Project(test.text, NoItem()), std::string(test.kind) + std::string(test.pair))
        << test.text;
  }
  EXPECT_EQ(Project("a.b, a.c, #dot, x.y, ab, l[1], l[2].a, l[2].b", NoItem()), "{}");
}

TEST(Projection, NamesAreChecked) {
  EXPECT_EQ(Project("#x", NoItem()),
            "Invalid ProjectionExpression: An expression attribute name used in the document path "
            "is not defined; attribute name: #x");
  EXPECT_EQ(Project("a, name", NoItem()),
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: "
            "name");
  EXPECT_EQ(Project("#x, a.set", NoItem()),
            "Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: "
            "set");
  EXPECT_EQ(Project("a, a, #x", NoItem()),
            "Invalid ProjectionExpression: An expression attribute name used in the document path "
            "is not defined; attribute name: #x");
}

TEST(Projection, PathsAreListedInOrderOfText) {
  Request request;
  Arena arena;
  const auto projection = BindProjection("b.c, a[1]", request.placeholders(), arena);
  ASSERT_TRUE(projection.ok());
  std::string paths;
  for (const Path path : projection->paths()) paths += PrintPath(path);
  EXPECT_EQ(paths, "[b, c][a, [1]]");
  EXPECT_FALSE(projection->empty());
}

TEST(Projection, EmptyProjectionReturnsTheWholeItem) {
  Arena arena;
  const TestItem item({{"b", N("1")}, {"z", N("2")}});
  EXPECT_TRUE(Projection().empty());
  EXPECT_EQ(Print(Projection().Apply(item.view(), arena)), "{b: 1, pk: \"k\", z: 2}");
}

TEST(Projection, WholeAttributesAreTakenByTheirFullName) {
  Arena arena;
  const TestItem item({{"a", M({{"b", N("1")}})}, {"a.b", N("2")}, {"c", N("3")}});
  const std::string_view names[] = {"c", "a.b", "none", "pk"};
  const Projection projection = ProjectAttributes(names, arena);
  EXPECT_EQ(Print(projection.Apply(item.view(), arena)), "{a.b: 2, c: 3, pk: \"k\"}");
}

TEST(Projection, ManyElementsOfOneList) {
  std::vector<ValueView> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(N(std::to_string(i)));
  const TestItem item({{"l", L(numbers)}});
  std::string text;
  std::string expected;
  for (int i = 398; i >= 0; i -= 2) text += (text.empty() ? "l[" : ",l[") + std::to_string(i) + "]";
  for (int i = 0; i <= 398; i += 2) expected += (i ? ", " : "") + std::to_string(i);
  EXPECT_EQ(Project(text, item.view()), "{l: [" + expected + "]}");
}

}  // namespace
}  // namespace hashrange::testing
