#include "measure/key_template_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

constexpr std::string_view kSeparators = "#:/|";

TEST(KeyTemplateText, IsCutAfterSeparators) {
  using Tokens = std::vector<std::string_view>;
  EXPECT_EQ(TemplateTokens("ORDER#{date}#{a|b}", kSeparators),
            (Tokens{"ORDER#", "{date}#", "{a|b}"}));
  EXPECT_EQ(TemplateTokens("account:", kSeparators), Tokens{"account:"});
  EXPECT_EQ(TemplateTokens("", kSeparators), Tokens{});
}

TEST(KeyTemplateText, TellsItsLiteralParts) {
  EXPECT_TRUE(IsConstantTemplate("CUSTOMER"));
  EXPECT_FALSE(IsConstantTemplate("CUST#{id}"));
  EXPECT_EQ(LiteralBeginning("CUST#{id}#X"), "CUST#");
  EXPECT_EQ(LiteralBeginning("CUSTOMER"), "CUSTOMER");
  EXPECT_EQ(WithoutLastToken("STATUS#open", kSeparators), "STATUS#");
  EXPECT_EQ(WithoutLastToken("CUSTOMER", kSeparators), "");
  EXPECT_EQ(WithoutLastToken("STATUS#", kSeparators), "");
  EXPECT_EQ(WithoutLastToken("A#{b|c}", kSeparators), "A#");
}

struct TemplatePair {
  std::string_view a;
  std::string_view b;
  bool expected;
};

TEST(KeyTemplateText, PlaceholdersStandForOneToken) {
  const TemplatePair pairs[] = {
      {"ORDER#{id}", "ORDER#{order_id}", true},
      {"ORDER#{id}", "ORDER#META", true},
      {"{kind}#{id}", "ORDER#7", true},
      {"ORDER#{id}", "ITEM#{id}", false},
      {"ORDER#{id}", "ORDER#{id}#ITEM", false},
      {"ORDER#{id}", "ORDER#{id}#", false},
      {"{id}", "PROFILE", true},
      {"META", "META", true},
      {"META", "INFO", false},
      {"{tenant}#A#{x}", "{tenant}#A#{y}", true},
      {"{tenant}#A#{x}", "{tenant}#B#{x}", false},
      {"{tenant}#A#", "{tenant}#A#", true},
      {"{tenant}#A#", "{tenant}#A#{x}", false},
      {"{a|b}#X", "{a|c}#X", true},
      {"{a}#X", "{b}#aX", false},
      {"{a}X", "{a}Y", false},
  };
  for (const TemplatePair& pair : pairs) {
    EXPECT_EQ(CanBeEqual(pair.a, pair.b, kSeparators), pair.expected) << pair.a << " " << pair.b;
    EXPECT_EQ(CanBeEqual(pair.b, pair.a, kSeparators), pair.expected) << pair.b << " " << pair.a;
  }
}

TEST(KeyTemplateText, BeginsWithMayStopWithinAToken) {
  // The key, and what it may begin with.
  const TemplatePair pairs[] = {
      {"ORDER#{id}", "", true},
      {"ORDER#{id}", "ORD", true},
      {"ORDER#{id}", "ORDER#", true},
      {"ORDER#{id}", "ORDER#{id}", true},
      {"ORDER#{id}#ITEM#{n}", "ORDER#{id}", true},
      {"ORDER#{id}#ITEM#{n}", "ORDER#{id}#", true},
      {"ORDER#{id}", "ORDER#{id}#", false},
      {"ORDER#{id}", "ORDER#{id}#ITEM#", false},
      {"ORDERITEM#{id}", "ORDER#", false},
      {"ORDERITEM#{id}", "ORDER", true},
      {"{date}#{id}", "ORDER#", true},
      {"PROFILE", "ORDER#", false},
      {"{tenant}#A#{x}", "{tenant}#A#", true},
      {"{tenant}#A#{x}", "{tenant}#B#", false},
      {"{tenant}#AB", "{tenant}#A", true},
      {"{a|b}#X", "{a|c}#", true},
  };
  for (const TemplatePair& pair : pairs) {
    EXPECT_EQ(CanBeginWith(pair.a, pair.b, kSeparators), pair.expected) << pair.a << " " << pair.b;
  }
}

}  // namespace
}  // namespace hashrange
