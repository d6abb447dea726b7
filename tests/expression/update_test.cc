#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

Request* NewRequest() {
  return new Request({{"#a", "a"}, {"#dot", "x.y"}}, {{":0", N("0")},
                                                      {":1", N("1")},
                                                      {":2", N("2.5")},
                                                      {":s", S("s")},
                                                      {":null", Null()},
                                                      {":l", L({N("8"), N("9")})},
                                                      {":e", L({})},
                                                      {":m", M({{"k", S("v")}})},
                                                      {":ss", SS({"b", "c"})},
                                                      {":all", SS({"a", "b"})},
                                                      {":ns", NS({"1.0", "3"})},
                                                      {":bs", BS({"x"})}});
}

std::string Apply(std::string_view text, ItemView before, Projection* touched = nullptr) {
  static auto* const arenas = new std::vector<std::unique_ptr<Arena>>;
  Arena& arena = *arenas->emplace_back(std::make_unique<Arena>());
  const std::unique_ptr<Request> request(NewRequest());
  const Result<Update> update = BindUpdate(text, request->placeholders(), arena);
  if (!update.ok()) return update.error().message;
  const Attribute key[] = {{"pk", S("new")}};
  const auto attributes = update->Apply(before, key, arena);
  if (!attributes.ok()) return attributes.error().message;
  if (touched) *touched = update->Targets(arena);
  return Print(*attributes);
}

struct UpdateCase {
  std::string_view text;
  std::string_view expected;
};

void Check(ItemView before, std::span<const UpdateCase> cases) {
  for (const UpdateCase& test : cases)
    EXPECT_EQ(Apply(test.text, before), test.expected) << test.text;
}

TEST(Update, SetPutsValues) {
  const TestItem item({{"a", N("1")}, {"b", S("x")}});
  static constexpr UpdateCase kCases[] = {
      {"SET a = :s", "{a: \"s\", b: \"x\", pk: \"k\"}"},
      {"SET c = :m, aa = :l", "{a: 1, aa: [8, 9], b: \"x\", c: {k: \"v\"}, pk: \"k\"}"},
      {"SET #dot = :null", "{a: 1, b: \"x\", pk: \"k\", x.y: null}"},
      {"SET a = b, b = a", "{a: \"x\", b: 1, pk: \"k\"}"},
      {"SET a = a + :2", "{a: 3.5, b: \"x\", pk: \"k\"}"},
      {"SET a = :2 - a", "{a: 1.5, b: \"x\", pk: \"k\"}"},
      {"SET a = (a - :1)", "{a: 0, b: \"x\", pk: \"k\"}"},
      {"SET c = a + a, a = :0", "{a: 0, b: \"x\", c: 2, pk: \"k\"}"},
      {"SET c = pk", "{a: 1, b: \"x\", c: \"k\", pk: \"k\"}"},
      {"SET c = if_not_exists(a, :s)", "{a: 1, b: \"x\", c: 1, pk: \"k\"}"},
      {"SET c = if_not_exists(c, :1) + :1", "{a: 1, b: \"x\", c: 2, pk: \"k\"}"},
      {"SET c = if_not_exists(z, if_not_exists(y, b))", "{a: 1, b: \"x\", c: \"x\", pk: \"k\"}"},
      {"SET c = list_append(:l, :e)", "{a: 1, b: \"x\", c: [8, 9], pk: \"k\"}"},
      {"SET c = list_append(if_not_exists(c, :e), :l)", "{a: 1, b: \"x\", c: [8, 9], pk: \"k\"}"},
      {"SET c = list_append(:l, if_not_exists(c, :l))",
       "{a: 1, b: \"x\", c: [8, 9, 8, 9], pk: \"k\"}"},
  };
  Check(item.view(), kCases);
}

TEST(Update, IfNotExistsTakesAStoredNull) {
  const TestItem item({{"a", Null()}});
  EXPECT_EQ(Apply("SET b = if_not_exists(a, :1)", item.view()), "{a: null, b: null, pk: \"k\"}");
}

