#include "lab/report/proposal_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "lab/report/lab_example.h"
#include "support/html_tags.h"

namespace hashrange {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A proposal of two layouts of the front and one that is beaten, made up.
Proposal ThreeLayouts() {
  ProposedLayout cheapest = {.month_usd = 380.68, .headroom = 50, .indexes = 1};
  cheapest.layout.name = "cheapest";
  cheapest.layout.tables.resize(1);
  cheapest.is_on_front = cheapest.is_cheapest = cheapest.is_one_table = true;
  cheapest.why = {"GSI1 serves <b>\"orders\"</b>."};
  ProposedLayout without = {
      .month_usd = 464, .headroom = std::numeric_limits<double>::infinity(), .indexes = 0};
  without.layout.name = "no index";
  without.layout.tables.resize(1);
  without.is_on_front = without.is_most_robust = without.is_simplest = true;
  ProposedLayout each = {.month_usd = 389.57, .headroom = 25, .indexes = 3};
  each.layout.name = "a table each";
  each.layout.tables.resize(5);
  each.is_table_each = true;
  return {.layouts = {cheapest, without, each}, .notes = {"Keys were left out."}};
}

std::vector<std::string> TextsOf(const std::string& page, const std::string& tag,
                                 const std::string& css_class = "") {
  std::vector<std::string> texts;
  for (const HtmlTag& one : TagsOf(page)) {
    const auto found = one.attributes.find("class");
    const std::string its = found == one.attributes.end() ? "" : found->second;
    if (one.name == tag && !one.closes && its.starts_with(css_class)) texts.push_back(one.text);
  }
  return texts;
}

TEST(ProposalPage, HasAPointAndARowAndReasonsForEachLayout) {
  const std::string page = ProposalHtmlReport(ShopLab(), ThreeLayouts(), nullptr);
  EXPECT_EQ(NestingProblem(TagsOf(page)), "");
  EXPECT_THAT(TextsOf(page, "text", "label"),
              ElementsAre("cheapest, 1 index", "no index", "a table each, 3 indexes"));
  EXPECT_THAT(TextsOf(page, "circle", "dot full").size(), 2U);
  EXPECT_THAT(TextsOf(page, "circle", "ring").size(), 2U);
  EXPECT_THAT(TextsOf(page, "line", "joined").size(), 1U);
  EXPECT_THAT(page, HasSubstr("Best within the stated space: 2 layouts that no other beats"));
  EXPECT_THAT(page, HasSubstr("<bdi>the cheapest and the best with one table</bdi>"));
  EXPECT_THAT(page, HasSubstr("<bdi>the best with a table for each entity</bdi>"));
  EXPECT_THAT(page, HasSubstr("<bdi>no limit</bdi>"));
  EXPECT_THAT(page, HasSubstr("Keys were left out."));
  EXPECT_THAT(page, HasSubstr("GSI1 serves &lt;b&gt;&quot;orders&quot;&lt;/b&gt;."));
  EXPECT_THAT(TextsOf(page, "h3"),
              ElementsAre("cheapest, 1 index", "no index", "a table each, 3 indexes"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"run\"")));
}

TEST(ProposalPage, HasTheRunBelow) {
  const LabFile file = ShopLab();
  const LabResult result = ShopLabResult();
  const ProposalRun run = {file, result};
  const std::string page = ProposalHtmlReport(file, ThreeLayouts(), &run);
  EXPECT_EQ(NestingProblem(TagsOf(page)), "");
  std::vector<std::string> sections;
  for (const HtmlTag& tag : TagsOf(page)) {
    if (tag.name == "section" && !tag.closes) sections.push_back(tag.attributes.at("id"));
  }
  ASSERT_GT(sections.size(), 5U);
  sections.resize(5);
  EXPECT_THAT(sections, ElementsAre("front", "why", "run", "reasons", "layouts"));
}

}  // namespace
}  // namespace hashrange
