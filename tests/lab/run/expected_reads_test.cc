// What reads are expected to take is held against what calls take of a database.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "lab/run/lab_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

// Runs all layouts of the file, and expects of each read the units and requests of its plan, but
// for this share.
void ExpectRunsTakeWhatIsExpected(const char* yaml, double deviation) {
  const LabFile file = FileOf(yaml);
  const auto result = RunLab(file, {.confirms_first_limit = false});
  ASSERT_TRUE(result.ok()) << result.error().message;
  for (const LayoutRun& run : result->runs) {
    for (std::size_t i = 0; i < file.patterns.size(); ++i) {
      if (file.patterns[i].kind == LabPattern::Kind::kWrite) continue;
      SCOPED_TRACE(run.layout + ": " + file.patterns[i].name);
      const PatternRun& pattern = run.patterns[i];
      const PatternCost& cost = run.plan.patterns[i].cost;
      ASSERT_GT(pattern.calls, 300U);
      ASSERT_EQ(pattern.throttled + pattern.failed, 0U);
      const double requests =
          static_cast<double>(pattern.requests) / static_cast<double>(pattern.calls);
      EXPECT_NEAR(cost.requests, requests, requests * deviation);
      EXPECT_NEAR(cost.ReadUnits(), pattern.read_units.mean(),
                  pattern.read_units.mean() * deviation);
    }
  }
}

TEST(ExpectedReads, WalksOverPeriods) {
  ExpectRunsTakeWhatIsExpected(R"(
lab: 1
entities:
  Device: {count: 300, attributes: {device_id: {sequence: 6}}}
  Event: {of: Device, count: 90, attributes: {event_id: {ulid: at}, at: {time: {past: 30d}}, status: {choice: {OK: 2, BAD: 1}}, note: {text: [400, 800]}}}
  Booking: {of: Device, count: [10, 50], attributes: {booking_id: {uuid: true}, due: {time: {ahead: 10d}}}}
access_patterns:
  newest: {query: Event, by: [device_id], order: -at, limit: 20, rate: 10/s}
  newest bad: {query: Event, by: [device_id, {status: BAD}], order: -at, limit: 5, rate: 10/s}
  next: {query: Booking, by: [device_id], order: due, limit: 5, rate: 10/s}
  last: {query: Booking, by: [device_id], order: -due, limit: 5, rate: 10/s}
  add: {create: Event, rate: 10/s}
  book: {create: Booking, rate: 2/s}
layouts:
  days:
    tables:
      app:
        key: [PK, SK]
        items:
          Device: {PK: "D#{device_id}", SK: D}
          Event: {PK: "E#{device_id}#{at:day}", SK: "{at}#{event_id}"}
          Booking: {PK: "B#{device_id}#{due:day}", SK: "{booking_id}"}
  sharded index:
    tables:
      app:
        key: [PK, SK]
        indexes: {ByDay: {key: [DayPK, DaySK], projection: [status]}}
        items:
          Device: {PK: "D#{device_id}", SK: D}
          Event: {PK: "E#{event_id}", SK: E, DayPK: "E#{device_id}#{at:day}#{shard(event_id, 2)}", DaySK: "{at}"}
          Booking: {PK: "B#{booking_id}", SK: B, DayPK: "B#{device_id}#{due:day}", DaySK: "{due}"}
traffic: [{for: 60s, rate: 1}]
)",
                               0.06);
}

TEST(ExpectedReads, RangesThatTouchPeriodsInPart) {
  ExpectRunsTakeWhatIsExpected(R"(
lab: 1
start: "2026-01-01T10:00:00Z"
entities:
  Vet: {count: 100, attributes: {vet_id: {sequence: 4}}}
  Slot: {of: Vet, count: 300, attributes: {slot_id: {uuid: true}, at: {time: {ahead: 15d}}, note: {text: 1000}}}
access_patterns:
  next 12 hours: {query: Slot, by: [vet_id], range: {at: {next: 12h}}, order: at, rate: 10/s}
  next day: {query: Slot, by: [vet_id], range: {at: {next: 1d}}, rate: 10/s}
  book: {create: Slot, rate: 2/s}
layouts:
  with time: {tables: {app: {key: [PK, SK], items: {Vet: {PK: "V#{vet_id}", SK: V}, Slot: {PK: "S#{vet_id}#{at:day}", SK: "{at}#{slot_id}"}}}}}
  without: {tables: {app: {key: [PK, SK], items: {Vet: {PK: "V#{vet_id}", SK: V}, Slot: {PK: "S#{vet_id}#{at:day}", SK: "{slot_id}"}}}}}
traffic: [{for: 60s, rate: 1}]
)",
                               0.03);
}

TEST(ExpectedReads, ParentsWithSomeChildren) {
  ExpectRunsTakeWhatIsExpected(R"(
lab: 1
entities:
  Customer: {count: 100, attributes: {customer_id: {sequence: 6}, name: {text: [1000, 3000]}}}
  Order: {of: Customer, count: 60, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 90d}}, note: {text: [200, 400]}}}
access_patterns:
  newest: {query: [Customer, Order], by: [customer_id], order: -created_at, limit: 10, rate: 20/s}
  oldest: {query: [Order, Customer], by: [customer_id], order: created_at, limit: 10, rate: 20/s}
  order: {create: Order, rate: 5/s}
layouts:
  behind: {tables: {app: {key: [PK, SK], items: {Customer: {PK: "C#{customer_id}", SK: CUSTOMER}, Order: {PK: "C#{customer_id}", SK: "#ORDER#{created_at}#{order_id}"}}}}}
  index: {tables: {app: {key: [PK, SK], indexes: {GSI1: {key: [GPK, GSK]}}, items: {Customer: {PK: "C#{customer_id}", SK: METADATA, GPK: "C#{customer_id}", GSK: "Z"}, Order: {PK: "O#{order_id}", SK: O, GPK: "C#{customer_id}", GSK: "O#{order_id}"}}}}}