TEST(Update, NestedTargets) {
  const TestItem item({{"mm", M({{"b", M({{"c", N("1")}, {"e", N("2")}})}, {"d", L({N("0")})}})},
                       {"l", L({N("0"), M({{"x", N("1")}}), N("2")})}});
  const std::string l = "l: [0, {x: 1}, 2]";
  const std::string m = "mm: {b: {c: 1, e: 2}, d: [0]}";
  const std::pair<std::string_view, std::string> cases[] = {
      {"SET mm.b.c = :s", "{" + l + ", mm: {b: {c: \"s\", e: 2}, d: [0]}, pk: \"k\"}"},
      {"SET mm.b.d = :s, mm.a = :1, mm.z = :2",
       "{" + l + ", mm: {a: 1, b: {c: 1, d: \"s\", e: 2}, d: [0], z: 2.5}, pk: \"k\"}"},
      {"SET mm.b = :1 REMOVE mm.d", "{" + l + ", mm: {b: 1}, pk: \"k\"}"},
      {"REMOVE mm.b, mm.d", "{" + l + ", mm: {}, pk: \"k\"}"},
      {"REMOVE mm.b.c, mm.b.gone", "{" + l + ", mm: {b: {e: 2}, d: [0]}, pk: \"k\"}"},
      {"SET mm.d[0] = :s, mm.d[1] = :1",
       "{" + l + ", mm: {b: {c: 1, e: 2}, d: [\"s\", 1]}, pk: \"k\"}"},
      {"SET l[1].x = l[2], l[1].y = l[0]", "{l: [0, {x: 2, y: 0}, 2], " + m + ", pk: \"k\"}"},
      {"SET l[1].x = l[1].x + :1 REMOVE l[0]", "{l: [{x: 2}, 2], " + m + ", pk: \"k\"}"},
      {"ADD mm.b.c :2, mm.b.f :1, mm.b.g :ss",
       "{" + l + ", mm: {b: {c: 3.5, e: 2, f: 1, g: SS<\"b\", \"c\">}, d: [0]}, pk: \"k\"}"},
      {"ADD l[0] :1, l[9] :2", "{l: [1, {x: 1}, 2, 2.5], " + m + ", pk: \"k\"}"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Apply(text, item.view()), expected) << text;
}

TEST(Update, ListPositions) {
  const TestItem item({{"l", L({N("0"), N("1"), N("2"), N("3")})}});
  static constexpr UpdateCase kCases[] = {
      {"SET l[2] = :s", "{l: [0, 1, \"s\", 3], pk: \"k\"}"},
      {"SET l[4] = :s", "{l: [0, 1, 2, 3, \"s\"], pk: \"k\"}"},
      {"SET l[99] = :s", "{l: [0, 1, 2, 3, \"s\"], pk: \"k\"}"},
      {"SET l[20] = :s, l[10] = :2, l[0] = :1", "{l: [1, 1, 2, 3, 2.5, \"s\"], pk: \"k\"}"},
      {"REMOVE l[1]", "{l: [0, 2, 3], pk: \"k\"}"},
      {"REMOVE l[3], l[0], l[1]", "{l: [2], pk: \"k\"}"},
      {"REMOVE l[0], l[1], l[2], l[3], l[4]", "{l: [], pk: \"k\"}"},
      {"REMOVE l[9]", "{l: [0, 1, 2, 3], pk: \"k\"}"},
      {"SET l[1] = :s, l[7] = :2 REMOVE l[0], l[8]", "{l: [\"s\", 2, 3, 2.5], pk: \"k\"}"},
      {"SET l = list_append(:l, l)", "{l: [8, 9, 0, 1, 2, 3], pk: \"k\"}"},
      {"SET l = list_append(l, :l)", "{l: [0, 1, 2, 3, 8, 9], pk: \"k\"}"},
  };
  Check(item.view(), kCases);
}

TEST(Update, RemoveAttributes) {
  const TestItem item({{"a", N("1")}, {"b", N("2")}});
  static constexpr UpdateCase kCases[] = {
      {"REMOVE a", "{b: 2, pk: \"k\"}"},
      {"REMOVE a, b, gone", "{pk: \"k\"}"},
      {"REMOVE a SET c = a", "{b: 2, c: 1, pk: \"k\"}"},
  };
  Check(item.view(), kCases);
}

TEST(Update, AddAndDelete) {
  const TestItem item({{"n", N("1")},
                       {"ss", SS({"a", "b"})},
                       {"ns", NS({"1", "2"})},
                       {"bs", BS({"x"})},
                       {"l", L({SS({"a", "b"}), N("1")})}});
  const std::string bs = "bs: BS<b64:eA==>";
  const std::string l = "l: [SS<\"a\", \"b\">, 1]";
  const std::string ns = "ns: NS<1, 2>";
  const std::string ss = "ss: SS<\"a\", \"b\">";
  const auto all = [](std::string b, std::string list, std::string n, std::string numbers,
                      std::string strings) {
    return "{" + b + list + ", " + n + ", " + numbers + ", pk: \"k\"" + strings + "}";
  };
  const std::pair<std::string_view, std::string> cases[] = {
      {"ADD n :2", all(bs + ", ", l, "n: 3.5", ns, ", " + ss)},
      {"ADD ss :ss", all(bs + ", ", l, "n: 1", ns, ", ss: SS<\"a\", \"b\", \"c\">")},
      {"ADD ns :ns", all(bs + ", ", l, "n: 1", "ns: NS<1, 2, 3>", ", " + ss)},
      {"ADD z :ss", all(bs + ", ", l, "n: 1", ns, ", " + ss + ", z: SS<\"b\", \"c\">")},
      {"ADD z :1", all(bs + ", ", l, "n: 1", ns, ", " + ss + ", z: 1")},
      {"DELETE ss :ss", all(bs + ", ", l, "n: 1", ns, ", ss: SS<\"a\">")},
      {"DELETE ss :all", all(bs + ", ", l, "n: 1", ns, "")},
      {"DELETE ns :ns", all(bs + ", ", l, "n: 1", "ns: NS<2>", ", " + ss)},
      {"DELETE bs :bs, z :ss", all("", l, "n: 1", ns, ", " + ss)},
      {"DELETE l[0] :ss", all(bs + ", ", "l: [SS<\"a\">, 1]", "n: 1", ns, ", " + ss)},
      {"DELETE l[0] :all", all(bs + ", ", "l: [1]", "n: 1", ns, ", " + ss)},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Apply(text, item.view()), expected) << text;
}

TEST(Update, MissingItemStartsFromTheKey) {
  static constexpr UpdateCase kCases[] = {
      {"SET a = :1, z = pk", "{a: 1, pk: \"new\", z: \"new\"}"},
      {"SET a = if_not_exists(a, :0) + :1", "{a: 1, pk: \"new\"}"},
      {"ADD a :2", "{a: 2.5, pk: \"new\"}"},
      {"REMOVE a", "{pk: \"new\"}"},
      {"DELETE a :ss", "{pk: \"new\"}"},
  };
  Check(NoItem(), kCases);
  Arena arena;
  const Attribute key[] = {{"sk", N("1")}, {"pk", S("new")}};
  const auto attributes = Update().Apply(NoItem(), key, arena);
  ASSERT_TRUE(attributes.ok());
  EXPECT_EQ(Print(*attributes), "{pk: \"new\", sk: 1}");
}

TEST(Update, OrderOfSectionsDoesNotMatter) {
  const TestItem item({{"a", N("1")}, {"b", SS({"b"})}, {"c", N("3")}});
  EXPECT_EQ(Apply("SET d = a + :1 REMOVE c DELETE b :ss ADD a :1", item.view()),
            "{a: 2, d: 2, pk: \"k\"}");
  EXPECT_EQ(Apply("ADD a :1 DELETE b :ss REMOVE c SET d = a + :1", item.view()),
            "{a: 2, d: 2, pk: \"k\"}");
}

TEST(Update, ActionsCarryTheirSingleValue) {
  const std::unique_ptr<Request> request(NewRequest());
  Arena arena;
  const Result<Update> update = BindUpdate("SET a = :1, b = a REMOVE c.d ADD e :2 DELETE f :ss",
                                           request->placeholders(), arena);
  ASSERT_TRUE(update.ok());
  std::string text;
  for (const UpdateAction& action : update->actions()) {
    static constexpr std::string_view kVerbs[] = {"SET", "REMOVE", "ADD", "DELETE"};
    text += std::string(kVerbs[static_cast<int>(action.verb)]) + PrintPath(action.target) +
            (action.value ? Print(*action.value) : "-") + ";";
  }
  EXPECT_EQ(text, "SET[a]1;SET[b]-;REMOVE[c, d]-;ADD[e]2.5;DELETE[f]SS<\"b\", \"c\">;");
}

// The targets are the projection of UPDATED_OLD and UPDATED_NEW.
TEST(Update, TargetsProjectTheTouchedPaths) {
  const TestItem before({{"a", M({{"b", N("1")}, {"c", N("2")}, {"d", N("3")}})},
                         {"l", L({N("0"), N("1"), N("2")})},
                         {"z", N("1")}});
  Projection touched;
  Apply("SET a.b = :s, a.c = :1, l[2] = :s REMOVE l[0], gone ADD n :1", before.view(), &touched);
  Arena arena;
  EXPECT_EQ(Print(touched.Apply(before.view(), arena)), "{a: {b: 1, c: 2}, l: [0, 2]}");
  EXPECT_EQ(Print(Update().Targets(arena).Apply(before.view(), arena)), "{}");
}

struct ChargeCase {
  std::string_view text;
  std::size_t bytes;
};

TEST(Update, StatementCharge) {
  const TestItem item({{"bs", BS({"b"})},
                       {"ss", SS({"a", "b"})},
                       {"ns", NS({"1"})},
                       {"mm", M({{"ss", SS({"b"})}})}});
  static constexpr ChargeCase kCases[] = {
      {"SET a = :s", 3 + 19 + 1 + 1},
      {"SET a = :s, bcd = :1", 3 + 19 + 1 + 1 + 19 + 3 + 2},
      {"SET a.bc[12].d = :s", 3 + 19 + (1 + 4 + 2 + 4 + 2 + 4 + 1) + 1},
      {"SET a[9] = :s", 3 + 19 + (1 + 4 + 1) + 1},
      {"SET a[10] = :s", 3 + 19 + (1 + 4 + 2) + 1},
      {"SET a[99] = :s, b[100] = :s", 3 + 19 + (1 + 4 + 2) + 1 + 19 + (1 + 4 + 3) + 1},
      {"SET #dot = :m", 3 + 19 + 3 + (3 + 1 + 1 + 1)},
      {"SET a = b", 3 + 19 + 1 + (1 + 14 + 1)},
      {"SET a = b.cd[0]", 3 + 19 + 1 + (1 + 14 + 1 + 14 + 2 + 14 + 1)},
      {"SET a = b + :1", 3 + 19 + 1 + 34 + 16 + 2},
      {"SET a = b - :1", 3 + 19 + 1 + 37 + 16 + 2},
      {"SET a = if_not_exists(b, :s)", 3 + 19 + 1 + 39 + 16 + 1},
      {"SET a = list_append(b, :l)", 3 + 19 + 1 + 37 + 16 + (3 + 2 + 2 + 2)},
      {"SET a = list_append(if_not_exists(b, :e), :e)", 3 + 19 + 1 + 37 + (39 + 16 + 3) + 3},
      {"REMOVE a, b.c", 3 + 1 + 1 + 1 + 1 + 4 + 1},
      {"DELETE ss :ss", 3 + 1 + 2},
      {"ADD n :2", 3 + 19 + 1 + 3},
      {"ADD ss :ss", 3 + 19 + 2 + 1},
      {"ADD ns :ns", 3 + 19 + 2 + 2},
      {"ADD mm.ss :ss", 3 + 19 + (2 + 4 + 2) + 1},
      {"ADD x :ss", 3 + 19 + 1 + 2},
      {"ADD bs :ss", 3 + 19 + 2 + 2},
  };
  for (const ChargeCase& test : kCases) {
    const std::unique_ptr<Request> request(NewRequest());
    Arena arena;
    const Result<Update> update = BindUpdate(test.text, request->placeholders(), arena);
    ASSERT_TRUE(update.ok()) << test.text << update.error().message;
    EXPECT_EQ(update->StatementCharge(item.view()), test.bytes) << test.text;
  }
  EXPECT_EQ(Update().StatementCharge(NoItem()), 3u);
}

}  // namespace
}  // namespace hashrange::testing
