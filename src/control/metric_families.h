// Metric families: the server's counters with names by the conventions of Prometheus. Pure
// functions; any thread.
#pragma once

#include <prometheus/client_metric.h>
#include <prometheus/metric_family.h>

#include <string>
#include <vector>

#include "simulation/call_statistics.h"

namespace hashrange {

using MetricFamilies = std::vector<prometheus::MetricFamily>;
using MetricLabels = std::vector<prometheus::ClientMetric::Label>;

// Returns a family without metrics.
prometheus::MetricFamily MakeFamily(prometheus::MetricType type, std::string name,
                                    std::string help);
// Adds a metric to a family of counters or of gauges.
void AddMetric(prometheus::MetricFamily& family, MetricLabels labels, double value);

// Adds hashrange_requests_total{operation} and the other families with the label "operation":
// errors, durations and bytes.
void AddOperations(const std::vector<OperationTotals>& operations, MetricFamilies& families);
// Adds hashrange_consumed_capacity_units_total{account,region,table,index,kind} and the families
// that count items.
void AddSeries(const std::vector<SeriesTotals>& series, MetricFamilies& families);

}  // namespace hashrange
