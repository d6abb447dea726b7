#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "expression/expression_fixture.h"
#include "expression/legacy_lowering.h"

namespace hashrange::testing {
namespace {

using Values = std::vector<ValueView>;

LegacyCondition Make(std::string_view attribute, std::string_view name, const Values& values) {
  return {attribute, FindComparison(name), values};
}

bool Holds(std::string_view name, const Values& values, ItemView item) {
  Arena arena;
  const LegacyCondition condition = Make("a", name, values);
  return LowerConditions({&condition, 1}, ConditionalOperator::kAnd, arena).Matches(item);
}

// Operators in the order of the service's list.
constexpr std::string_view kNames[] = {"IN",          "NULL", "BETWEEN",  "LT", "NOT_CONTAINS",
                                       "EQ",          "GT",   "NOT_NULL", "NE", "LE",
                                       "BEGINS_WITH", "GE",   "CONTAINS"};

std::string TagsOf(TypeMask mask) {
  std::string tags;
  for (int i = 0; i < kAttributeTypes; ++i) {
    const auto type = static_cast<AttributeType>(i);
    if (!Allows(mask, type)) continue;
    tags.append(tags.empty() ? "" : " ").append(TypeTag(type));
  }
  return tags;
}

TEST(LegacyCondition, RowsSayWhatAnOperatorTakes) {
  constexpr std::size_t kMany = ~std::size_t{0};
  const std::string any = "S N B BOOL NULL SS NS BS L M";
  struct Case {
    std::string_view name;
    std::size_t min_values, max_values;
    std::string types;
  };
  const Case cases[] = {
      {"EQ", 1, 1, any},
      {"NE", 1, 1, any},
      {"LT", 1, 1, "S N B"},
      {"LE", 1, 1, "S N B"},
      {"GT", 1, 1, "S N B"},
      {"GE", 1, 1, "S N B"},
      {"BETWEEN", 2, 2, "S N B"},
      {"IN", 1, kMany, "S N B"},
      {"BEGINS_WITH", 1, 1, "S B"},
      {"CONTAINS", 1, 1, "S N B BOOL NULL"},
      {"NOT_CONTAINS", 1, 1, "S N B BOOL NULL"},
      {"NULL", 0, 0, any},
      {"NOT_NULL", 0, 0, any},
  };
  ASSERT_EQ(std::size(cases), std::size(kNames));
  for (const Case& test : cases) {
    const ComparisonRow* row = FindComparison(test.name);
    ASSERT_NE(row, nullptr) << test.name;
    EXPECT_EQ(row->name, test.name);
    EXPECT_EQ(row->min_values, test.min_values) << test.name;
    EXPECT_EQ(row->max_values, test.max_values) << test.name;
    EXPECT_EQ(TagsOf(row->types), test.types) << test.name;
  }
  EXPECT_EQ(FindComparison("eq"), nullptr);
  EXPECT_EQ(FindComparison(""), nullptr);
}

// A value of each type, and a greater value of the same type.
struct LegacyTypeRow {
  ValueView value;
  ValueView greater;
};
const LegacyTypeRow kTypes[] = {
    {S("b"), S("c")},           {N("10"), N("11")},
    {B("b"), B("c")},           {Bool(false), Bool(true)},
    {Null(), Null()},           {SS({"b"}), SS({"b", "c"})},
    {NS({"1"}), NS({"2"})},     {BS({"b"}), BS({"c"})},
    {L({N("1")}), L({N("2")})}, {M({{"a", N("1")}}), M({{"a", N("2")}})},
};

TEST(LegacyCondition, EveryOperatorOverEveryPairOfTypes) {
  for (const LegacyTypeRow& stored : kTypes) {
    const TestItem item({{"a", stored.value}});
    for (const LegacyTypeRow& given : kTypes) {
      const bool same = stored.value.type == given.value.type;
      const bool ordered = same && IsScalarKey(given.value.type);
      const bool differs = !same || given.value.type != AttributeType::kNull;
      const std::map<std::string_view, bool> with_equal = {
          {"EQ", same},    {"NE", !same}, {"IN", same},    {"LT", false},
          {"LE", ordered}, {"GT", false}, {"GE", ordered},
      };
      const std::map<std::string_view, bool> with_greater = {
          {"EQ", !differs}, {"NE", differs}, {"IN", !differs}, {"LT", ordered},
          {"LE", ordered},  {"GT", false},   {"GE", false},
      };
      for (const auto& [name, holds] : with_equal) {
        if (!Allows(FindComparison(name)->types, given.value.type)) continue;
        EXPECT_EQ(Holds(name, {given.value}, item.view()), holds)
            << Print(stored.value) << " " << name << " " << Print(given.value);
      }
      for (const auto& [name, holds] : with_greater) {
        if (!Allows(FindComparison(name)->types, given.value.type)) continue;
        EXPECT_EQ(Holds(name, {given.greater}, item.view()), holds)
            << Print(stored.value) << " " << name << " " << Print(given.greater);
      }
      if (!IsScalarKey(given.value.type)) continue;
      EXPECT_EQ(Holds("BETWEEN", {given.value, given.greater}, item.view()), ordered);
      EXPECT_FALSE(Holds("BETWEEN", {given.greater, given.greater}, item.view()));
    }
    EXPECT_FALSE(Holds("NULL", {}, item.view())) << Print(stored.value);
    EXPECT_TRUE(Holds("NOT_NULL", {}, item.view())) << Print(stored.value);
  }
}

TEST(LegacyCondition, PrefixesAndMembers) {
  struct Case {
    std::string_view name;
    ValueView stored;
    ValueView given;
    bool holds;
  };
  const Case cases[] = {
      {"BEGINS_WITH", S("hello"), S("he"), true},
      {"BEGINS_WITH", S("hello"), S(""), true},
      {"BEGINS_WITH", S("hello"), S("hello!"), false},
      {"BEGINS_WITH", B("ab"), B("a"), true},
      {"BEGINS_WITH", B("ab"), S("a"), false},
      {"BEGINS_WITH", N("12"), S("1"), false},
      {"CONTAINS", S("hello"), S("ell"), true},
      {"CONTAINS", S("hello"), S("elo"), false},
      {"CONTAINS", S("1"), N("1"), false},
      {"CONTAINS", B("abc"), B("bc"), true},
      {"CONTAINS", SS({"a", "b"}), S("a"), true},
      {"CONTAINS", SS({"ab"}), S("a"), false},
      {"CONTAINS", NS({"1", "2"}), N("1.0"), true},
      {"CONTAINS", NS({"1", "2"}), S("1"), false},
      {"CONTAINS", BS({"a"}), B("a"), true},
      {"CONTAINS", L({N("1"), Bool(true), Null()}), N("1"), true},
      {"CONTAINS", L({N("1"), Bool(true), Null()}), Bool(true), true},
      {"CONTAINS", L({N("1"), Bool(true), Null()}), Bool(false), false},
      {"CONTAINS", L({N("1"), Bool(true), Null()}), Null(), true},
      {"CONTAINS", M({{"x", S("x")}}), S("x"), false},
      {"CONTAINS", N("11"), N("1"), false},
      {"CONTAINS", Bool(true), Bool(true), false},
  };
  for (const Case& test : cases) {
    const TestItem item({{"a", test.stored}});
    const std::string text =
        Print(test.stored) + " " + std::string(test.name) + " " + Print(test.given);
    EXPECT_EQ(Holds(test.name, {test.given}, item.view()), test.holds) << text;
    if (test.name != "CONTAINS") continue;
    EXPECT_EQ(Holds("NOT_CONTAINS", {test.given}, item.view()), !test.holds) << text;
  }
}

TEST(LegacyCondition, AMissingAttributeSatisfiesOnlyNeAndNull) {
  const TestItem without_it({{"b", S("x")}});
  for (const ItemView item : {without_it.view(), NoItem()}) {
    for (const std::string_view name : kNames) {
      const ComparisonRow* row = FindComparison(name);
      const Values values(row->min_values, S("x"));
      const bool holds = name == "NE" || name == "NULL";
      EXPECT_EQ(Holds(name, values, item), holds) << name;
    }
  }
}

TEST(LegacyCondition, AnyValueOfInMayMatch) {
  const TestItem item({{"a", N("2")}});
  EXPECT_TRUE(Holds("IN", {N("1"), N("2.0"), N("3")}, item.view()));
  EXPECT_FALSE(Holds("IN", {N("1"), N("3")}, item.view()));
  EXPECT_FALSE(Holds("IN", {S("2")}, item.view()));
}

TEST(LegacyCondition, ManyValuesOfInAreSearched) {
  Arena arena;
  Values even;
  for (int i = 10000; i > 0; i -= 2) even.push_back(N(std::to_string(i)));
  const LegacyCondition condition = Make("a", "IN", even);
  const Condition in = LowerConditions({&condition, 1}, ConditionalOperator::kAnd, arena);
  for (int i = 0; i <= 10002; i += 3) {
    const TestItem item({{"a", N(std::to_string(i))}});
    EXPECT_EQ(in.Matches(item.view()), i > 0 && i <= 10000 && i % 2 == 0) << i;
  }
}

TEST(LegacyCondition, ADotIsPartOfTheName) {
  const TestItem item({{"a.b", N("1")}, {"a", M({{"b", N("2")}})}});
  Arena arena;
  const Values one = {N("1")};
  const LegacyCondition condition = Make("a.b", "EQ", one);
  EXPECT_TRUE(
      LowerConditions({&condition, 1}, ConditionalOperator::kAnd, arena).Matches(item.view()));
}

// Compares all outcomes of three conditions, the middle one negated, with && and ||. A missing
// attribute counts as one that contains the value.
TEST(LegacyCondition, AreJoinedByAndOrOr) {
  const Values x = {S("x")};
  const LegacyCondition conditions[] = {Make("a", "EQ", x), Make("b", "NOT_CONTAINS", x),
                                        Make("c", "EQ", x)};
  Arena arena;
  const Condition all = LowerConditions(conditions, ConditionalOperator::kAnd, arena);
  const Condition any = LowerConditions(conditions, ConditionalOperator::kOr, arena);
  for (int bits = 0; bits < 16; ++bits) {
    const bool a = bits & 1, b = bits & 2, c = bits & 4, is_missing = !b && (bits & 8);
    Entries entries = {{"a", S(a ? "x" : "y")}, {"c", S(c ? "x" : "")}};
    if (!is_missing) entries.emplace_back("b", S(b ? "y" : "x"));
    const TestItem item(entries);
    EXPECT_EQ(all.Matches(item.view()), a && b && c) << bits;
    EXPECT_EQ(any.Matches(item.view()), a || b || c) << bits;
  }
  ASSERT_EQ(all.paths().size(), 3u);
  EXPECT_EQ(PrintPath(all.paths()[1]), "[b]");
}

TEST(LegacyCondition, WithoutConditionsItAlwaysHolds) {
  Arena arena;
  for (const ConditionalOperator joined : {ConditionalOperator::kAnd, ConditionalOperator::kOr}) {
    const Condition condition = LowerConditions({}, joined, arena);
    EXPECT_TRUE(condition.empty());
    EXPECT_TRUE(condition.Matches(NoItem()));
  }
}

TEST(LegacyCondition, BecomesAClauseOfAKeyCondition) {
  const std::map<std::string_view, KeyOperator> expected = {
      {"EQ", KeyOperator::kEqual},
      {"LT", KeyOperator::kLess},
      {"LE", KeyOperator::kLessOrEqual},
      {"GT", KeyOperator::kGreater},
      {"GE", KeyOperator::kGreaterOrEqual},
      {"BETWEEN", KeyOperator::kBetween},
      {"BEGINS_WITH", KeyOperator::kBeginsWith},
  };
  const Values bounds = {S("x"), S("y")};
  Arena arena;
  for (const std::string_view name : kNames) {
    const ComparisonRow* row = FindComparison(name);
    const std::span<const ValueView> values = std::span(bounds).first(row->min_values);
    const LegacyCondition condition{"sk", row, values};
    const std::span<const KeyClause> clauses = LowerKeyConditions({&condition, 1}, arena);
    ASSERT_EQ(clauses.size(), 1u);
    EXPECT_EQ(clauses[0].attribute, "sk");
    const auto op = expected.find(name);
    ASSERT_EQ(clauses[0].op, op == expected.end() ? KeyOperator::kNotIndexable : op->second);
    if (op == expected.end()) continue;
    EXPECT_EQ(clauses[0].value, bounds[0]) << name;
    if (name == "BETWEEN") {
      EXPECT_EQ(clauses[0].upper, bounds[1]);
    }
  }
}

constexpr AttributeAction kPut = AttributeAction::kPut;
constexpr AttributeAction kAdd = AttributeAction::kAdd;
constexpr AttributeAction kDelete = AttributeAction::kDelete;

using Updates = std::vector<AttributeUpdate>;

// Returns the updated item as text, or the error message.
std::string Apply(const Updates& updates, ItemView before) {
  Arena arena;
  const Attribute key[] = {{"pk", S("new")}};
  const auto after = LowerAttributeUpdates(updates, arena).Apply(before, key, arena);
  return after.ok() ? Print(*after) : after.error().message;
}

TEST(LegacyUpdate, ActionsOnAStoredItem) {
  const TestItem item({{"n", N("1")},
                       {"s", S("x")},
                       {"ss", SS({"a", "b"})},
                       {"ns", NS({"1", "2"})},
                       {"bs", BS({"a"})},
                       {"l", L({N("1")})}});
  const std::string bs = "bs: BS<b64:YQ==>", l = "l: [1]", n = "n: 1", ns = "ns: NS<1, 2>",
                    pk = "pk: \"k\"", s = "s: \"x\"", ss = "ss: SS<\"a\", \"b\">";
  const auto items = [](const std::vector<std::string>& entries) {
    std::string text = "{";
    for (const std::string& entry : entries) text.append(text.size() > 1 ? ", " : "").append(entry);
    return text + "}";
  };
  struct Case {
    Updates updates;
    std::string after;
  };
  const Case cases[] = {
      {{}, items({bs, l, n, ns, pk, s, ss})},
      {{{"n", kPut, S("y")}}, items({bs, l, "n: \"y\"", ns, pk, s, ss})},
      {{{"a.b", kPut, M({})}}, items({"a.b: {}", bs, l, n, ns, pk, s, ss})},
      {{{"n", kAdd, N("-1.5")}}, items({bs, l, "n: -0.5", ns, pk, s, ss})},
      {{{"ss", kAdd, SS({"b", "c"})}}, items({bs, l, n, ns, pk, s, "ss: SS<\"a\", \"b\", \"c\">"})},
      {{{"ns", kAdd, NS({"1.0", "3"})}}, items({bs, l, n, "ns: NS<1, 2, 3>", pk, s, ss})},
      {{{"bs", kAdd, BS({"b"})}}, items({"bs: BS<b64:YQ==, b64:Yg==>", l, n, ns, pk, s, ss})},
      {{{"l", kAdd, L({S("x"), N("1")})}}, items({bs, "l: [1, \"x\", 1]", n, ns, pk, s, ss})},
      {{{"l", kAdd, L({})}}, items({bs, l, n, ns, pk, s, ss})},
      {{{"ss", kDelete, SS({"a", "z"})}}, items({bs, l, n, ns, pk, s, "ss: SS<\"b\">"})},
      {{{"ss", kDelete, SS({"a", "b"})}}, items({bs, l, n, ns, pk, s})},
      {{{"n", kDelete, std::nullopt}}, items({bs, l, ns, pk, s, ss})},
      {{{"no", kDelete, std::nullopt}}, items({bs, l, n, ns, pk, s, ss})},
      {{{"no", kDelete, NS({"1"})}}, items({bs, l, n, ns, pk, s, ss})},
      {{{"s", kDelete, std::nullopt}, {"n", kAdd, N("1")}, {"z", kPut, Null()}},
       items({bs, l, "n: 2", ns, pk, ss, "z: null"})},
  };
  for (const Case& test : cases) EXPECT_EQ(Apply(test.updates, item.view()), test.after);
}

TEST(LegacyUpdate, ActionsOnNoItem) {
  EXPECT_EQ(Apply({{"a", kPut, S("x")}}, NoItem()), "{a: \"x\", pk: \"new\"}");
  EXPECT_EQ(Apply({{"a", kAdd, N("5")}}, NoItem()), "{a: 5, pk: \"new\"}");
  EXPECT_EQ(Apply({{"a", kAdd, SS({"x"})}}, NoItem()), "{a: SS<\"x\">, pk: \"new\"}");
  EXPECT_EQ(Apply({{"a", kAdd, L({N("1")})}}, NoItem()), "{a: [1], pk: \"new\"}");
  EXPECT_EQ(Apply({{"a", kDelete, std::nullopt}}, NoItem()), "{pk: \"new\"}");
}

TEST(LegacyUpdate, AStoredValueOfAnotherTypeIsAMismatch) {
  const TestItem item({{"n", N("1")}, {"s", S("x")}, {"ss", SS({"a"})}, {"l", L({})}});
  const Updates refused[] = {
      {{"s", kAdd, N("1")}},       {{"n", kAdd, SS({"a"})}},     {{"ss", kAdd, NS({"1"})}},
      {{"ss", kAdd, N("1")}},      {{"l", kAdd, SS({"a"})}},     {{"s", kAdd, L({})}},
      {{"n", kDelete, NS({"1"})}}, {{"ss", kDelete, NS({"1"})}}, {{"l", kDelete, SS({"a"})}},
  };
  for (const Updates& updates : refused) {
    EXPECT_EQ(Apply(updates, item.view()), "Type mismatch for attribute to update")
        << updates[0].attribute << " " << Print(*updates[0].value);
  }
}

TEST(LegacyUpdate, ASumBeyondTheRangeIsRefused) {
  const TestItem item({{"n", N("9e125")}});
  EXPECT_EQ(Apply({{"n", kAdd, N("9e125")}}, item.view()),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
}

TEST(LegacyUpdate, TargetsAreTheNamedAttributes) {
  const TestItem item({{"n", N("1")}, {"s", S("x")}, {"m", M({{"k", S("v")}})}});
  Arena arena;
  const Updates updates = {{"s", kDelete, std::nullopt}, {"m", kPut, Null()}, {"no", kAdd, N("1")}};
  const Projection targets = LowerAttributeUpdates(updates, arena).Targets(arena);
  EXPECT_EQ(Print(targets.Apply(item.view(), arena)), "{m: {k: \"v\"}, s: \"x\"}");
}

}  // namespace
}  // namespace hashrange::testing
