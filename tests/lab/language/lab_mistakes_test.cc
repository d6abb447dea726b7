// Mistakes in lab files: a valid file in which one text is replaced, and the sentence that the
// reader gives. lab_bounds.inc has the bounds of each form, lab_errors.inc what contradicts itself,
// and lab_warnings.inc what was hardly meant.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lab/language/lab_reader.h"

namespace hashrange {
namespace {

constexpr std::string_view kValid = R"(lab: 1
entities:
  Customer: {count: 100, attributes: {customer_id: {sequence: 4}, email: "{customer_id}@example.com", vip: {flag: 0.1}}}
  Order: {of: Customer, count: {poisson: 3, max: 9}, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 30d}}, status: {choice: {OPEN: 1, PAID: 9}}, total: {number: [1, 500]}}}
  Line: {of: Order, count: [1, 5], distinct: sku, attributes: {sku: {ref: Product.sku}, quantity: {number: [1, 5]}, title: {ref: Product.title, with: sku}}}
  Product: {count: 50, attributes: {sku: {sequence: 4}, title: {text: [5, 20]}, stock: {number: [0, 99]}}}
access_patterns:
  read: {get: Order, by: [order_id], rate: 1/s}
  list: {query: Order, by: [customer_id], order: -created_at, rate: 1/s, pick: zipf}
  place: {create: Order, with: [Line], also: [{update: Product, each: Line, by: [sku], add: {stock: -1}}], rate: 1/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, if: {status: OPEN}, rate: 1/s}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        indexes: {GSI1: {key: [GSI1PK, GSI1SK], projection: [order_id, total]}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C}
          Order: {PK: "O#{order_id}", SK: O, GSI1PK: "C#{customer_id}", GSI1SK: "{created_at}"}
          Line: {PK: "O#{order_id}", SK: "L#{sku}"}
          Product: {PK: "P#{sku}", SK: P}
  two:
    like: one
    tables: {shop: {items: {Line: {embed: Order.lines, map_by: sku}}}}
traffic: [{for: 1m, rate: 1}]
limits: {"*": {headroom: 2}}
)";

// A valid file that has what the bounds are about.
constexpr std::string_view kBounded = R"(lab: 1
seed: 7
start: 2026-01-01T00:00:00Z
entities:
  Customer: {count: 100, attributes: {customer_id: {sequence: 4, start: 1}, email: "{customer_id}@example.com", vip: {flag: 0.1}, created_at: {time: {past: 30d}}}}
  Order: {of: Customer, count: {zipf: 0.9, mean: 3, max: 9}, attributes: {order_id: {ulid: placed_at}, placed_at: {time: {past: 30d}}, status: {choice: {OPEN: 1, PAID: 9}}, total: {number: [1, 500], decimals: 2}, note: {text: [1, 5]}}}
access_patterns:
  read: {get: Customer, by: [customer_id], batch: 2, rate: 1/s}
  list: {query: Order, by: [customer_id], range: {placed_at: {last: 7d}}, limit: 5, returns: [total], rate: 1/s, pick: zipf}
  place: {create: Order, also: [{update: Customer, by: [customer_id], set: {vip: true}}], rate: 1/s}
  pay: {update: Order, by: [order_id], set: {status: PAID}, rate: 1/s, pick: {where: {status: OPEN}, of: uniform}}
layouts:
  one:
    tables:
      shop:
        key: [PK, SK]
        billing: {read: 10, write: 10}
        ttl: expires
        indexes: {GSI1: {key: [GSI1PK], local: false}}
        items:
          Customer: {PK: "C#{customer_id}", SK: C, GSI1PK: C}
          Order: {PK: "O#{order_id}", SK: O, expires: "{total}"}
