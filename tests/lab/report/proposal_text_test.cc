#include "lab/report/proposal_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "lab/forecast/layout_forecast.h"
#include "lab/language/lab_reader.h"
#include "support/sanitized.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

std::string TextOfExample(const std::string& name) {
  std::ifstream in(SourceRoot() / "lab/examples" / name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(ProposalText, IsTheSameTwice) {
  const auto lab = LoadApplication(TextOfExample("shop.yaml"), "shop.yaml");
  ASSERT_TRUE(lab.ok());
  const auto one = ProposeLayouts(lab->file, {});
  const auto other = ProposeLayouts(lab->file, {});
  ASSERT_TRUE(one.ok() && other.ok());
  EXPECT_EQ(ProposalText(lab->file, *one), ProposalText(lab->file, *other));
}

TEST(ProposalText, ComparesEachLayoutWithTheCheapestAndThatWithTheNext) {
  Proposal proposal;
  proposal.layouts = {
      {.month_usd = 10, .headroom = 20, .indexes = 1, .why = {"GSI1 serves \"a\"."}},
      {.month_usd = 12.5, .headroom = 50, .indexes = 0}};
  proposal.layouts[0].layout.name = "cheapest";
  proposal.layouts[1].layout.name = "simplest";
  EXPECT_THAT(
      WhyOf(proposal, 0),
      testing::ElementsAre("GSI1 serves \"a\".",
                           "The next, \"simplest\", takes US$ 12.50 a month with no index."));
  EXPECT_THAT(
      WhyOf(proposal, 1),
      testing::ElementsAre("Beside \"cheapest\": US$ 2.50 a month more, no index against 1, "
                           "headroom 50 × against 20 ×."));
}

class WrittenProposal : public testing::TestWithParam<const char*> {};

// What is written as YAML is read as the layouts that were found: the lab says the same of both.
TEST_P(WrittenProposal, IsReadAsItIsWritten) {
  const std::string name = std::string(GetParam()) + ".yaml";
  const std::string text = TextOfExample(name);
  const auto lab = LoadApplication(text, name);
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const auto proposal = ProposeLayouts(lab->file, {.most_nodes = kIsSanitized ? 2'000u : 20'000u});
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  const auto written = WithProposal(text, lab->document, lab->file, *proposal);
  ASSERT_TRUE(written.ok()) << written.error().message;
  const auto read = ReadLabFile(*written, name);
  ASSERT_TRUE(read.ok()) << read.error().message << *written;
  const auto forecasts = ForecastLayouts(*read);
  ASSERT_TRUE(forecasts.ok()) << forecasts.error().message;
  ASSERT_EQ(forecasts->size(), proposal->layouts.size());
  for (std::size_t i = 0; i < forecasts->size(); ++i) {
    const LayoutForecast& forecast = (*forecasts)[i];
    EXPECT_TRUE(forecast.HasAllPatterns()) << forecast.layout;
    EXPECT_EQ(forecast.layout, proposal->layouts[i].layout.name);
    EXPECT_NEAR(forecast.month_usd.value_or(0), proposal->layouts[i].month_usd, 1e-6);
    EXPECT_EQ(forecast.key_headroom, proposal->layouts[i].headroom) << forecast.layout;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, WrittenProposal,
                         testing::Values("blog", "chat", "devices", "ecommerce", "leaderboard",
                                         "orders", "organisation", "saas", "shop", "timeline"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace hashrange
