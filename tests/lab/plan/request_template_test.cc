#include "lab/plan/request/request_template.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "plan_text.h"

namespace hashrange {
namespace {

using Source = RequestSlot::Source;

constexpr LabAttributeRef kUserId = {0, 0};
constexpr LabAttributeRef kQuote = {0, 1};
constexpr LabAttributeRef kScore = {0, 2};
constexpr LabAttributeRef kDate = {0, 3};
constexpr LabAttributeRef kNoteId = {1, 0};

class RequestTemplateTest : public testing::Test {
 protected:
  RequestTemplateTest()
      : file_(FileOf(R"(
lab: 1
entities:
  User: {count: 3, attributes: {user_id: {sequence: 2}, quote: {constant: "say \"hi\"\\"}, score: {constant: 7},
         joined: {time: {past: 1d}}}}
  Note: {of: User, count: 2, attributes: {note_id: {sequence: 3}}}
access_patterns:
  user: {get: User, by: [user_id], rate: 1/s}
  forget: {update: User, by: [user_id], remove: [quote], rate: 1/s}
layouts:
  one: {tables: {tab: {key: [PK, SK], items: {User: {PK: "U#{user_id}", SK: U}, Note: {PK: "U#{user_id}", SK: "N#{note_id}"}}}}}
)")),
        population_(file_, 1) {}

  std::string Render(const RequestNodes& nodes, const LabCall& call) const {
    std::string out;
    RenderRequest({.nodes = nodes}, population_, call, out);
    return out;
  }
  std::string Readable(const RequestNodes& nodes) const {
    return ReadableRequest(file_, {.nodes = nodes});
  }

  static RequestSlot Slot(LabAttributeRef attribute, int role = 0) {
    return {.role = role, .part = {.attribute = attribute}};
  }

  LabFile file_;
  Population population_;
};

TEST_F(RequestTemplateTest, TextsAreJoinedOnlyAtTheSameLevel) {
  RequestNodes nodes;
  AppendText("a", nodes);
  AppendText("b", nodes);
  RequestNodes inside;
  AppendText("c", inside);
  nodes.push_back({RequestWhen{.body = inside}});
  AppendText("d", nodes);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(std::get<RequestText>(nodes[0].value).text, "ab");
  EXPECT_EQ(std::get<RequestWhen>(nodes[1].value).body.size(), 1U);
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 0}}}}), "abcd");
  EXPECT_EQ(Render(nodes, {}), "abd");
}

TEST_F(RequestTemplateTest, ValuesAreEscaped) {
  RequestNodes nodes;
  AppendSlot(Slot(kQuote), nodes);
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 1}}}}), R"(say \"hi\"\\)");
  EXPECT_EQ(Readable(nodes), "{quote}");
}

TEST_F(RequestTemplateTest, NewValuesReplaceOldOnes) {
  RequestNodes nodes;
  AppendSlot(Slot(kScore), nodes);
  AppendText(" ", nodes);
  RequestSlot after = Slot(kScore);
  after.source = Source::kNewValue;
  AppendSlot(after, nodes);
  const LabCall call = {.roles = {{{0, 1}}}, .new_values = {{{{0, 1}, kScore.attribute}, "8"}}};
  EXPECT_EQ(Render(nodes, call), "7 8");
}

TEST_F(RequestTemplateTest, FactorsMultiply) {
  RequestNodes nodes;
  for (const double factor : {-1.0, 2.0, 0.1}) {
    RequestSlot slot = Slot(kScore);
    slot.factor = factor;
    AppendSlot(slot, nodes);
    AppendText(" ", nodes);
  }
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 0}}}}), "-7 14 0.7 ");
  EXPECT_EQ(Readable(nodes), "-{score} 2 × {score} 0.1 × {score} ");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallHasTheFormOfItsAttribute) {
  RequestSlot slot = Slot(kDate);
  slot.source = Source::kNow;
  slot.offset_ms = -7LL * 86'400'000;
  RequestNodes nodes;
  AppendSlot(slot, nodes);
  EXPECT_EQ(Render(nodes, {.now_epoch_ms = 1'767'830'400'000}), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(Readable(nodes), "{now - 7d}");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallMayBeANumber) {
  using TimeForm = LabGenerator::TimeForm;
  RequestNodes nodes;
  for (const TimeForm form : {TimeForm::kSeconds, TimeForm::kMilliseconds}) {
    AppendSlot({.source = Source::kNow, .offset_ms = 1000, .now_form = form}, nodes);
    AppendText(" ", nodes);
  }
  EXPECT_EQ(Render(nodes, {.now_epoch_ms = 1'767'830'400'500}), "1767830401 1767830401500 ");
  EXPECT_EQ(Readable(nodes), "{now + 1s:seconds} {now + 1s:milliseconds} ");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallStaysInTheYearsThatTextHas) {
  constexpr std::int64_t kLongMs = 10'000LL * 365 * 86'400'000;
  RequestNodes nodes;
  for (const std::int64_t offset_ms : {-kLongMs, kLongMs}) {
    AppendSlot({.source = Source::kNow, .offset_ms = offset_ms}, nodes);
    AppendText(" ", nodes);
  }
  EXPECT_EQ(Render(nodes, {.now_epoch_ms = 1'767'830'400'000}),
            "1970-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z ");
}

TEST_F(RequestTemplateTest, AStartIsTheBeginningOfAValue) {
  RequestSlot slot = Slot(kQuote);
  slot.source = Source::kStart;
  slot.part.width = 5;
  RequestNodes nodes;
  AppendSlot(slot, nodes);
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 0}}}}), R"(say \")");
  EXPECT_EQ(Readable(nodes), "{quote:prefix5}");
}

