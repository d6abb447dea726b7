// Measures what it costs to plan a layout, expected costs included: 10 entities in one overloaded
// table with three indexes, and 25 patterns.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "lab/language/lab_reader.h"
#include "lab/plan/layout_plan.h"

namespace hashrange {
namespace {

constexpr const char* kFamily = R"(
  Customer@: {count: 100000, attributes: {customer_id@: {sequence: 8}, email@: "{customer_id@}@example.com", created_at@: {time: {past: 730d}}, name@: {text: [8, 24]}}}
  Order@: {of: Customer@, count: {zipf: 0.7, mean: 4, max: 200}, attributes: {order_id@: {ulid: placed_at@}, placed_at@: {time: {past: 365d}}, status@: {choice: {OPEN: 3, PAID: 7, SHIPPED: 90}}, total@: {number: {lognormal: [4, 1], decimals: 2}}}}
  Line@: {of: Order@, count: {poisson: 3, min: 1, max: 20}, distinct: sku@, attributes: {sku@: {ref: Product@.sku_id@, pick: {zipf: 0.8}}, quantity@: {number: [1, 5]}, note@: {text: [40, 160]}}}
  Product@: {count: 2000, attributes: {sku_id@: {sequence: 5}, title@: {text: [20, 60]}, stock@: {number: [100, 999]}}}
  Event@: {of: Customer@, count: 12, attributes: {event_id@: {uuid: true}, at@: {time: {past: 90d}}, kind@: {choice: [LOGIN, LOGOUT, VIEW]}}}
)";

constexpr const char* kPatterns = R"(
  customer@: {get: Customer@, by: [customer_id@], rate: 100/s, pick: zipf}
  by e-mail@: {get: Customer@, by: [email@], rate: 10/s}
  orders of a customer@: {query: Order@, by: [customer_id@], order: -placed_at@, limit: 20, rate: 50/s, pick: zipf}
  orders of a week@: {query: Order@, by: [customer_id@], range: {placed_at@: {last: 7d}}, rate: 50/s, pick: zipf}
  order with lines@: {query: [Order@, Line@], by: [order_id@], rate: 50/s, pick: latest}
  orders of a product@: {query: Line@, by: [sku@], limit: 50, rate: 1/s}
  open orders@: {query: Order@, by: [{status@: OPEN}], order: placed_at@, limit: 25, rate: 1/s}
  events of a customer@: {query: Event@, by: [customer_id@], range: {at@: {last: 1d}}, rate: 5/s}
  sign up@: {create: Customer@, unique: [email@], rate: 20/s}
  place an order@: {create: Order@, with: [Line@], set: {status@: OPEN}, rate: 5/s, pick: zipf}
  pay@: {update: Order@, by: [order_id@], set: {status@: PAID}, if: {status@: OPEN}, rate: 5/s}
  restock@: {update: Product@, by: [sku_id@], add: {stock@: 100}, rate: 1/s}
)";

constexpr const char* kItems = R"(
          Customer@:
            - {PK: "CUST@#{customer_id@}", SK: METADATA, GSI1PK: "CUSTOMERS@", GSI1SK: "{created_at@}"}
            - {PK: "EMAIL@#{email@}", SK: EMAIL, attributes: [customer_id@]}
          Order@: {PK: "ORDER@#{order_id@}", SK: METADATA, GSI1PK: "CUST@#{customer_id@}", GSI1SK: "ORDER#{placed_at@}#{order_id@}", GSI2PK: {template: "OPEN@", when: {status@: OPEN}}, GSI2SK: {template: "{placed_at@}", when: {status@: OPEN}}}
          Line@: {PK: "ORDER@#{order_id@}", SK: "ITEM#{sku@}", GSI1PK: "PRODUCT@#{sku@}", GSI1SK: "ORDER#{order_id@}"}
          Product@: {PK: "PRODUCT@#{sku_id@}", SK: METADATA}
          Event@: {PK: "CUST@#{customer_id@}", SK: "EVENT#{at@}#{event_id@}"}
)";

// Returns the text with the number in the place of each sign.
std::string Numbered(std::string text, char number) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at)) {
    const bool is_of_email = text.compare(at, 8, "@example") == 0;
    if (!is_of_email) text[at] = number;
    ++at;
  }
  return text;
}

LabFile LargeFile() {
  const std::string extra =
      "  newest customers: {query: Customer1, order: -created_at1, limit: 50, rate: 2/s}\n";
  const auto read = ReadLabFile(
      "lab: 1\nentities:\n" + Numbered(kFamily, '1') + Numbered(kFamily, '2') +
          "access_patterns:\n" + Numbered(kPatterns, '1') + Numbered(kPatterns, '2') + extra +
          "layouts:\n  one:\n    tables:\n      app:\n        key: [PK, SK]\n        indexes: "
          "{GSI1: "
          "{key: [GSI1PK, GSI1SK]}, GSI2: {key: [GSI2PK, GSI2SK], projection: keys_only}, GSI3: "
          "{key: [SK, PK], projection: keys_only}}\n        items:\n" +
          Numbered(kItems, '1') + Numbered(kItems, '2'),
      "large.yaml");
  if (!read.ok()) std::abort();
  return *read;
}

void ModelFile(benchmark::State& state) {
  const LabFile file = LargeFile();
  for (auto _ : state) {
    const FileModel model(file);
    benchmark::DoNotOptimize(&model);
  }
}
BENCHMARK(ModelFile)->Unit(benchmark::kMicrosecond);

void PlanLargeLayout(benchmark::State& state) {
  const LabFile file = LargeFile();
  const FileModel model(file);
  for (auto _ : state) {
    const auto plan = PlanLayout(model, file.layouts.front());
    benchmark::DoNotOptimize(plan->patterns.size());
  }
}
BENCHMARK(PlanLargeLayout)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace hashrange