traffic: [{for: 30s, rate: 1}]
)",
                               0.02);
}

// Many calls find nothing to fetch, and some find more than one batch has.
TEST(ExpectedReads, BatchesOfWhatIsFetched) {
  ExpectRunsTakeWhatIsExpected(R"(
lab: 1
entities:
  Customer: {count: 200, attributes: {customer_id: {sequence: 6}, name: {text: [5, 20]}}}
  Order: {of: Customer, count: [20, 200], attributes: {order_id: {uuid: true}, at: {time: {past: 100d}}, status: {choice: {OPEN: 1, DONE: 99}}, note: {text: [100, 300]}}}
  Gift: {of: Customer, count: {poisson: 0.5}, attributes: {gift_id: {uuid: true}, at: {time: {past: 100d}}, note: {text: [100, 300]}, giver: {ref: Customer.customer_id}}}
access_patterns:
  orders: {query: Order, by: [customer_id], returns: [note, at], rate: 20/s}
  open orders: {query: Order, by: [customer_id, {status: OPEN}], returns: [note], rate: 20/s}
  gifts: {query: Gift, by: [customer_id], returns: [note], rate: 20/s}
  gifts with givers: {query: Gift, by: [customer_id], returns: [note, giver.name], rate: 20/s}
  givers: {get: Customer, each: {query: Gift, by: [customer_id]}, by: [giver], rate: 30/s}
  orders of givers: {query: Order, each: {query: Gift, by: [customer_id]}, by: [giver], order: -at, limit: 10, returns: [note], rate: 20/s}
layouts:
  index of keys:
    tables:
      app:
        key: [PK, SK]
        indexes: {GSI: {key: [GPK, GSK], projection: keys_only}, OPEN: {key: [OPK, GSK], projection: keys_only}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "O#{order_id}", SK: O, GPK: "C#{customer_id}", GSK: "{at}", OPK: {template: "C#{customer_id}", when: {status: OPEN}}}
          Gift: {PK: "G#{gift_id}", SK: G, GPK: "G#{customer_id}", GSK: "{at}"}
  local index:
    tables:
      app:
        key: [PK, SK]
        indexes: {LSI: {key: [PK, LSK], projection: keys_only, local: true}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "C#{customer_id}", SK: "O#{order_id}", LSK: "{at}"}
          Gift: {PK: "C#{customer_id}", SK: "G#{gift_id}", LSK: "G{at}"}
traffic: [{for: 40s, rate: 1}]
)",
                               0.08);
}

// What is found leads often to the same instances, for which a call asks once.
TEST(ExpectedReads, InstancesToWhichSeveralOfThoseThatAreFoundLead) {
  ExpectRunsTakeWhatIsExpected(R"(
lab: 1
entities:
  User: {count: 20, attributes: {user_id: {sequence: 3}, name: {text: 1000}}}
  Item: {count: 10, attributes: {item_id: {sequence: 3}, name: {text: 1000}, end: {time: {ahead: 10d}}}}
  Bid: {of: Item, count: 20, attributes: {bid_id: {sequence: 6}, bidder_id: {ref: User.user_id, pick: zipf}, note: {text: 500}}}
  Customer: {count: 40, attributes: {customer_id: {sequence: 3}}}
  Order: {of: Customer, count: {poisson: 3}, attributes: {order_id: {sequence: 6}, note: {text: 3000}}}
  Line: {of: Order, count: {poisson: 4}, attributes: {line_id: {sequence: 6}, kind: {choice: {small: 1, large: 3}}}}
access_patterns:
  items of bids: {get: Item, each: {query: Bid, by: [bidder_id]}, by: [item_id], rate: 20/s}
  items of bids that end: {query: Item, each: {query: Bid, by: [bidder_id]}, by: [item_id], range: {end: {next: 5d}}, rate: 20/s}
  bids on the same items: {query: Bid, each: {query: Bid, by: [bidder_id]}, by: [item_id], rate: 20/s}
  bidders: {get: User, each: {query: Bid, by: [item_id]}, by: [bidder_id], rate: 20/s}
  bids of the same bidders: {query: Bid, each: {query: Bid, by: [item_id]}, by: [bidder_id], rate: 20/s}
  orders with small lines: {get: Order, each: {query: Line, by: [customer_id, {kind: small}]}, by: [order_id], rate: 30/s}
  customer with large lines: {get: Customer, each: {query: Line, by: [customer_id, {kind: large}]}, by: [customer_id], rate: 30/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        indexes: {GSI1: {key: [GSI1PK, GSI1SK]}}
        items:
          User: {PK: "USER#{user_id}", SK: USER}
          Item: {PK: "ITEM#{item_id}", SK: ITEM}
          Bid: {PK: "ITEM#{item_id}", SK: "BID#{bid_id}", GSI1PK: "USER#{bidder_id}", GSI1SK: "BID#{bid_id}"}
          Customer: {PK: "CUSTOMER#{customer_id}", SK: CUSTOMER}
          Order: {PK: "ORDER#{order_id}", SK: ORDER, GSI1PK: "CUSTOMER#{customer_id}", GSI1SK: "ORDER#{order_id}"}
          Line: {PK: "ORDER#{order_id}", SK: "LINE#{line_id}", GSI1PK: "CUSTOMER#{customer_id}", GSI1SK: "LINE#{line_id}"}
traffic: [{for: 30s, rate: 1}]
)",
                               0.08);
}

}  // namespace
}  // namespace hashrange