TEST_F(RequestTemplateTest, EachInstanceOfAWindowIsRendered) {
  RequestNodes one;
  AppendSlot(Slot(kUserId), one);
  RequestNodes nodes;
  nodes.push_back({RequestEach{.between = ",", .body = one}});
  LabCall call = {.roles = {{{0, 0}, {0, 1}, {0, 2}}}};
  const std::string all = Render(nodes, call);
  EXPECT_EQ(all.size(), 8U) << all;
  call.window = {.role = 0, .from = 1, .to = 5};
  EXPECT_EQ(Render(nodes, call), all.substr(3));
  EXPECT_EQ(Readable(nodes), "{user_id},…");
}

TEST_F(RequestTemplateTest, DescendantsAreThoseOfTheBoundInstance) {
  RequestNodes note;
  AppendSlot(Slot(kNoteId, 1), note);
  RequestNodes user;
  AppendText("[", user);
  user.push_back({RequestEach{.between = ",", .role = 1, .body = note}});
  AppendText("]", user);
  RequestNodes nodes;
  nodes.push_back({RequestEach{.between = " ", .body = user}});
  const LabCall call = {.roles = {{{0, 0}, {0, 1}}, {{1, 0}, {1, 1}, {1, 2}, {1, 3}}}};
  std::string expected;
  for (std::uint64_t number = 0; number < 4; ++number) {
    expected += number % 2 == 0 ? (number == 0 ? "[" : " [") : ",";
    expected += population_.Value({1, number}, kNoteId);
    if (number % 2 == 1) expected += "]";
  }
  EXPECT_EQ(Render(nodes, call), expected);
}

TEST_F(RequestTemplateTest, ExistingChildrenCanBeRenderedWithoutARole) {
  RequestNodes note;
  AppendSlot(Slot(kNoteId, 1000), note);
  RequestNodes nodes;
  nodes.push_back({RequestChildren{
      .between = ",", .role = 1000, .of_role = 0, .child_entity = 1, .except = 1, .body = note}});
  const std::string first = population_.Value({1, 2}, kNoteId);
  const std::string second = population_.Value({1, 3}, kNoteId);
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 1}}}}), first + "," + second);
  EXPECT_EQ(Render(nodes, {.roles = {{{0, 1}}, {{1, 2}}}}), second);
}

TEST_F(RequestTemplateTest, AnEmptyListLeavesNothing) {
  RequestNodes sometimes;
  AppendText("x", sometimes);
  RequestNodes members;
  AppendWhere({.has = {kQuote}}, sometimes, members);
  AppendWhere({.is_negated = true, .has = {kScore}}, sometimes, members);
  RequestNodes nodes;
  nodes.push_back({RequestJoined{.before = "[", .between = ",", .after = "]", .members = members}});
  LabCall call = {.roles = {{{0, 0}}}};
  EXPECT_EQ(Render(nodes, call), "[x]");
  call.new_values = {{{{0, 0}, kQuote.attribute}, std::nullopt}};
  EXPECT_EQ(Render(nodes, call), "");
}

TEST_F(RequestTemplateTest, WhatACallChangesCanBeACondition) {
  RequestNodes text;
  AppendText("moved", text);
  RequestNodes nodes;
  AppendWhere({.changed = {kScore}}, text, nodes);
  text = {{RequestText{"stays"}}};
  AppendWhere({.unchanged = {kScore}}, text, nodes);
  LabCall call = {.roles = {{{0, 0}}}, .new_values = {{{{0, 0}, kScore.attribute}, "8"}}};
  EXPECT_EQ(Render(nodes, call), "moved");
  call.new_values.begin()->second = "7";
  EXPECT_EQ(Render(nodes, call), "stays");
  EXPECT_EQ(Readable(nodes), "moved");
}

TEST(RequestSteps, AreMadeForAFewInstancesAtATime) {
  LabCall call = {.roles = {{}, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}}};
  PlanStep step = {.each = 1, .each_from = 1, .each_count = 3};
  EXPECT_EQ(CountRequests(step, call), 2U);
  SelectRequest(step, 1, call);
  EXPECT_EQ(call.window.role, 1);
  EXPECT_EQ(call.window.from, 4U);
  EXPECT_EQ(call.window.to, 7U);
  step.each_once = true;
  EXPECT_EQ(CountRequests(step, call), 1U);
  step = {.shards = 3};
  EXPECT_EQ(CountRequests(step, call), 3U);
  SelectRequest(step, 2, call);
  EXPECT_EQ(call.shard, 2);
  EXPECT_EQ(call.window.role, kLabNone);
}

}  // namespace
}  // namespace hashrange
