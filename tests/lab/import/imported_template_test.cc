#include "lab/import/imported_template.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace hashrange {
namespace {

// Returns the text in the form of lab files, or "wrong".
std::string LabText(std::string_view text, TemplateStyle style = TemplateStyle::kBraces) {
  const auto parsed = ParseImportedTemplate(text, style);
  return parsed ? LabTextOf(*parsed) : "wrong";
}

TEST(ImportedTemplate, FormsOfPlaceholders) {
  EXPECT_EQ(LabText("USER#{user_id}"), "USER#{user_id}");
  EXPECT_EQ(LabText("user#${userId}#x", TemplateStyle::kDollars), "user#{userId}#x");
  EXPECT_EQ(LabText("S#{score:05d}#{at:%Y}"), "S#{score:05}#{at}");
  EXPECT_EQ(LabText("USER#<id>", TemplateStyle::kAngles), "USER#{id}");
  EXPECT_EQ(LabText("USER#<id>"), "USER#<id>");
  EXPECT_EQ(LabText("a price of 5$"), "a price of 5$");
  EXPECT_EQ(LabText("{a.b}{c d}"), "{a_b}{c_d}");
  EXPECT_EQ(LabText(""), "");
}

TEST(ImportedTemplate, LiteralsAndForms) {
  EXPECT_EQ(LabText("A#{{literal}}#{id}"), "A#{{literal}}#{id}");
  EXPECT_EQ(LabText("{{a}}"), "{{a}}");
  EXPECT_EQ(LabText("price#${cents}"), "price#${cents}");
  EXPECT_EQ(LabText("n#${n:8:0}", TemplateStyle::kDollars), "n#{n:08}");
  std::vector<std::string> unknown;
  ASSERT_TRUE(ParseImportedTemplate("{at:%Y}#{n:08d}", TemplateStyle::kBraces, &unknown));
  EXPECT_EQ(unknown, std::vector<std::string>{"at:%Y"});
}

TEST(ImportedTemplate, BracesNeedPartners) {
  for (const std::string_view text : {"{", "}", "A#{b", "A#b}", "{}", "{a{b}}", "${"}) {
    EXPECT_EQ(LabText(text), "wrong") << text;
  }
  EXPECT_EQ(LabText("<a", TemplateStyle::kAngles), "wrong");
}

TEST(ImportedTemplate, Shapes) {
  const auto shape = [](std::string_view text) {
    return *ParseImportedTemplate(text, TemplateStyle::kBraces);
  };
  EXPECT_TRUE(HaveSameShape(shape("A#{b}"), shape("A#{c}")));
  EXPECT_FALSE(HaveSameShape(shape("A#{b}"), shape("B#{b}")));
  EXPECT_FALSE(HaveSameShape(shape("A#{b}"), shape("A#{b}#")));
  EXPECT_FALSE(HasLiteral(shape("{b}")));
  EXPECT_EQ(AttributesIn(shape("{a}#{b}#{a}")), (std::vector<std::string>{"a", "b"}));
}

TEST(ImportedTemplate, PlainNames) {
  EXPECT_EQ(PlainName("order id"), "order_id");
  EXPECT_EQ(PlainName("a.b{c}:d"), "a_b_c__d");
  EXPECT_EQ(PlainName(""), "_");
  EXPECT_EQ(PlainName(std::string(300, 'x')).size(), 255U);
}

}  // namespace
}  // namespace hashrange
