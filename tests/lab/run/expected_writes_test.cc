// What writes are expected to take is held against what calls take of a database.
#include <gtest/gtest.h>

#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

// What one call takes.
struct CallFigures {
  double requests = 0;
  double read_units = 0;
  double write_units = 0;
};

void ExpectFigures(const CallFigures& found, const CallFigures& expected, double deviation) {
  EXPECT_NEAR(found.requests, expected.requests, expected.requests * deviation);
  EXPECT_NEAR(found.read_units, expected.read_units, expected.read_units * deviation);
  EXPECT_NEAR(found.write_units, expected.write_units, expected.write_units * deviation);
}

constexpr const char* kCoupons = R"(
lab: 1
entities:
  Coupon: {count: 100, attributes: {coupon_id: {sequence: 6}, zone: {text: 4}, used: 0}}
  Order: {count: 100, attributes: {order_id: {sequence: 6}, coupon_id: {ref: Coupon.coupon_id, present: 0.1}}}
access_patterns:
  place: {create: Order, also: [{update: Coupon, by: [coupon_id], add: {used: 1}}], rate: 20/s}
layouts:
  one:
    tables:
      app:
        key: [PK]
        indexes: {ByCoupon: {key: [GPK], projection: [zone]}}
        items:
          Coupon: {PK: "P#{coupon_id}", GPK: "{coupon_id}"}
          Order: {PK: "O#{order_id}"}
traffic: [{for: 120s, rate: 1}]
)";

// Runs the file, and expects that the calls of its first pattern in its first layout take these
// figures, but for a share, both by the plan and by the run.
void ExpectCallsTake(const char* yaml, const CallFigures& expected, double deviation = 0.002) {
  const LabFile file = FileOf(yaml);
  const auto result = RunLab(file, {.confirms_first_limit = false});
  ASSERT_TRUE(result.ok()) << result.error().message;
  const LayoutRun& run = result->runs.front();
  const PatternRun& pattern = run.patterns.front();
  const PatternCost& cost = run.plan.patterns.front().cost;
  ASSERT_GT(pattern.calls, 300U);
  EXPECT_EQ(pattern.throttled + pattern.failed + pattern.conditions, 0U);
  const double calls = static_cast<double>(pattern.calls);
  {
    SCOPED_TRACE("the plan");
    ExpectFigures({.requests = cost.requests,
                   .read_units = cost.ReadUnits(),
                   .write_units = cost.WriteUnits()},
                  expected, deviation);
  }
  SCOPED_TRACE("the run");
  ExpectFigures({.requests = static_cast<double>(pattern.requests) / calls,
                 .read_units = pattern.read_units.mean(),
                 .write_units = pattern.write_units.mean()},
                expected, deviation);
}

// A Query of ByOrder finds the key: half a unit.
TEST(ExpectedWrites, ALookUpFetchesNothingThatTheWriteDoesNotNeed) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Customer: {count: 500, attributes: {customer_id: {sequence: 6}}}
  Order: {of: Customer, count: 2, attributes: {order_id: {uuid: true}, note: {text: 100}}}
access_patterns:
  annotate: {update: Order, by: [order_id], set: {note: {text: 100}}, rate: 10/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {ByOrder: {key: [OrderPK], projection: keys_only}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "C#{customer_id}", SK: "O#{order_id}", OrderPK: "{order_id}"}
traffic: [{for: 60s, rate: 1}]
)",
                  {.requests = 2, .read_units = 0.5, .write_units = 1});
}

// ByOrder lacks the zone, which the key of the item in ByZone needs: a Query of half a unit, a
// BatchGetItem of half a unit, and an update of the item and of its entries that are deleted and
// put in ByZone.
TEST(ExpectedWrites, ALookUpFetchesWhatTheWriteNeedsAndItsIndexLacks) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Customer: {count: 500, attributes: {customer_id: {sequence: 6}}}
  Order: {of: Customer, count: 2, attributes: {order_id: {uuid: true}, zone: {text: 4}, note: {text: 100}}}
