// Costs: what the traffic of a measurement costs. A price per million calls of each pattern needs
// nothing but the measurement. A month needs declared rates, or at least an hour of the server's
// clock. Prices are a PriceList's. Pure functions; any thread.
//
//   Costs ─┬─ patterns        US$ per million calls, by table and index
//          ├─ month           the same traffic for a month, under three plans
//          ├─ storage         a month of what is stored
//          └─ assumptions     what the reader has to know about the figures, a sentence each
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/call_rates.h"
#include "measure/cost/price_list.h"
#include "measure/cost/throughput_load.h"
#include "measure/measurement.h"

namespace hashrange {

// How a figure came about.
inline constexpr std::string_view kMethodMeasured = "measured";  // counted
inline constexpr std::string_view kMethodModelled = "modelled";  // by a model of the service
inline constexpr std::string_view kMethodExtrapolated =
    "extrapolated";  // counted, then multiplied up

struct CostInput {
  PriceList prices = BuiltInPrices();
  std::vector<CallRate> rates = {};
};

// What the calls of a pattern cost at one table or index, on demand.
struct ResourcePrice {
  std::string table = {};
  std::string index = {};
  double read_units_a_call = 0;
  double write_units_a_call = 0;
  double read_usd_per_million = 0;  // calls of the pattern
  double write_usd_per_million = 0;
};

struct PatternPrice {
  std::string id = {};
  std::string name = {};
  std::string text = {};
  std::string method = {};  // kMethodMeasured or, after a what-if, kMethodModelled
  double calls = 0;
  std::vector<ResourcePrice> resources = {};
  double failed_usd_per_million = 0;  // what failed calls took, for a million calls of all
  double vector_usd_per_million = 0;  // what vector indexes charged
  double usd_per_million = 0;         // the sum
};

struct CostLine {
  std::string what = {};  // "reads", "writes", "vector searches", "storage", "stream reads", …
  std::string table = {};
  std::string index = {};
  std::string method = {};  // kMethodMeasured, kMethodModelled, kMethodExtrapolated
  double quantity = 0;      // of a month
  std::string unit = {};    // of `quantity`
  double usd = 0;           // a month
};

// A way to pay for a month.
struct CostPlan {
  std::string name = {};
  std::vector<CostLine> lines = {};
  double usd = 0;                   // the sum
  double units_above_capacity = 0;  // a month: what provisioned capacity would have throttled
};

// What the figures of a month are computed from.
enum class MonthBasis : std::uint8_t { kNone, kDeclared, kExtrapolated };

struct MonthCost {
  MonthBasis basis = MonthBasis::kNone;
  std::string sentence =
      {};  // "from the declared rates", "extrapolated from 3.2 hours", "not computed: …"
  CostPlan on_demand = {};    // every table on demand
  CostPlan provisioned = {};  // every table provisioned with autoscaling
  CostPlan as_declared = {};  // on-demand tables on demand, others with the throughput they declare
  CostPlan streams = {};      // GetRecords calls; only when it is extrapolated
};

struct Costs {
  std::vector<PatternPrice> patterns = {};  // in the measurement's order
  double usd_per_million = 0;               // calls of this mix
  MonthCost month = {};
  CostPlan storage = {};                              // a month of what the tables and indexes hold
  std::vector<std::string> rates_without_calls = {};  // declared, but no pattern has such calls
  std::vector<std::string> assumptions = {};
};

// Returns the costs.
// Cost: O(patterns × (rates + resources) + resources × (resources + tables + buckets of time)), and
//       a few thousand stretches of time for each table and global index, for an extrapolated
//       month.
Costs ComputeCosts(const Measurement& measurement, const CostInput& input);

// Returns a month of the declared rates, each table as it declares to be billed, storage included;
// nothing where no rate is declared, or the sum is beyond all numbers.
std::optional<double> DeclaredMonthUsd(const Costs& costs);

// Returns the three plans of a month in which the loads repeat, with quantities that are modelled.
MonthCost MonthOfLoads(std::span<const ThroughputLoad> loads, const PriceList& prices);

// Returns what the calls of one pattern cost.
PatternPrice PriceOfPattern(const Measurement& measurement, const PatternMeasure& pattern,
                            const PriceList& prices);

// Returns the month of one table under a plan, all of its indexes included.
double UsdOfTable(const CostPlan& plan, std::string_view table);

}  // namespace hashrange
