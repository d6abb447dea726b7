// The schema and the reader allow the same: of a valid file, one text is replaced, and what each of
// them says alone is compared. What only the reader can know (names, sums, orders) is not here.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "lab/language/lab_document.h"
#include "lab/language/lab_reader.h"
#include "lab/language/lab_schema.h"

namespace hashrange {
namespace {

constexpr std::string_view kValid = R"(lab: 1
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
)";

struct Change {
  std::string_view replaced;
  std::string_view by;
  bool is_allowed;
};

std::string Changed(const Change& change) {
  std::string text(kValid);
  const std::size_t place = text.find(change.replaced);
  EXPECT_NE(place, std::string::npos) << change.replaced;
  return text.replace(place, change.replaced.size(), change.by);
}

// clang-format off
constexpr Change kChanges[] = {
    {"seed: 7", "seed: 9223372036854775807", true},
    {"seed: 7", "seed: 9223372036854775808", false},
    {"start: 2026-01-01T00:00:00Z", "start: 2026-01-01", false},
    {"start: 2026-01-01T00:00:00Z", "start: 2026-01-01T00:00:00+02:00", false},
    {"start: 2026-01-01T00:00:00Z", "start: 1767225600", false},
    {"sequence: 4", "sequence: 18", true},
    {"sequence: 4", "sequence: 19", false},
    {"start: 1}", "start: 0}", true},
    {"start: 1}", "start: 100000000000000000}", true},
    {"start: 1}", "start: 100000000000000001}", false},
    {"start: 1}", "start: -1}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {zipf: 0.9, mean: 0, max: 9}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {zipf: -1, mean: 3, max: 9}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {zipf: 0.9, mean: 3, max: 9, decimals: 1}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {uniform: [-1, 3]}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {normal: [3, 1], min: -2}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {normal: [3, 1], min: 0}", true},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: {fixed: -1}", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: [-1, 3]", false},
    {"count: {zipf: 0.9, mean: 3, max: 9}", "count: -3", false},
    {"number: [1, 500]", "number: [-5, 500]", true},
    {"number: [1, 500]", "number: {normal: [0, 1], min: -3, decimals: 10}", true},
    {"number: [1, 500]", "number: {fixed: -3}", true},
    {"number: [1, 500]", "number: {zipf: 1, mean: 0}", false},
    {"number: [1, 500]", "number: {poisson: -1}", false},
    {"decimals: 2", "decimals: 11", false},
    {"text: [1, 5]", "text: {uniform: [1, 5], decimals: 1}", false},
    {"text: [1, 5]", "text: -5", false},
    {"by: [customer_id], batch", "batch", false},
    {"batch: 2", "batch: 0", false},
    {"batch: 2", "batch: 10000", true},
    {"batch: 2", "batch: 10001", false},
    {"batch: 2", "transaction: true", true},
    {"limit: 5", "limit: 0", false},
    {"limit: 5", "limit: 1000000", true},
    {"limit: 5", "limit: 1000001", false},
    {"limit: 5", "transaction: true", false},
    {"limit: 5", "batch: 5", false},
    {"last: 7d", "next: 7d", true},
    {"last: 7d", "next: 7d, last: 7d", false},
    {"last: 7d", "last: 7d, to: x", false},
    {"last: 7d", "next: 1 d", false},
    {"last: 7d", "to: 2026-02", true},
    {"last: 7d", "from: 2026-01, to: 2026-02", true},
    {"last: 7d", "between: [a, b], to: c", false},
    {"placed_at: {last: 7d}", "note: {prefix: 1024}", true},
    {"placed_at: {last: 7d}", "note: {prefix: 1025}", false},
    {"placed_at: {last: 7d}", "note: {prefix: 0}", false},
    {"rate: 1/s, pick: zipf", "rate: 0/s, pick: zipf", false},
    {"rate: 1/s, pick: zipf", "rate: 0.0/s, pick: zipf", false},
    {"rate: 1/s, pick: zipf", "rate: 0.05/d, pick: zipf", true},
    {"pick: zipf", "pick: {zipf: 0}", true},
    {"pick: zipf", "pick: {latest: -1}", false},
    {"pick: zipf", "pick: {hot: {share: 0.2}}", false},
    {"create: Order,", "create: Order, by: [order_id],", false},
    {"create: Order,", "create: Order, if: {status: OPEN},", false},
    {"create: Order,", "create: Order, unique: [note],", true},
    {"update: Customer, by: [customer_id],", "update: Customer,", false},
    {"also: [{update: Customer, by: [customer_id], set: {vip: true}}]", "also: []", false},
    {"also: [{update: Customer, by: [customer_id], set: {vip: true}}]", "also: [{create: Order, by: [order_id]}]", false},
    {"also: [{update: Customer, by: [customer_id], set: {vip: true}}]", "also: [{create: Order, if: {status: OPEN}}]", false},
    {"also: [{update: Customer, by: [customer_id], set: {vip: true}}]", "also: [{check: Customer, if: {vip: true}}]", false},
    {"also: [{update: Customer, by: [customer_id], set: {vip: true}}]", "also: [{delete: Customer}]", false},
    {"by: [order_id], set", "set", false},
    {"by: [order_id], set", "by: order_id, set", false},
    {"by: [order_id], set", "by: [order_id, {status: OPEN, note: x}], set", true},
    {"set: {status: PAID}", "batch: 2, set: {status: PAID}", false},
    {"of: uniform", "of: {where: {status: PAID}}", false},
    {"of: uniform", "of: {hot: {share: 0.2, traffic: 0.8}}", true},
    {"key: [PK, SK]", "key: {hash: [PK], range: [SK]}", true},
    {"key: [PK, SK]", "key: {hash: [PK, SK]}", false},
    {"key: [PK, SK]", "key: {hash: [], range: [SK]}", false},
    {"key: [PK, SK]", "key: [PK, \"\"]", false},
    {"key: [GSI1PK]", "key: {hash: [GSI1PK], range: [PK, SK]}", true},
    {"key: [GSI1PK]", "key: {hash: [GSI1PK, PK, SK, expires, email]}", false},
    {"key: [GSI1PK]", "key: []", false},
    {"local: false", "local: null", true},
    {"read: 10,", "read: 0,", false},
    {"read: 10,", "read: 1000000,", true},
    {"write: 10", "write: 1000001", false},
    {"ttl: expires", "ttl: \"\"", false},
    {"ttl: expires", "type_attribute: \"\"", false},
    {"ttl: expires", "type_attribute: none", true},
    {", period: 30m", "", true},
    {", period: 30m", ", period: 0m", false},
    {"for: 1h", "for: 0h", false},
    {"for: 1h", "for: 0.5h", true},
    {"for: 1h,", "for: 1h, hot: {},", false},
    {"for: 1h,", "for: 1h, hot: {Order: 1.1},", false},
    {"sinusoid: [1, 2]", "sinusoid: [-1, 2]", false},
    {"sinusoid: [1, 2]", "sinusoid: [0, 2]", true},
    {"attempts: 3", "attempts: 100", true},
    {"attempts: 3", "attempts: 101", false},
    {"latency: 5ms", "latency: 0ms", true},
    {"headroom: 2", "headroom: 0", false},
    {"headroom: 2", "month_usd: 0", false},
    {"headroom: 2", "storage_gb: 0", false},
    {"headroom: 2", "largest_collection_mb: 0", false},
    {"headroom: 2", "largest_collection_mb: 0.001", true},
    {"throttled: 0.1", "throttled: 0", true},
    {"throttled: 0.1", "failed: 1.1", false},
    {"severe_findings: 1", "severe_findings: 0", true},
    {"severe_findings: 1", "severe_findings: 1000001", false},
    {"read_units: 1", "read_units: 0", true},
    {"read_units: 1", "read_units: -1", false},
};
// clang-format on

TEST(LabSchemaBounds, TheSchemaAndTheReaderAllowTheSame) {
  const auto whole = ReadLabFile(kValid, "lab");
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  for (const Change& change : kChanges) {
    const Result<LabNode> tree = ReadLabDocument(Changed(change), "lab");
    ASSERT_TRUE(tree.ok()) << tree.error().message;
    std::vector<std::string> warnings;
    const Status by_schema = CheckAgainstLabSchema(*tree, "lab", &warnings);
    const Result<LabFile> by_reader = ReadLabTree(*tree, "lab", {});
    EXPECT_EQ(by_schema.ok(), change.is_allowed)
        << change.by << ": "
        << (by_schema.ok() ? "the schema allows it" : by_schema.error().message);
    EXPECT_EQ(by_reader.ok(), change.is_allowed)
        << change.by << ": "
        << (by_reader.ok() ? "the reader allows it" : by_reader.error().message);
  }
}

}  // namespace
}  // namespace hashrange
