// Which of several ways a read takes, and what they cost, held against figures that were worked out
// by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan_text.h"

namespace hashrange {
namespace {

using Texts = std::vector<std::string>;

const PatternPlan& PlanNamed(const LabFile& file, const LayoutPlan& plan, const std::string& name) {
  const auto found = std::ranges::find(file.patterns, name, &LabPattern::name);
  return plan.patterns[static_cast<std::size_t>(found - file.patterns.begin())];
}

// An item has PK 8, SK 3, GPK 6, GSK 27, id 6, at 26, note 200 and entityType 15 bytes: 1,000 of
// them are 72 units of 4 KB. Of an entry of the index, there are the first 44: 1,000 are 11 units.
constexpr const char* kThings = R"(
lab: 1
entities:
  Thing: {count: 1000, attributes: {id: {sequence: 4}, at: {time: {past: 30d}}, note: {text: 196}}}
  Few: {count: 10, attributes: {few_id: {sequence: 4}}}
access_patterns:
  all: {query: Thing, rate: 5/s}
  all ids: {query: Thing, returns: [id], rate: 5/s}
  few: {query: Few, rate: 5/s}
layouts:
  keys:
    tables:
      app:
        key: [PK, SK]
        indexes: {All: {key: [GPK, GSK], projection: keys_only}}
        items: {Thing: {PK: "T#{id}", SK: T, GPK: ALL, GSK: "{at}"}}
      few:
        key: [PK, SK]
        indexes: {Sharded: {key: [SPK, PK], projection: all}}
        items: {Few: {PK: "F#{few_id}", SK: F, SPK: "{shard(few_id, 8)}"}}
traffic: [{for: 60s, rate: 1}]
)";

TEST(ReadChoice, ScanIsTakenWhereItCostsLessThanHalf) {
  const LabFile file = FileOf(kThings);
  const LayoutPlan plan = PlanOf(file);
  const PatternPlan& all = PlanNamed(file, plan, "all");
  EXPECT_EQ(all.service, PlanService::kScanned);
  EXPECT_EQ(all.cost.ReadUnits(), 36);
  EXPECT_EQ(
      all.reasons,
      (Texts{"A key serves, but costs more than twice as much as a Scan: all of app is read"}));
  EXPECT_EQ(all.rejected,
            (Texts{"app: its partition key T#{id} needs id, which the caller does not know",
                   "app / All: it would take about 506 read units, a Scan of app about 36, for it "
                   "lacks note"}));
  EXPECT_EQ(PlanNamed(file, plan, "all ids").cost.ReadUnits(), 5.5);
  ASSERT_EQ(plan.findings.size(), 1U);
  EXPECT_EQ(plan.findings[0].severity, "warning");
  EXPECT_EQ(plan.findings[0].what,
            "The pattern is a Scan, which costs less than half of what keys that serve cost.");
}

TEST(ReadChoice, ScanThatSavesFewUnitsIsToldOnly) {
  const LabFile file = FileOf(kThings);
  const PatternPlan few = PlanNamed(file, PlanOf(file), "few");
  EXPECT_EQ(few.service, PlanService::kFannedOut);
  EXPECT_DOUBLE_EQ(few.cost.ReadUnits(), 8 * 0.5);
  EXPECT_EQ(few.rejected,
            (Texts{"few: its partition key F#{few_id} needs few_id, which the caller does not know",
                   "few: a Scan of it would take about 0.5 read units, few / Sharded about 4, but "
                   "a Scan takes more with everything that is added"}));
}

// 720 slots are in 30 days from 10:00 on, one in an hour.
constexpr const char* kSlots = R"(
lab: 1
start: "2026-01-01T10:00:00Z"
entities:
  Vet: {count: 100, attributes: {vet_id: {sequence: 4}}}
  Slot: {of: Vet, count: 720, attributes: {slot_id: {uuid: true}, at: {time: {ahead: 30d}}}}
access_patterns:
  next 12 hours: {query: Slot, by: [vet_id], range: {at: {next: 12h}}, rate: 20/s}
  next day: {query: Slot, by: [vet_id], range: {at: {next: 1d}}, rate: 20/s}
  first of the day: {query: Slot, by: [vet_id], range: {at: {next: 1d}}, order: at, limit: 2, rate: 20/s}
layouts:
  with time: {tables: {app: {key: [PK, SK], items: {Vet: {PK: "V#{vet_id}", SK: V}, Slot: {PK: "S#{vet_id}#{at:day}", SK: "{at}#{slot_id}"}}}}}
  without: {tables: {app: {key: [PK, SK], items: {Vet: {PK: "V#{vet_id}", SK: V}, Slot: {PK: "S#{vet_id}#{at:day}", SK: "{slot_id}"}}}}}
traffic: [{for: 2s, rate: 1}]
)";

