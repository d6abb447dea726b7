#include "expression/legacy_lowering.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

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
