// Metric families: the server's plain counters by the names that Prometheus' conventions give them.
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "control/metrics_text.h"
#include "simulation/call_statistics.h"

namespace hashrange {

using MetricFamilies = std::vector<MetricFamily>;

// A family without metrics.
MetricFamily MakeFamily(MetricType type, std::string name, std::string help);
void AddMetric(MetricFamily& family, MetricLabels labels, double value);

// hashrange_requests_total{operation} and what else is known by operation.
void AddOperations(const std::vector<OperationTotals>& operations, MetricFamilies& families);
// hashrange_consumed_capacity_units_total{account,region,table,index,kind} and the items.
void AddSeries(const std::vector<SeriesTotals>& series, MetricFamilies& families);

}  // namespace hashrange
