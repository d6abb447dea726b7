#include "lab/plan/request_template.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/rendered_item.h"
#include "plan_text.h"

namespace hashrange {
namespace {

using Kind = RequestPiece::Kind;
using Source = RequestSlot::Source;

constexpr LabAttributeRef kUserId = {0, 0};
constexpr LabAttributeRef kQuote = {0, 1};
constexpr LabAttributeRef kScore = {0, 2};
constexpr LabAttributeRef kDate = {0, 3};
constexpr LabAttributeRef kNoteId = {1, 0};

class RequestTemplateTest : public testing::Test {
 protected:
  RequestTemplateTest()
      : file_(LabFileOf(R"(
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

  std::string Render(const std::vector<RequestPiece>& pieces, const LabCall& call) const {
    std::string out;
    RenderRequest({.pieces = pieces}, population_, call, out);
    return out;
  }
  std::string Readable(const std::vector<RequestPiece>& pieces) const {
    return ReadableRequest(file_, {.pieces = pieces});
  }

  static RequestSlot Slot(LabAttributeRef attribute, int role = 0) {
    return {.role = role, .part = {.attribute = attribute}};
  }

  LabFile file_;
  Population population_;
};

TEST_F(RequestTemplateTest, TextsAreJoinedOnlyAtTheSameLevel) {
  std::vector<RequestPiece> pieces;
  AppendText("a", pieces);
  AppendText("b", pieces);
  std::vector<RequestPiece> inside;
  AppendText("c", inside);
  AppendGroup({.kind = Kind::kWhen}, inside, pieces);
  AppendText("d", pieces);
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[0].text, "ab");
  EXPECT_EQ(pieces[1].length, 1U);
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 0}}}}), "abcd");
  EXPECT_EQ(Render(pieces, {}), "abd");
}

TEST_F(RequestTemplateTest, ValuesAreEscaped) {
  std::vector<RequestPiece> pieces;
  AppendSlot(Slot(kQuote), pieces);
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 1}}}}), R"(say \"hi\"\\)");
  EXPECT_EQ(Readable(pieces), "{quote}");
}

TEST_F(RequestTemplateTest, NewValuesReplaceOldOnes) {
  std::vector<RequestPiece> pieces;
  AppendSlot(Slot(kScore), pieces);
  AppendText(" ", pieces);
  RequestSlot after = Slot(kScore);
  after.source = Source::kNewValue;
  AppendSlot(after, pieces);
  const LabCall call = {.roles = {{{0, 1}}},
                        .new_values = {{.attribute = kScore.attribute, .value = "8"}}};
  EXPECT_EQ(Render(pieces, call), "7 8");
}

TEST_F(RequestTemplateTest, FactorsMultiply) {
  std::vector<RequestPiece> pieces;
  for (const double factor : {-1.0, 2.0, 0.1}) {
    RequestSlot slot = Slot(kScore);
    slot.factor = factor;
    AppendSlot(slot, pieces);
    AppendText(" ", pieces);
  }
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 0}}}}), "-7 14 0.7 ");
  EXPECT_EQ(Readable(pieces), "-{score} 2 × {score} 0.1 × {score} ");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallHasTheFormOfItsAttribute) {
  RequestSlot slot = Slot(kDate);
  slot.source = Source::kNow;
  slot.offset_ms = -7LL * 86'400'000;
  std::vector<RequestPiece> pieces;
  AppendSlot(slot, pieces);
  EXPECT_EQ(Render(pieces, {.now_epoch_ms = 1'767'830'400'000}), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(Readable(pieces), "{now - 7d}");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallMayBeANumber) {
  using TimeForm = LabGenerator::TimeForm;
  std::vector<RequestPiece> pieces;
  for (const TimeForm form : {TimeForm::kSeconds, TimeForm::kMilliseconds}) {
    AppendSlot({.source = Source::kNow, .offset_ms = 1000, .now_form = form}, pieces);
    AppendText(" ", pieces);
  }
  EXPECT_EQ(Render(pieces, {.now_epoch_ms = 1'767'830'400'500}), "1767830401 1767830401500 ");
  EXPECT_EQ(Readable(pieces), "{now + 1s:seconds} {now + 1s:milliseconds} ");
}

TEST_F(RequestTemplateTest, TheTimeOfTheCallStaysInTheYearsThatTextHas) {
  constexpr std::int64_t kLongMs = 10'000LL * 365 * 86'400'000;
  std::vector<RequestPiece> pieces;
  for (const std::int64_t offset_ms : {-kLongMs, kLongMs}) {
    AppendSlot({.source = Source::kNow, .offset_ms = offset_ms}, pieces);
    AppendText(" ", pieces);
  }
  EXPECT_EQ(Render(pieces, {.now_epoch_ms = 1'767'830'400'000}),
            "1970-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z ");
}

TEST_F(RequestTemplateTest, AStartIsTheBeginningOfAValue) {
  RequestSlot slot = Slot(kQuote);
  slot.source = Source::kStart;
  slot.part.width = 5;
  std::vector<RequestPiece> pieces;
  AppendSlot(slot, pieces);
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 0}}}}), R"(say \")");
  EXPECT_EQ(Readable(pieces), "{quote:prefix5}");
}

