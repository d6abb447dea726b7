// Metric families: the server's plain counters by the names that Prometheus' conventions give them.
// Pure functions; any thread.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <string>
#include <vector>

#include "simulation/call_statistics.h"

namespace hashrange {

using MetricFamilies = std::vector<prometheus::MetricFamily>;
using MetricLabels = std::vector<prometheus::ClientMetric::Label>;

// A family without metrics.
prometheus::MetricFamily MakeFamily(prometheus::MetricType type, std::string name,
                                    std::string help);
// To a family of counters or of gauges.
void AddMetric(prometheus::MetricFamily& family, MetricLabels labels, double value);

// hashrange_requests_total{operation} and what else is known by operation.
void AddOperations(const std::vector<OperationTotals>& operations, MetricFamilies& families);
// hashrange_consumed_capacity_units_total{account,region,table,index,kind} and the items.
void AddSeries(const std::vector<SeriesTotals>& series, MetricFamilies& families);

}  // namespace hashrange
