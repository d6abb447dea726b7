#include "wire/owned_json.h"

#include <gtest/gtest.h>

#include <utility>

namespace hashrange {
namespace {

TEST(OwnedJson, KeepsItsValueWhenItMoves) {
  auto parsed = OwnedJson::Parse(R"({"a":"x\ny","n":1.50,"l":[null]})", JsonDialect::kDocument);
  ASSERT_TRUE(parsed.ok());
  const OwnedJson json = std::move(parsed).value();
  EXPECT_TRUE(json.is_object());
  EXPECT_EQ(TextMember(json.value(), "a"), "x\ny");
  EXPECT_EQ(TextMember(json.value(), "n"), "");
  EXPECT_EQ(TextMember(json.value(), "z"), "");
  EXPECT_EQ(NumberMember(json.value(), "n"), 1.5);
  EXPECT_EQ(NumberMember(json.value(), "a"), 0);
  EXPECT_EQ(ListMember(json.value(), "l").size(), 1U);
  EXPECT_EQ(ListMember(json.value(), "n").size(), 0U);
  EXPECT_EQ(JsonText("x\n"), "\"x\\n\"");
  EXPECT_EQ(JsonText(json.value()), R"({"a":"x\ny","n":1.50,"l":[null]})");
}

// The text of a short string lies inside the string itself.
TEST(OwnedJson, KeepsTheValueOfAShortTextWhenItMoves) {
  auto parsed = OwnedJson::Parse(R"({"a":"b"})", JsonDialect::kDocument);
  ASSERT_TRUE(parsed.ok());
  const OwnedJson json = std::move(parsed).value();
  EXPECT_EQ(TextMember(json.value(), "a"), "b");
}

TEST(OwnedJson, OtherTextsAreErrors) {
  EXPECT_FALSE(OwnedJson::Parse("", JsonDialect::kDocument).ok());
  EXPECT_FALSE(OwnedJson::Parse("{}{}", JsonDialect::kDocument).ok());
  auto list = OwnedJson::Parse("[1]", JsonDialect::kRequest);
  ASSERT_TRUE(list.ok());
  EXPECT_FALSE(list.value().is_object());
  EXPECT_EQ(TextMember(list.value().value(), "a"), "");
}

}  // namespace
}  // namespace hashrange
