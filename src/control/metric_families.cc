#include "control/metric_families.h"

#include <limits>
#include <string_view>
#include <utility>

namespace hashrange {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr double kNanosecond = 1e-9;
constexpr double kMicrosecondsPerSecond = 1e6;

// `others` is the label of calls or tables without a name of their own. It has parentheses, which
// no name of a table or an operation has.
std::string NameOrOthers(std::string_view name, const char* others) {
  return name.empty() ? others : std::string(name);
}

MetricLabels LabelsOf(const OperationTotals& totals) {
  return {{"operation", NameOrOthers(totals.operation, "(unknown)")}};
}

MetricLabels LabelsOf(const SeriesTotals& totals) {
  return {{"account", totals.account_id},
          {"region", totals.region},
          {"table", NameOrOthers(totals.table, "(other)")},
          {"index", totals.index}};
}

void AddHistogram(MetricFamily& family, const OperationTotals& totals) {
  ClientMetric& metric = family.metric.emplace_back();
  metric.label = LabelsOf(totals);
  ClientMetric::Histogram& histogram = metric.histogram;
  histogram.sample_sum = static_cast<double>(totals.duration_ns) * kNanosecond;
  for (std::size_t i = 0; i < totals.durations.size(); ++i) {
    histogram.sample_count += totals.durations[i];
    const bool is_last = i == OperationTotals::kBoundsUs.size();
    histogram.bucket.push_back(
        {histogram.sample_count,
         is_last ? std::numeric_limits<double>::infinity()
                 : static_cast<double>(OperationTotals::kBoundsUs[i]) / kMicrosecondsPerSecond});
  }
}

}  // namespace

MetricFamily MakeFamily(MetricType type, std::string name, std::string help) {
  return {std::move(name), std::move(help), type, {}};
}

void AddMetric(MetricFamily& family, MetricLabels labels, double value) {
  ClientMetric& metric = family.metric.emplace_back();
  metric.label = std::move(labels);
  (family.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
}

void AddOperations(const std::vector<OperationTotals>& operations, MetricFamilies& families) {
  MetricFamily requests =
      MakeFamily(MetricType::Counter, "hashrange_requests_total", "API calls, failed ones too.");
  MetricFamily errors = MakeFamily(MetricType::Counter, "hashrange_request_errors_total",
                                   "API calls that failed, by the type of the error.");
  MetricFamily durations =
      MakeFamily(MetricType::Histogram, "hashrange_request_duration_seconds",
                 "From the checks of a call to its answer, without simulated delays.");
  MetricFamily in = MakeFamily(MetricType::Counter, "hashrange_request_bytes_total",
                               "Bytes of the bodies of API calls.");
  MetricFamily out = MakeFamily(MetricType::Counter, "hashrange_response_bytes_total",
                                "Bytes of the bodies of answers to API calls.");
  for (const OperationTotals& each : operations) {
    AddMetric(requests, LabelsOf(each), static_cast<double>(each.requests));
    for (const auto& [error, count] : each.errors) {
      MetricLabels labels = LabelsOf(each);
      labels.push_back({"error", std::string(error)});
      AddMetric(errors, std::move(labels), static_cast<double>(count));
    }
    AddHistogram(durations, each);
    AddMetric(in, LabelsOf(each), static_cast<double>(each.request_bytes));
    AddMetric(out, LabelsOf(each), static_cast<double>(each.answer_bytes));
  }
  for (MetricFamily* each : {&requests, &errors, &durations, &in, &out}) {
    families.push_back(std::move(*each));
  }
}

void AddSeries(const std::vector<SeriesTotals>& series, MetricFamilies& families) {
  MetricFamily units = MakeFamily(MetricType::Counter, "hashrange_consumed_capacity_units_total",
                                  "Capacity units of reads and writes, by table and index.");
  MetricFamily examined = MakeFamily(MetricType::Counter, "hashrange_items_examined_total",
                                     "Stored items that were looked at.");
  MetricFamily returned = MakeFamily(MetricType::Counter, "hashrange_items_returned_total",
                                     "Items in answers, or counted in them.");
  MetricFamily written = MakeFamily(MetricType::Counter, "hashrange_items_written_total",
                                    "Items put, changed or deleted.");
  const auto add_units = [&](const SeriesTotals& each, const char* kind, double value) {
    if (value == 0) return;
    MetricLabels labels = LabelsOf(each);
    labels.push_back({"kind", kind});
    AddMetric(units, std::move(labels), value);
  };
  for (const SeriesTotals& each : series) {
    add_units(each, "read", each.read_units);
    add_units(each, "write", each.write_units);
    AddMetric(examined, LabelsOf(each), static_cast<double>(each.examined));
    AddMetric(returned, LabelsOf(each), static_cast<double>(each.returned));
    // The items that are written are counted for the table, not for its indexes.
    if (each.index.empty()) AddMetric(written, LabelsOf(each), static_cast<double>(each.written));
  }
  for (MetricFamily* each : {&units, &examined, &returned, &written}) {
    families.push_back(std::move(*each));
  }
}

}  // namespace hashrange
