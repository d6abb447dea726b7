#include "lab/command/lab_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/command/small_lab.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using Messages = std::vector<std::string>;

TEST(ReadLabText, WarningsOfARightFileAreMessages) {
  Messages messages;
  const auto lab = ReadLabText(kWarnedLab, "warned.yaml", messages);
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  EXPECT_THAT(messages, ElementsAre(testing::StartsWith("warning: warned.yaml:3:")));
}

TEST(ReadLabText, OpenQuestionsAreMessagesAndTheLastIsTheError) {
  Messages messages;
  const auto lab =
      ReadLabText("lab: 1\nseed: \"{?First.}\"\nentities: \"{?Second.}\"\n", "open.yaml", messages);
  ASSERT_FALSE(lab.ok());
  EXPECT_THAT(messages,
              ElementsAre("open.yaml:2:7: First. Write the answer in the place of the mark {?…}."));
  EXPECT_EQ(lab.error().message,
            "open.yaml:3:11: Second. Write the answer in the place of the mark {?…}.");
}

LoadedLab SmallLab(std::string_view text) {
  auto lab = LoadLab(text, "small.yaml");
  if (lab.ok()) return std::move(*lab);
  ADD_FAILURE() << lab.error().message;
  return {};
}

TEST(PrepareLab, AnUnknownLayoutIsRefusedWithThoseOfTheFile) {
  LabOrder order;
  order.options.only_layouts = {"plain", "by knd"};
  EXPECT_EQ(PrepareLab(SmallLab(kSmallLab), order).error().message,
            "unknown layout \"by knd\"; did you mean by kind? The file has \"plain\", \"by kind\"");
}

TEST(PrepareLab, ACheckNeedsLimits) {
  const LabOrder order{.command = LabOrder::Command::kCheck};
  EXPECT_EQ(PrepareLab(SmallLab(kSmallLab), order).error().message, "small.yaml has no limits");
  const std::string limited = std::string(kSmallLab) + "limits: {\"*\": {throttled: 0.01}}\n";
  EXPECT_TRUE(PrepareLab(SmallLab(limited), order).ok());
}

TEST(RunLayouts, ACheckConfirmsTheFirstLimitOnlyForALimitOfHeadroom) {
  const auto trials = [](const std::string& limits) {
    const LoadedLab lab = SmallLab(std::string(kSmallLab) + limits);
    const LabOrder order{.command = LabOrder::Command::kCheck};
    const auto result = RunLayouts(lab, order, {});
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result->runs.front().no_trial_because;
  };
  EXPECT_EQ(trials("limits: {\"*\": {throttled: 0.01}}\n"), "no trial was asked for");
  EXPECT_NE(trials("limits: {\"*\": {headroom: 2}}\n"), "no trial was asked for");
}

TEST(ExplainLayouts, OnlyTheLayoutsOfTheOrderAreExplained) {
  LabOrder order{.command = LabOrder::Command::kExplain};
  order.options.only_layouts = {"by kind"};
  const auto layouts = ExplainLayouts(SmallLab(kSmallLab), order);
  ASSERT_TRUE(layouts.ok()) << layouts.error().message;
  ASSERT_EQ(layouts->size(), 1u);
  EXPECT_EQ(layouts->front().name, "by kind");
}

TEST(CheckText, SaysThatAThinnedRunIsRough) {
  const LoadedLab lab = SmallLab(std::string(kSmallLab) + "limits: {\"*\": {throttled: 0.01}}\n");
  LabOrder order{.command = LabOrder::Command::kCheck};
  order.options.thin = 5;
  const auto result = RunLayouts(lab, order, {});
  ASSERT_TRUE(result.ok()) << result.error().message;
  const LabCheckText check = CheckText(lab.file, *result);
  EXPECT_TRUE(check.holds);
  EXPECT_EQ(check.text, "within limits\n");
  EXPECT_THAT(check.notes, ElementsAre("note: one of 5 calls was made, so throttles and failed "
                                       "calls are rough"));
}

}  // namespace
}  // namespace hashrange
