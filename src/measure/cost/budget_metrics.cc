#include "measure/cost/budget_metrics.h"

#include <algorithm>

#include "measure/measured_tables.h"
#include "measure/named_patterns.h"

namespace hashrange {
namespace {

constexpr SizeMetric kSizeMetrics[] = {
    {"read_units",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.read_units; }},
    {"write_units",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.write_units; }},
    {"items_examined",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.items_examined; }},
    {"items_returned",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.items_returned; }},
    {"bytes_examined",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.bytes_examined; }},
    {"bytes_returned",
     [](const PatternMeasure& p) -> const Distribution& { return p.call.bytes_returned; }},
    {"pages", [](const PatternMeasure& p) -> const Distribution& { return p.pages_a_call; }},
};

constexpr SizeStatistic kSizeStatistics[] = {
    {"p50", [](const Distribution& sizes) { return sizes.Percentile(0.5); }},
    {"p95", [](const Distribution& sizes) { return sizes.Percentile(0.95); }},
    {"p99", [](const Distribution& sizes) { return sizes.Percentile(0.99); }},
    {"max", [](const Distribution& sizes) { return sizes.max(); }},
    {"mean", [](const Distribution& sizes) { return sizes.mean(); }},
};

double ShareOfRequests(double count, const PatternMeasure& pattern) {
  const double requests = std::max(static_cast<double>(pattern.requests), CallsOf(pattern));
  return requests == 0 ? 0 : count / requests;
}

constexpr PatternMetric kPatternMetrics[] = {
    {"examined_per_returned",
     [](const PatternMeasure& p, const PatternPrice&) { return ExaminedPerReturned(p); }},
    {"errors", [](const PatternMeasure& p,
                  const PatternPrice&) { return ShareOfRequests(TotalOf(p.errors), p); }},
    {"throttled", [](const PatternMeasure& p,
                     const PatternPrice&) { return ShareOfRequests(TotalOf(p.throttles), p); }},
    {"failed_conditions",
     [](const PatternMeasure& p, const PatternPrice&) {
       return ShareOfRequests(static_cast<double>(p.failed_conditions), p);
     }},
    {"usd_per_million",
     [](const PatternMeasure&, const PatternPrice& price) { return price.usd_per_million; }},
};

std::optional<double> MonthOf(const Measurement&, const TableMeasure& table, const Costs& costs) {
  if (costs.month.basis == MonthBasis::kNone) return std::nullopt;
  return UsdOfTable(costs.month.as_declared, table.name) +
         UsdOfTable(costs.month.streams, table.name) + UsdOfTable(costs.storage, table.name);
}

std::optional<double> LargestCollection(const Measurement& measurement, const TableMeasure& table,
                                        const Costs&) {
  if (table.items == 0) return 0;
  const ResourceMeasure* const resource = FindResourceMeasure(measurement, table.name, "");
  if (!resource || resource->collections.count == 0) return std::nullopt;
  return resource->collections.size_bytes.max();
}

constexpr TableMetric kTableMetrics[] = {
    {"usd_per_month", &MonthOf,
     "a month is computed from declared rates, or from an hour of the server's clock"},
    {"largest_collection_bytes", &LargestCollection, "item collections were not walked"},
    {"size_bytes",
     [](const Measurement&, const TableMeasure& table, const Costs&) -> std::optional<double> {
       return static_cast<double>(table.size_bytes);
     },
     ""},
};

constexpr std::string_view kSeverities[] = {"severe", "warning", "hint"};

}  // namespace

std::span<const SizeMetric> SizeMetrics() { return kSizeMetrics; }
std::span<const SizeStatistic> SizeStatistics() { return kSizeStatistics; }
std::span<const PatternMetric> PatternMetrics() { return kPatternMetrics; }
std::span<const TableMetric> TableMetrics() { return kTableMetrics; }
std::span<const std::string_view> FindingSeverities() { return kSeverities; }

}  // namespace hashrange