access_patterns:
  annotate: {update: Order, by: [order_id], set: {note: {uuid: true}}, rate: 10/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {ByOrder: {key: [OrderPK], projection: keys_only}, ByZone: {key: [ZonePK], projection: keys_only}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "C#{customer_id}", SK: "O#{order_id}", OrderPK: "{order_id}", ZonePK: "Z#{zone}#{note}"}
traffic: [{for: 60s, rate: 1}]
)",
                  {.requests = 3, .read_units = 1, .write_units = 3});
}

// Five queries of half a unit each, one BatchGetItem of five times half a unit, and one
// BatchWriteItem of five times two items and an entry of ByOrder.
TEST(ExpectedWrites, WhatAnIndexLacksIsFetchedForAllInstancesAtOnce) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Customer: {count: 5000, attributes: {customer_id: {sequence: 6}}}
  Order: {of: Customer, count: 2, attributes: {order_id: {uuid: true}, zone: {text: 4}}}
access_patterns:
  drop: {delete: Order, by: [order_id], batch: 5, rate: 10/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {ByOrder: {key: [OrderPK], projection: keys_only}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: [{PK: "C#{customer_id}", SK: "O#{order_id}", OrderPK: "{order_id}"}, {PK: "Z#{zone}", SK: "{order_id}", attributes: [customer_id]}]
traffic: [{for: 60s, rate: 1}]
)",
                  {.requests = 7, .read_units = 5, .write_units = 15});
}

// A customer of a picked order has 13 orders on average, not 10: of 1 to 19, whose variance is 30,
// 10 + 30 / 10. The Query of so many items of 1,000 bytes reads 3.6 blocks of 4 KB, half of a unit
// each.
TEST(ExpectedWrites, ALookUpInACollectionMeetsTheLargerOnes) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Customer: {count: 1000, attributes: {customer_id: {sequence: 6}}}
  Order: {of: Customer, count: [1, 19], attributes: {order_id: {uuid: true}, zone: {text: 4}, note: {text: 850}}}
access_patterns:
  annotate: {update: Order, by: [customer_id, order_id], set: {note: {text: 850}}, rate: 40/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        items:
          Customer: {PK: "CUSTOMER#{customer_id}", SK: C}
          Order: {PK: "C#{customer_id}", SK: "O#{zone}#{order_id}"}
traffic: [{for: 100s, rate: 1}]
)",
                  {.requests = 2, .read_units = 1.8, .write_units = 1}, 0.03);
}

// An order of a picked line has 13 lines, not 10, as above. The item has 13 times 1,000 bytes.
TEST(ExpectedWrites, AnUpdateInsideOfAnItemMeetsTheLargerOnes) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Order: {count: 1000, attributes: {order_id: {uuid: true}}}
  Line: {of: Order, count: [1, 19], attributes: {line_id: {uuid: true}, note: {text: 900}}}
access_patterns:
  annotate: {update: Line, by: [order_id, line_id], set: {note: {text: 900}}, rate: 40/s}
layouts:
  one:
    tables:
      shop:
        key: [PK]
        items:
          Order: {PK: "{order_id}"}
          Line: {embed: Order.lines, map_by: line_id}
traffic: [{for: 100s, rate: 1}]
)",
                  {.requests = 1, .read_units = 0, .write_units = 12.7}, 0.03);
}

// An order of 1,000 bytes with 3 lines of 1,000 bytes.
TEST(ExpectedWrites, WhatIsInsideOfAnItemAndTheItemItselfAreOneUpdate) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Order: {count: 1000, attributes: {order_id: {uuid: true}, changes: {number: [0, 9]}, note: {text: 900}}}
  Line: {of: Order, count: 3, attributes: {line_id: {uuid: true}, note: {text: 900}}}
access_patterns:
  annotate: {update: Line, by: [order_id, line_id], set: {note: {text: 900}}, also: [{update: Order, by: [order_id], add: {changes: 1}}], rate: 10/s}
layouts:
  one:
    tables:
      shop:
        key: [PK]
        items:
          Order: {PK: "{order_id}"}
          Line: {embed: Order.lines, map_by: line_id}
traffic: [{for: 60s, rate: 1}]
)",
                  {.requests = 1, .read_units = 0, .write_units = 4});
}