TEST(ReadChoice, PeriodsAreReadAsFarAsTheRangeTouchesThem) {
  struct Row {
    int layout;
    const char* pattern;
    double requests;
    double items;
  };
  const std::vector<Row> rows = {
      {0, "next 12 hours", 1, 12},   {0, "next day", 2, 24},
      {0, "first of the day", 2, 4},  // 2 from each day
      {1, "next 12 hours", 1, 14},    // until midnight
      {1, "next day", 2, 14 + 24},
  };
  const LabFile file = FileOf(kSlots);
  for (const Row& row : rows) {
    SCOPED_TRACE(std::to_string(row.layout) + " " + row.pattern);
    const PatternPlan plan = PlanNamed(file, PlanOf(file, row.layout), row.pattern);
    EXPECT_NEAR(plan.cost.requests, row.requests, 1e-6);
    EXPECT_NEAR(plan.cost.items, row.items, 0.01);
  }
}

// An item of Customer has PK 10, SK 10 or 11, customer_id 17, name 4,004 and entityType 18 bytes,
// and one of Order PK 10, SK about 60, order_id 34, created_at 34, note 304, customer_id 17 and
// entityType 15: a customer is a unit of 4 KB, ten orders are 2, and both together are 3.
constexpr const char* kCustomers = R"(
lab: 1
entities:
  Customer: {count: 300, attributes: {customer_id: {sequence: 6}, name: {text: 4000}}}
  Order: {of: Customer, count: 60, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 90d}}, note: {text: 300}}}
access_patterns:
  newest: {query: [Customer, Order], by: [customer_id], order: -created_at, limit: 10, rate: 20/s}
  oldest: {query: [Order, Customer], by: [customer_id], order: created_at, limit: 10, rate: 20/s}
layouts:
  behind: {tables: {app: {key: [PK, SK], items: {Customer: {PK: "C#{customer_id}", SK: CUSTOMER}, Order: {PK: "C#{customer_id}", SK: "#ORDER#{created_at}#{order_id}"}}}}}
  before: {tables: {app: {key: [PK, SK], items: {Customer: {PK: "C#{customer_id}", SK: "#CUSTOMER"}, Order: {PK: "C#{customer_id}", SK: "ORDER#{created_at}#{order_id}"}}}}}
  times: {tables: {app: {key: [PK, SK], items: {Customer: {PK: "C#{customer_id}", SK: CUSTOMER}, Order: {PK: "C#{customer_id}", SK: "{created_at}#{order_id}"}}}}}
traffic: [{for: 2s, rate: 1}]
)";

TEST(ReadChoice, ParentIsReadWithItsLastChildrenWhereItSortsBeforeThem) {
  struct Row {
    int layout;
    const char* pattern;
    double requests;
    double items;
    double units;
  };
  const std::vector<Row> rows = {
      {0, "newest", 1, 11, 1.5}, {0, "oldest", 2, 11, 1.5}, {1, "newest", 2, 11, 1.5},
      {1, "oldest", 1, 11, 1.5}, {2, "newest", 1, 11, 1.5},
  };
  const LabFile file = FileOf(kCustomers);
  for (const Row& row : rows) {
    SCOPED_TRACE(std::to_string(row.layout) + " " + row.pattern);
    const PatternPlan plan = PlanNamed(file, PlanOf(file, row.layout), row.pattern);
    EXPECT_EQ(plan.steps.size(), static_cast<std::size_t>(row.requests));
    EXPECT_NEAR(plan.cost.requests, row.requests, 1e-6);
    EXPECT_NEAR(plan.cost.items, row.items, 0.01);
    EXPECT_NEAR(plan.cost.ReadUnits(), row.units, 0.01);
  }
}

