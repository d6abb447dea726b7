#include "lab/import/lab_draft.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hashrange {
namespace {

constexpr const char* kBefore =
    "lab: 1\n"
    "entities:\n"
    "  User:\n"
    "    count: 10\n"
    "    attributes:\n"
    "      user_id: {sequence: 4}\n";
constexpr const char* kLayouts =
    "layouts:\n"
    "  one:\n"
    "    tables:\n"
    "      app:\n"
    "        key: [PK]\n"
    "        items:\n"
    "          User: {PK: \"USER#{user_id}\"}\n";

TEST(LabDraft, TakesTheNextFormOfWhatIsRefused) {
  LabDraft draft;
  draft.Add(kBefore);
  draft.AddPart({"      size: {number: [x, y]}\n", "      size: {number: 5}\n"});
  draft.Add("access_patterns:\n  get: {get: User, by: [user_id]}\n");
  draft.Add(kLayouts);
  const auto text = draft.MendedText();
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(*text, std::string(kBefore) +
                       "      size: {number: 5}\n"
                       "access_patterns:\n  get: {get: User, by: [user_id]}\n" +
                       kLayouts);
  EXPECT_EQ(draft.left_out(), std::vector<std::string>{});
}

TEST(LabDraft, WhatHasNoOtherFormBecomesAComment) {
  LabDraft draft;
  draft.Add(std::string(kBefore) + "access_patterns:\n  get: {get: User, by: [user_id]}\n");
  draft.AddPart({"  wrong:\n    get: Nobody\n    by: [user_id]\n"});
  draft.Add(kLayouts);
  const auto text = draft.MendedText();
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(text->find("  # wrong:\n  #   get: Nobody\n  #   by: [user_id]\n"), std::string::npos)
      << *text;
  ASSERT_EQ(draft.left_out().size(), 1U);
  EXPECT_EQ(draft.left_out().front().substr(0, 22), "wrong: was left out: t");
}

TEST(LabDraft, WhatIsBelowIsLeftOutWithItsHead) {
  LabDraft draft;
  draft.Add(kBefore);
  draft.AddPart({"  Wrong:\n    of: Nobody\n    count: 1\n    attributes:\n"});
  draft.AddPartBelow({"      a: {sequence: 4}\n"});
  draft.AddPart({"  Group:\n    count: 1\n    attributes:\n"});
  draft.AddPartBelow({"      b: {sequence: 4}\n"});
  draft.Add("access_patterns:\n  get: {get: User, by: [user_id]}\n");
  draft.Add(kLayouts);
  const auto text = draft.MendedText();
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(text->find("      # a: {sequence: 4}\n  Group:\n    count: 1\n    attributes:\n"
                       "      b: {sequence: 4}\n"),
            std::string::npos)
      << *text;
}

TEST(LabDraft, MarksStandInTheFormThatIsRead) {
  LabDraft draft;
  draft.Add(kBefore);
  draft.Add("access_patterns:\n  get: {get: User, by: [user_id]}\n");
  draft.Add("layouts:\n  one:\n    tables:\n      app:\n        key: [PK]\n        items:\n");
  draft.AddPart({"          User: {PK: \"{nothing}\"}\n", "          User: {PK: \"{user_id}\"}\n"},
                {"          User: {PK: \"{?first}\"}\n", "          User: {PK: \"{?second}\"}\n"});
  const auto text = draft.MendedText();
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_TRUE(text->ends_with("          User: {PK: \"{user_id}\"}\n")) << *text;
  EXPECT_EQ(draft.MarkedText(), text->substr(0, text->size() - 11) + "?second}\"}\n");
}

TEST(LabDraft, FixedLinesAreNotReplaced) {
  LabDraft draft;
  draft.Add("lab: 2\n");
  const auto text = draft.MendedText();
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message.substr(0, 35), "no lab file can be made of it: lab:");
}

}  // namespace
}  // namespace hashrange
