// Metric families: the server's plain counters as the Prometheus client library takes them, by its
// naming conventions. Pure functions; any thread.
#pragma once

#include <prometheus/metric_family.h>

#include <string>
#include <utility>
#include <vector>

#include "simulation/call_statistics.h"

namespace hashrange {

using MetricFamilies = std::vector<prometheus::MetricFamily>;
using MetricLabels = std::vector<prometheus::ClientMetric::Label>;

// A family without metrics.
prometheus::MetricFamily MakeFamily(prometheus::MetricType type, std::string name,
                                    std::string help);
void AddCounter(prometheus::MetricFamily& family, MetricLabels labels, double value);
void AddGauge(prometheus::MetricFamily& family, MetricLabels labels, double value);

// hashrange_requests_total{operation} and what else is known by operation.
void AddOperations(const std::vector<OperationTotals>& operations, MetricFamilies& families);
// hashrange_consumed_capacity_units_total{account,region,table,index,kind} and the items.
void AddSeries(const std::vector<SeriesTotals>& series, MetricFamilies& families);

}  // namespace hashrange