// The item's key is read once, by a Query of half a unit.
TEST(ExpectedWrites, WhatIsInsideOfAnItemAndTheItemItselfAreLookedUpOnce) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Customer: {count: 500, attributes: {customer_id: {sequence: 6}}}
  Order: {of: Customer, count: 2, attributes: {order_id: {uuid: true}, changes: {number: [0, 9]}}}
  Line: {of: Order, count: 3, attributes: {line_id: {uuid: true}, note: {text: 90}}}
access_patterns:
  annotate: {update: Line, by: [order_id, line_id], set: {note: {text: 90}}, also: [{update: Order, by: [order_id], add: {changes: 1}}], rate: 10/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {ByOrder: {key: [order_id], projection: keys_only}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "C#{customer_id}", SK: "O#{order_id}"}
          Line: {embed: Order.lines, map_by: line_id}
traffic: [{for: 60s, rate: 1}]
)",
                  {.requests = 2, .read_units = 0.5, .write_units = 1});
}

// One of ten orders has a coupon: the transaction takes two units for the order, and two more for
// the coupon where there is one.
TEST(ExpectedWrites, WhatAnAbsentReferenceLeadsToIsNotWritten) {
  ExpectCallsTake(kCoupons, {.requests = 1, .write_units = 2 + 0.1 * 2}, 0.02);
}

// Without a transaction, the coupon is a request of its own, whose key has to be read first.
TEST(ExpectedWrites, WhatAnAbsentReferenceLeadsToIsNotLookedUp) {
  std::string text = kCoupons;
  const auto replace = [&](const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
  };
  replace("rate: 20/s", "transaction: false, rate: 20/s");
  replace("P#{coupon_id}", "P#{zone}#{coupon_id}");
  ExpectCallsTake(text.c_str(),
                  {.requests = 1 + 0.1 * 2, .read_units = 0.1 * 0.5, .write_units = 1 + 0.1 * 1},
                  0.1);
}

// Sender and receiver are one account in 7.84 % of the transfers: the sum of the squares of 50
// shares by zipf 0.99. Then the account is written once.
TEST(ExpectedWrites, TwoRolesOfOneEntityMayBeOneInstance) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Account: {count: 50, attributes: {account_id: {sequence: 6}, balance: {number: [100, 999]}}}
  Transfer: {count: 100, attributes: {transfer_id: {sequence: 6}, sender: {ref: Account.account_id, pick: zipf}, receiver: {ref: Account.account_id, pick: zipf}, amount: {number: [1, 99]}}}
access_patterns:
  transfer: {create: Transfer, also: [{update: Account, by: [sender], add: {balance: "-{amount}"}}, {update: Account, by: [receiver], add: {balance: "{amount}"}}], rate: 5/s}
layouts:
  one: {tables: {app: {key: [PK], items: {Account: {PK: "A#{account_id}"}, Transfer: {PK: "T#{transfer_id}"}}}}}
traffic: [{for: 300s, rate: 1}]
)",
                  {.requests = 1, .write_units = 2 * (1 + 1 + 1 - 0.0784)}, 0.01);
}

// Three lines refer to 2.51 different ones of ten products by zipf 0.99, and a transaction writes
// each once.
TEST(ExpectedWrites, WhatIsReferredToTwiceIsWrittenOnce) {
  ExpectCallsTake(R"(
lab: 1
entities:
  Product: {count: 10, attributes: {sku: {sequence: 4}, stock: {number: [100, 999]}}}
  Order: {count: 10, attributes: {order_id: {sequence: 6}}}
  Line: {of: Order, count: 3, attributes: {line_id: {sequence: 6}, sku: {ref: Product.sku, pick: zipf}}}
access_patterns:
  place: {create: Order, with: [Line], also: [{update: Product, each: Line, by: [sku], add: {stock: -1}}], rate: 5/s}
layouts:
  one: {tables: {app: {key: [PK, SK], items: {Product: {PK: "P#{sku}", SK: P}, Order: {PK: "O#{order_id}", SK: O}, Line: {PK: "O#{order_id}", SK: "{line_id}"}}}}}
traffic: [{for: 300s, rate: 1}]
)",
                  {.requests = 1, .write_units = 2 * (1 + 3 + 2.51)}, 0.01);
}

}  // namespace
}  // namespace hashrange