// An entry of ByWins has PK 10, SK 8, GPK 9 and GSK 12 bytes: a hundred of them are a unit. A
// quarter of the hundred players of a group is in a league. An item is half a unit of 4 KB.
constexpr const char* kPlayers = R"(
lab: 1
entities:
  Group: {count: 50, attributes: {group_id: {sequence: 4}}}
  Player: {of: Group, count: 100, attributes: {player_id: {sequence: 6}, wins: {number: [0, 999]}, league: {choice: [A, B, C, D]}, note: {text: 1950}}}
access_patterns:
  by league: {query: Player, by: [group_id, {league: A}], rate: 20/s}
  top of a league: {query: Player, by: [group_id, {league: A}], order: -wins, limit: 3, rate: 20/s}
  top: {query: Player, by: [group_id], order: -wins, limit: 3, rate: 20/s}
  by wins: {query: Player, by: [group_id], range: {wins: {between: [100, 200]}}, returns: [player_id], rate: 20/s}
  win: {update: Player, by: [group_id, player_id], add: {wins: 1}, rate: 2/s}
layouts:
  global: {tables: {app: {key: [PK, SK], indexes: {ByWins: {key: [GPK, GSK], projection: keys_only}}, items: {Group: {PK: "G#{group_id}", SK: G}, Player: {PK: "P#{player_id}", SK: "{league}#{group_id}", GPK: "G#{group_id}", GSK: "{wins:03}#{player_id}"}}}}}
  local: {tables: {app: {key: [PK, SK], indexes: {ByWins: {key: [PK, LSK], local: true, projection: keys_only}}, items: {Group: {PK: "X#{group_id}", SK: G}, Player: {PK: "G#{group_id}", SK: "P#{player_id}", LSK: "{wins:03}#{player_id}"}}}}}
traffic: [{for: 60s, rate: 1}]
)";

TEST(ReadChoice, KeyOfTheTableNarrowsAnIndexBeforeTheFetch) {
  const LabFile file = FileOf(kPlayers);
  const LayoutPlan plan = PlanOf(file);
  const PatternPlan& all = PlanNamed(file, plan, "by league");
  ASSERT_EQ(all.steps.size(), 2U);
  EXPECT_NE(ReadableRequest(file, all.steps[0].request).find(R"("FilterExpression":"#SK = :SK")"),
            std::string::npos);
  EXPECT_NEAR(all.cost.ReadUnits(), 0.5 + 25 * 0.5, 0.01);
  EXPECT_NEAR(PlanNamed(file, plan, "top of a league").cost.ReadUnits(), 0.5 + 3 * 0.5, 0.01);
}

TEST(ReadChoice, KeyThatHasTheValueIsReadInPlaceOfTheItem) {
  const LabFile file = FileOf(kPlayers);
  const PatternPlan plan = PlanNamed(file, PlanOf(file), "by wins");
  EXPECT_EQ(plan.steps.size(), 1U);
  EXPECT_NEAR(plan.cost.ReadUnits(), 0.5, 0.01);
  EXPECT_EQ(plan.reasons,
            (Texts{"ByWins: the caller knows the partition key G#{group_id}",
                   "The sort key is between 100 and 200~, which finds all while wins is from 0 to "
                   "999",
                   "The client leaves out those whose wins is outside of the range: no filter can",
                   "The client reads wins out of GSK, which has the whole value",
                   "The client reads player_id out of PK, which has the whole value"}));
}

// The service rounds up what it looks up for a page as a whole: three items are 1.5 units of 4 KB.
TEST(ReadChoice, LocalIndexLooksUpAllThatAPageMeets) {
  const LabFile file = FileOf(kPlayers);
  const LayoutPlan plan = PlanOf(file, 1);
  EXPECT_NEAR(PlanNamed(file, plan, "top").cost.ReadUnits(), 0.5 + 2 * 0.5, 0.01);
  EXPECT_EQ(PlanNamed(file, plan, "by league").steps.front().request.index, "");
}

}  // namespace
}  // namespace hashrange
