#include "lab/endpoint/run_cost.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lab/run/traffic_arrivals.h"
#include "measure/cost/price_list.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr std::chrono::hours kHour{1};

double PriceOf(Charge charge, bool is_infrequent_access) {
  return UnitUsd(BuiltInPrices(), UsageTypeOf(charge, is_infrequent_access));
}

double CapacityHourUsd(const LabThroughput& throughput, bool is_infrequent_access) {
  if (throughput.on_demand) return 0;
  return static_cast<double>(throughput.read_units) *
             PriceOf(Charge::kReadCapacity, is_infrequent_access) +
         static_cast<double>(throughput.write_units) *
             PriceOf(Charge::kWriteCapacity, is_infrequent_access);
}

}  // namespace

LayoutPrices PricesOf(const LabLayout& layout) {
  LayoutPrices prices;
  for (const LabTable& table : layout.tables) {
    const bool is_rare = table.is_infrequent_access;
    prices.capacity_hour_usd += CapacityHourUsd(table.throughput, is_rare);
    for (const LabIndex& index : table.indexes) {
      if (index.is_local || table.throughput.on_demand) continue;
      // An index that says nothing of its own has what its table has.
      prices.capacity_hour_usd += CapacityHourUsd(
          index.throughput.on_demand ? table.throughput : index.throughput, is_rare);
    }
    if (!table.throughput.on_demand) continue;
    prices.read_unit_usd = std::max(prices.read_unit_usd, PriceOf(Charge::kReadRequest, is_rare));
    prices.write_unit_usd =
        std::max(prices.write_unit_usd, PriceOf(Charge::kWriteRequest, is_rare));
  }
  return prices;
}

double EndpointTraffic::Seconds(const LabFile& file) const {
  const double whole_s = TrafficFactor(file.traffic).length_s();
  return length_ms == 0 ? whole_s
                        : std::min(whole_s, static_cast<double>(length_ms) / kMsPerSecond);
}

RunCost EstimateRun(const LabFile& file, const LayoutRun& modelled, double fill_write_units,
                    const EndpointTraffic& traffic) {
  RunCost cost{.fill_write_units = fill_write_units};
  const double seconds = traffic.Seconds(file);
  const double area_s = traffic.rate * TrafficFactor(file.traffic).AreaAt(seconds);
  for (const PatternRun& pattern : modelled.patterns) {
    const double calls = pattern.declared_calls_per_second * area_s;
    if (!(calls > 0)) continue;
    const bool is_known = pattern.read_units.count() + pattern.write_units.count() > 0;
    // The model may have made fewer calls than the run will make: none, perhaps.
    const bool makes_more = pattern.weight > 1 || traffic.rate > 1;
    if (!is_known && (pattern.calls > 0 || makes_more)) cost.unknown.push_back(pattern.name);
    cost.read_units += calls * pattern.read_units.mean();
    cost.write_units += calls * pattern.write_units.mean();
  }
  const auto layout = std::ranges::find(file.layouts, modelled.layout, &LabLayout::name);
  if (layout == file.layouts.end()) return cost;
  const LayoutPrices prices = PricesOf(*layout);
  const double hours = std::max(1.0, std::ceil(seconds / kSecondsPerHour));
  cost.usd = cost.read_units * prices.read_unit_usd +
             (cost.fill_write_units + cost.write_units) * prices.write_unit_usd +
             hours * prices.capacity_hour_usd;
  return cost;
}

std::string RunCostText(const std::string& layout, const RunCost& cost) {
  std::string text = "\"" + layout + "\": about " + UsdText(cost.usd) + " for " +
                     CountedText(cost.fill_write_units, "write unit") + " of the fill, " +
                     CountedText(cost.read_units, "read unit") + " and " +
                     CountedText(cost.write_units, "write unit") + " of the traffic";
  for (std::size_t at = 0; at < cost.unknown.size(); ++at) {
    text += (at == 0 ? ", and what \"" : "\", \"") + cost.unknown[at];
  }
  return cost.unknown.empty() ? text : text + "\" takes, which is not known";
}

void SpendCount::BeginLayout(const LayoutPrices& prices, Instant now) {
  prices_ = prices;
  next_hour_ = now;
  CountHours(now);
}

void SpendCount::CountHours(Instant now) {
  for (; next_hour_ <= now; next_hour_ += kHour) usd_ += prices_.capacity_hour_usd;
}

void SpendCount::EndLayout(Instant now) {
  CountHours(now);
  prices_ = {};
}

std::string SpendCount::ExceededText(double more_usd) const {
  const std::string allowed = ", and --spend allows " + UsdText(most_usd_.value_or(0));
  if (more_usd == 0) return "The run has cost about " + UsdText(usd_) + allowed;
  return "The run would cost " + UsdText(usd_ + more_usd) + " with the first hour of the layout" +
         allowed;
}

}  // namespace hashrange