traffic: [{for: 1h, sinusoid: [1, 2], period: 30m}]
client: {attempts: 3, latency: 5ms}
limits: {"*": {headroom: 2, throttled: 0.1, severe_findings: 1, patterns: {read: {read_units: 1}}}}
partitions: {write_units: 100, burst: 500ms, split_heat: 0.9, split_delay: {max: 5m}}
)";

// One change of a valid file.
struct Mistake {
  std::string_view replaced;
  std::string_view by;
  std::string_view sentence;  // "": the changed file is valid, too
};

std::string Changed(std::string_view valid, const Mistake& mistake) {
  std::string text(valid);
  const std::size_t place = text.find(mistake.replaced);
  EXPECT_NE(place, std::string::npos) << mistake.replaced;
  return text.replace(place, mistake.replaced.size(), mistake.by);
}

TEST(LabMistakes, TheValidFilesHaveNoneAndNoWarning) {
  for (const std::string_view valid : {kValid, kBounded}) {
    const auto file = ReadLabFile(valid, "lab");
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(file->warnings, std::vector<std::string>{});
  }
}

constexpr Mistake kBounds[] = {
#include "lab/language/lab_bounds.inc"
};
constexpr Mistake kErrors[] = {
#include "lab/language/lab_errors.inc"
};
constexpr Mistake kWarnings[] = {
#include "lab/language/lab_warnings.inc"
};

TEST(LabMistakes, ValuesJustBeyondABoundAreRefused) {
  for (const Mistake& mistake : kBounds) {
    const auto file = ReadLabFile(Changed(kBounded, mistake), "lab");
    EXPECT_EQ(file.ok() ? "" : file.error().message, mistake.sentence) << mistake.by;
  }
}

TEST(LabMistakes, ErrorsNameThePlaceAndWhatIsAllowed) {
  for (const Mistake& mistake : kErrors) {
    const auto file = ReadLabFile(Changed(kValid, mistake), "lab");
    EXPECT_FALSE(file.ok()) << mistake.by;
    if (file.ok()) continue;
    EXPECT_EQ(file.error().message, mistake.sentence) << mistake.by;
  }
}

TEST(LabMistakes, WhatWasHardlyMeantIsAWarning) {
  for (const Mistake& mistake : kWarnings) {
    const auto file = ReadLabFile(Changed(kValid, mistake), "lab");
    ASSERT_TRUE(file.ok()) << mistake.by << ": " << file.error().message;
    std::string warnings;
    for (const std::string& warning : file->warnings) warnings += warning + "\n";
    EXPECT_EQ(warnings, mistake.sentence) << mistake.by;
  }
}

// No two bookings of a member are of one class, so the key needs no booking_id.
TEST(LabMistakes, AKeyByWhatIsDistinctIsNone) {
  const auto warnings = [](const std::string& key) {
    const auto file = ReadLabFile(R"(lab: 1
entities:
  Class: {count: 50, attributes: {class_id: {sequence: 4}}}
  Member: {count: 100, attributes: {member_id: {sequence: 4}}}
  Booking: {of: Member, count: 3, distinct: class_id, attributes: {booking_id: {uuid: true}, class_id: {ref: Class.class_id}}}
access_patterns:
  bookings: {query: Booking, by: [member_id], rate: 1/s}
layouts:
  one:
    tables:
      app:
        key: [PK, SK]
        items:
          Booking: )" + key + "\n",
                                  "lab");
    EXPECT_TRUE(file.ok()) << file.error().message;
    return file.ok() ? file->warnings.size() : 0;
  };
  EXPECT_EQ(warnings(R"({PK: "M#{member_id}", SK: "B#{class_id}"})"), 0U);
  EXPECT_EQ(warnings(R"({PK: "C#{class_id}", SK: "B#{member_id}"})"), 0U);
  EXPECT_EQ(warnings(R"({PK: "C#{class_id}", SK: B})"), 1U);
  EXPECT_EQ(warnings(R"({PK: "M#{member_id}", SK: B})"), 1U);
}

}  // namespace
}  // namespace hashrange