TEST_F(RequestTemplateTest, EachInstanceOfAWindowIsRendered) {
  std::vector<RequestPiece> one;
  AppendSlot(Slot(kUserId), one);
  std::vector<RequestPiece> pieces;
  AppendGroup({.kind = Kind::kEach, .text = ",", .role = 0}, one, pieces);
  LabCall call = {.roles = {{{0, 0}, {0, 1}, {0, 2}}}};
  const std::string all = Render(pieces, call);
  EXPECT_EQ(all.size(), 8U) << all;
  call.window = {.role = 0, .from = 1, .to = 5};
  EXPECT_EQ(Render(pieces, call), all.substr(3));
  EXPECT_EQ(Readable(pieces), "{user_id},…");
}

TEST_F(RequestTemplateTest, DescendantsAreThoseOfTheBoundInstance) {
  std::vector<RequestPiece> note;
  AppendSlot(Slot(kNoteId, 1), note);
  std::vector<RequestPiece> user;
  AppendText("[", user);
  AppendGroup({.kind = Kind::kEach, .text = ",", .role = 1}, note, user);
  AppendText("]", user);
  std::vector<RequestPiece> pieces;
  AppendGroup({.kind = Kind::kEach, .text = " ", .role = 0}, user, pieces);
  const LabCall call = {.roles = {{{0, 0}, {0, 1}}, {{1, 0}, {1, 1}, {1, 2}, {1, 3}}}};
  std::string expected;
  for (std::uint64_t number = 0; number < 4; ++number) {
    expected += number % 2 == 0 ? (number == 0 ? "[" : " [") : ",";
    expected += population_.Value({1, number}, kNoteId);
    if (number % 2 == 1) expected += "]";
  }
  EXPECT_EQ(Render(pieces, call), expected);
}

TEST_F(RequestTemplateTest, ExistingChildrenCanBeRenderedWithoutARole) {
  std::vector<RequestPiece> note;
  AppendSlot(Slot(kNoteId, 1000), note);
  std::vector<RequestPiece> pieces;
  AppendGroup({.kind = Kind::kChildren,
               .text = ",",
               .role = 1000,
               .of_role = 0,
               .child_entity = 1,
               .except = 1},
              note, pieces);
  const std::string first = population_.Value({1, 2}, kNoteId);
  const std::string second = population_.Value({1, 3}, kNoteId);
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 1}}}}), first + "," + second);
  EXPECT_EQ(Render(pieces, {.roles = {{{0, 1}}, {{1, 2}}}}), second);
}

TEST_F(RequestTemplateTest, AnEmptyListLeavesNothing) {
  std::vector<RequestPiece> sometimes;
  AppendText("x", sometimes);
  std::vector<RequestPiece> members;
  AppendGroup({.kind = Kind::kWhen, .has = {kQuote}}, sometimes, members);
  AppendGroup({.kind = Kind::kUnless, .has = {kScore}}, sometimes, members);
  std::vector<RequestPiece> pieces;
  AppendGroup({.kind = Kind::kJoined, .text = ",", .before = "[", .after = "]"}, members, pieces);
  LabCall call = {.roles = {{{0, 0}}}};
  EXPECT_EQ(Render(pieces, call), "[x]");
  call.new_values = {{.attribute = kQuote.attribute, .value = std::nullopt}};
  EXPECT_EQ(Render(pieces, call), "");
}

TEST_F(RequestTemplateTest, WhatACallChangesCanBeACondition) {
  std::vector<RequestPiece> text;
  AppendText("moved", text);
  std::vector<RequestPiece> pieces;
  AppendGroup({.kind = Kind::kWhen, .changed = {kScore}}, text, pieces);
  text.front().text = "stays";
  AppendGroup({.kind = Kind::kWhen, .unchanged = {kScore}}, text, pieces);
  LabCall call = {.roles = {{{0, 0}}},
                  .new_values = {{.attribute = kScore.attribute, .value = "8"}}};
  EXPECT_EQ(Render(pieces, call), "moved");
  call.new_values.front().value = "7";
  EXPECT_EQ(Render(pieces, call), "stays");
  EXPECT_EQ(Readable(pieces), "moved");
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

TEST(ItemSizes, OfNumbersCountDigits) {
  const std::pair<const char*, std::size_t> kSizes[] = {
      {"0", 1},     {"1", 2},       {"12", 2},    {"123", 3},       {"123456", 4},
      {"100", 2},   {"1010", 3},    {"0.15", 2},  {"0.0000001", 2}, {"1.5", 3},
      {"1.234", 4}, {"3.14159", 5}, {"100.5", 4}, {"-42", 3}};
  for (const auto& [number, bytes] : kSizes) {
    EXPECT_EQ(SizeOfNumberText(number), bytes) << number;
  }
}

}  // namespace
}  // namespace hashrange
