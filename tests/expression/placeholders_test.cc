#include "expression/placeholders.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

std::string Unused(const Placeholders& placeholders) {
  const Status status = placeholders.CheckAllUsed();
  return status.ok() ? "ok" : status.error().message;
}

TEST(Placeholders, AreFoundByTheirWholeText) {
  Request request({{"#a", "x"}}, {{":a", N("1")}});
  Placeholders& placeholders = request.placeholders();
  ASSERT_NE(placeholders.UseName("#a"), nullptr);
  EXPECT_EQ(*placeholders.UseName("#a"), "x");
  EXPECT_EQ(Print(*placeholders.UseValue(":a")), "1");
  EXPECT_EQ(placeholders.UseName("a"), nullptr);
  EXPECT_EQ(placeholders.UseName("#A"), nullptr);
  EXPECT_EQ(placeholders.UseValue(":b"), nullptr);
}

TEST(Placeholders, UnusedOnesAreListedAsSentNamesFirst) {
  Request request({{"#z", "x"}, {"#b", "y"}, {"#a", "z"}}, {{":y", N("1")}, {":x", N("2")}});
  Placeholders& placeholders = request.placeholders();
  placeholders.UseName("#b");
  EXPECT_EQ(Unused(placeholders),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z, #a}");
  placeholders.UseName("#z");
  placeholders.UseName("#a");
  EXPECT_EQ(Unused(placeholders),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y, :x}");
  placeholders.UseValue(":x");
  placeholders.UseValue(":y");
  EXPECT_EQ(Unused(placeholders), "ok");
  EXPECT_EQ(Unused(Placeholders()), "ok");
}

TEST(Placeholders, ManyAreFoundAndListedAsSentToo) {
  std::vector<std::string> texts;
  for (int i = 0; i < 1000; ++i) texts.push_back("#n" + std::to_string((i * 7) % 1000));
  std::vector<Placeholders::NameEntry> names;
  for (const std::string& text : texts) names.push_back({text, text});
  Placeholders placeholders(names, {});
  EXPECT_EQ(placeholders.UseName("#m"), nullptr);
  EXPECT_EQ(placeholders.UseName("#n1000"), nullptr);
  for (int i = 0; i < 1000; ++i) {
    if (i == 7 || i == 14 || i == 3) continue;
    const std::string text = "#n" + std::to_string(i);
    ASSERT_NE(placeholders.UseName(text), nullptr) << text;
    EXPECT_EQ(*placeholders.UseName(text), text);
  }
  EXPECT_EQ(
      Unused(placeholders),
      "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n7, #n14, #n3}");
}

TEST(Placeholders, EachUseInAnExpressionCounts) {
  Request request({{"#a", "a"}, {"#b", "b"}, {"#c", "c"}}, {{":v", N("1")}, {":w", N("2")}});
  Placeholders& placeholders = request.placeholders();
  Arena arena;
  ASSERT_TRUE(BindUpdate("SET #a = :v", placeholders, arena).ok());
  ASSERT_TRUE(
      BindCondition(ExpressionKind::kCondition, "size(x.#b) > :v", placeholders, arena).ok());
  EXPECT_EQ(Unused(placeholders),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#c}");
  ASSERT_TRUE(BindProjection("#c", placeholders, arena).ok());
  EXPECT_EQ(Unused(placeholders),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}");
  Status structure;
  ASSERT_TRUE(BindKeyCondition("pk = :w", placeholders, arena, &structure).ok());
  EXPECT_EQ(Unused(placeholders), "ok");
}

}  // namespace
}  // namespace hashrange::testing
