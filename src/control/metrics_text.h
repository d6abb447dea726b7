// Metrics in the text format that Prometheus reads, version 0.0.4:
//
//   # HELP hashrange_requests_total API calls, failed ones too.
//   # TYPE hashrange_requests_total counter
//   hashrange_requests_total{operation="GetItem"} 2
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/output_buffer.h"

namespace hashrange {

using MetricLabels = std::vector<std::pair<std::string, std::string>>;  // names and values

// How many observations were at most `upper_bound`, those of the buckets below it among them.
struct MetricBucket {
  std::uint64_t count = 0;
  double upper_bound = 0;  // of the last one infinity
};

struct Metric {
  MetricLabels labels;
  double value = 0;                   // of a histogram the sum of all observations
  std::vector<MetricBucket> buckets;  // of a histogram, ascending
};

enum class MetricType { kCounter, kGauge, kHistogram };

struct MetricFamily {
  MetricType type = MetricType::kCounter;
  std::string name;
  std::string help;
  std::vector<Metric> metrics;
};

void AppendMetricsText(const std::vector<MetricFamily>& families, OutputBuffer& out);

}  // namespace hashrange
