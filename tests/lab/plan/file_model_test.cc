// What declarations say in numbers, held against what was worked out by hand.
#include "lab/plan/cost/file_model.h"

#include <gtest/gtest.h>

#include <string>

#include "plan_text.h"

namespace hashrange {
namespace {

constexpr const char* kOrders = R"(
lab: 1
start: 2026-01-01T00:00:00Z
entities:
  Customer: {count: 1000, attributes: {customer_id: {sequence: 8, start: 0}, tier: {choice: {gold: 1, plain: 8, silver: 1}}}}
  Seller: {count: 100, attributes: {seller_id: {sequence: 4}, level: {number: [1, 10]}}}
  Order:
    of: Customer
    count: 20
    attributes:
      order_id: {uuid: true}
      at: {time: {past: 100d}}
      until: {time: {ahead: 100d}, form: seconds}
      paid: {time: {ahead: 100d}, form: milliseconds}
      tier: {of: Customer.tier}
      own: {choice: {gold: 1, plain: 8, silver: 1}}
      rank: {choice: [1, 5, 9, 10]}
      seller: {ref: Seller.seller_id}
      level: {ref: Seller.level, with: seller}
access_patterns:
  0.25 at: {query: Order, by: [customer_id], pick: {where: {at: {below: "2025-10-18"}}}}
  0.75 at: {query: Order, by: [customer_id], pick: {where: {at: {at_least: "2025-10-18"}}}}
  0.25 until: {query: Order, by: [customer_id], pick: {where: {until: {above: 1773705600}}}}
  0.75 until: {query: Order, by: [customer_id], pick: {where: {until: {at_most: 1773705600}}}}
  0.25 paid: {query: Order, by: [customer_id], pick: {where: {paid: {above: 1773705600000}}}}
  0.1 tier: {query: Order, by: [customer_id], pick: {where: {tier: gold}}}
  0.9 tier: {query: Order, by: [customer_id], pick: {where: {tier: {not: gold}}}}
  0.3 level: {query: Order, by: [customer_id], pick: {where: {level: {at_most: 3}}}}
  0.5 until: {query: Order, by: [customer_id], range: {until: {between: [1769385600, 1773705600]}}}
  0.5 paid: {query: Order, by: [customer_id], range: {paid: {between: [1769385600000, 1773705600000]}}}
  0.75 paid: {query: Order, by: [customer_id], range: {paid: {from: 1769385600000}}}
  0.9 tier range: {query: Order, by: [customer_id], range: {tier: {from: plain}}}
  0.1 tier range: {query: Order, by: [customer_id], range: {tier: {to: gold}}}
  0.5 rank: {query: Order, by: [customer_id], range: {rank: {from: 9}}}
  0.3 level range: {query: Order, by: [customer_id], range: {level: {from: 8}}}
  0.25 customer: {query: Customer, range: {customer_id: {from: "00000750"}}}
  0.01 customer: {query: Customer, range: {customer_id: {between: ["00000750", "00000759"]}}}
  gold by copy: {query: Order, by: [{tier: gold}]}
  gold by own: {query: Order, by: [{own: gold}]}
  gold of a customer by copy: {query: Order, by: [customer_id, {tier: gold}], returns: [paid]}
  gold of a customer by own: {query: Order, by: [customer_id, {own: gold}], returns: [paid]}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        indexes:
          Copy: {key: [CopyPK, PK]}
          Own: {key: [OwnPK, PK]}
          Copies: {key: [CopiesPK], projection: keys_only}
          Owns: {key: [OwnsPK], projection: keys_only}
        items:
          Order: {PK: "O#{order_id}", SK: O, CopyPK: "{tier}", OwnPK: "{own}", CopiesPK: "{customer_id}#{tier}", OwnsPK: "{customer_id}#{own}"}
)";

// The name of a pattern begins with the share of the instances that its condition or its range
// leaves.
TEST(FileModel, SharesOfConditionsAndRanges) {
  const LabFile file = FileOf(kOrders);
  const FileModel model(file);
  int compared = 0;
  for (const LabPattern& pattern : file.patterns) {
    if (!pattern.name.starts_with("0.")) continue;
    ++compared;
    double share = model.ShareOf(pattern.range);
    for (const LabCondition& condition : pattern.pick.where) share *= model.ShareOf(condition);
    EXPECT_NEAR(share, std::stod(pattern.name), 0.02) << pattern.name;
  }
  EXPECT_EQ(compared, 17);
}

// A constant that is a copy of the customer's is as frequent as one of the order's own.
TEST(FileModel, ConstantsOfCopies) {
  const LabFile file = FileOf(kOrders);
  const PatternCost gold = CostOfPattern(file, "gold by own");
  EXPECT_NEAR(CostOfPattern(file, "gold by copy").items, gold.items, 0.01 * gold.items);
  EXPECT_NEAR(CostOfPattern(file, "gold by copy").ReadUnits(), gold.ReadUnits(), 1);
  // Of a customer, all orders have the copy, or none has it, and then there is nothing to fetch.
  const PatternCost own = CostOfPattern(file, "gold of a customer by own");
  const PatternCost copy = CostOfPattern(file, "gold of a customer by copy");
  EXPECT_NEAR(own.items, 2, 1e-6);
  EXPECT_NEAR(own.requests, 1.88, 0.01);  // 1 − 0.9²⁰ of the calls fetch
  EXPECT_NEAR(copy.items, 2, 0.05);
  EXPECT_LT(copy.requests, 1.35);  // 0.1 of the calls fetch
}

}  // namespace
}  // namespace hashrange
