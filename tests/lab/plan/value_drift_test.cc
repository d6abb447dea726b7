// What updates are expected to take while the traffic changes what they write, held against figures
// that were worked out by hand.
#include <gtest/gtest.h>

#include <string>

#include "lab/plan/cost/value_drift.h"
#include "plan_text.h"

namespace hashrange {
namespace {

// 3,000 tickets of which 900 are OPEN. In the traffic, `close` closes each of them 0.4 times, and
// `close open` takes 300 of those that are OPEN: 0.1 of all.
constexpr const char* kTickets = R"(
lab: 1
entities:
  Ticket: {count: 3000, attributes: {ticket_id: {sequence: 6}, status: {choice: {OPEN: 3, CLOSED: 7}}, used: 0, kind: {choice: {a: 2, b: 1, c: 1}}}}
access_patterns:
  close: {update: Ticket, by: [ticket_id], set: {status: CLOSED}, rate: 20/s}
  close open: {update: Ticket, by: [ticket_id], if: {status: OPEN}, set: {status: CLOSED}, pick: {where: {status: OPEN}}, rate: 5/s}
  use: {update: Ticket, by: [ticket_id], set: {used: 1}, rate: 20/s}
  sort out: {update: Ticket, by: [ticket_id], set: {kind: c}, rate: 0.001/s}
layouts:
  one:
    tables:
      app:
        key: [PK]
        indexes: {ByStatus: {key: [StatusPK, PK]}, ByUse: {key: [UsePK, PK], projection: keys_only}, ByKind: {key: [KindPK, PK], projection: keys_only}}
        items:
          Ticket: {PK: "T#{ticket_id}", StatusPK: "STATUS#{status}", UsePK: "USED#{used}", KindPK: "KIND#{kind}"}
traffic: [{for: 60s, rate: 1}]
)";

KeyCost CostOfIndex(const std::string& pattern, const std::string& index) {
  const LabFile file = FileOf(kTickets);
  for (const KeyCost& key : CostOfPattern(file, pattern).keys) {
    const LabIndex* const found = IndexOf(file.layouts.front(), key.key);
    if (found != nullptr && found->name == index) return key;
  }
  return {};
}

// The share x that is OPEN begins with 0.3 and falls as x' = −0.4·x − 0.1, so it is 0.2033 on
// average. An entry that moves takes two units; one that stays takes none.
TEST(ValueDrift, AConstantThatIsThereAlreadyTakesNoUnitOfAnIndex) {
  EXPECT_NEAR(CostOfIndex("close", "ByStatus").units, 2 * 0.2033, 0.002);
}

// What is picked where it is OPEN is always moved.
TEST(ValueDrift, WhatAConditionSaysDoesNotDrift) {
  EXPECT_NEAR(CostOfIndex("close open", "ByStatus").units, 2, 1e-9);
}

// Each of 3,000 tickets is used 0.4 times: (1 − e^(−0.4)) / 0.4 is 0.8242. ByStatus holds `used`,
// too.
TEST(ValueDrift, AnInitialConstantIsReplacedOnce) {
  EXPECT_NEAR(CostOfIndex("use", "ByUse").units, 2 * 0.8242, 0.002);
  EXPECT_NEAR(CostOfIndex("use", "ByStatus").units, 0.8242, 0.001);
}

// Half are of kind a and a quarter of kind b: a half and a quarter of the calls remove an entry at
// these keys, and three quarters put one at c.
TEST(ValueDrift, AnEntryLeavesOneKeyForAnother) {
  const KeyCost cost = CostOfIndex("sort out", "ByKind");
  EXPECT_NEAR(cost.units, 2 * 0.75, 0.001);
  EXPECT_NEAR(cost.hottest_share, 0.75 / 1.5, 0.001);
}

TEST(ValueDrift, TellsSharesOfEachPattern) {
  const LabFile file = FileOf(kTickets);
  const FileModel model(file);
  const auto share = [&](int pattern, int attribute, const std::string& value) {
    return ShareBeforeCall(model, pattern, 0, {.attribute = {0, attribute}, .values = {value}});
  };
  EXPECT_NEAR(share(0, 1, "CLOSED"), 1 - 0.2033, 0.001);
  EXPECT_NEAR(share(0, 1, "OPEN"), 0.2033, 0.001);
  EXPECT_NEAR(share(2, 2, "1"), 1 - 0.8242, 0.001);
  EXPECT_NEAR(share(2, 2, "0"), 0.8242, 0.001);
  EXPECT_NEAR(share(3, 3, "c"), 0.25, 0.001);
}

}  // namespace
}  // namespace hashrange
