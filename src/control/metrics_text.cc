#include "control/metrics_text.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace hashrange {
namespace {

constexpr std::string_view kTypes[] = {"counter", "gauge", "histogram"};  // by MetricType

std::string NumberText(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// Backslashes and line feeds, and within quotes quotation marks.
void AppendEscaped(std::string_view text, bool is_quoted, OutputBuffer& out) {
  for (const char c : text) {
    if (c == '\\' || (is_quoted && c == '"')) out.Append('\\');
    if (c == '\n') {
      out.Append("\\n");
    } else {
      out.Append(c);
    }
  }
}

void AppendSample(std::string_view name, const MetricLabels& labels, double value,
                  OutputBuffer& out) {
  out.Append(name);
  char before = '{';
  for (const auto& [label, text] : labels) {
    out.Append(before);
    out.Append(label);
    out.Append("=\"");
    AppendEscaped(text, true, out);
    out.Append('"');
    before = ',';
  }
  if (!labels.empty()) out.Append('}');
  out.Append(' ');
  out.Append(NumberText(value));
  out.Append('\n');
}

void AppendHistogram(const std::string& name, const Metric& metric, OutputBuffer& out) {
  for (const MetricBucket& bucket : metric.buckets) {
    MetricLabels labels = metric.labels;
    labels.emplace_back("le", NumberText(bucket.upper_bound));
    AppendSample(name + "_bucket", labels, static_cast<double>(bucket.count), out);
  }
  AppendSample(name + "_sum", metric.labels, metric.value, out);
  const std::uint64_t count = metric.buckets.empty() ? 0 : metric.buckets.back().count;
  AppendSample(name + "_count", metric.labels, static_cast<double>(count), out);
}

}  // namespace

void AppendMetricsText(const std::vector<MetricFamily>& families, OutputBuffer& out) {
  for (const MetricFamily& family : families) {
    out.Append("# HELP ");
    out.Append(family.name);
    out.Append(' ');
    AppendEscaped(family.help, false, out);
    out.Append("\n# TYPE ");
    out.Append(family.name);
    out.Append(' ');
    out.Append(kTypes[static_cast<int>(family.type)]);
    out.Append('\n');
    for (const Metric& metric : family.metrics) {
      if (family.type == MetricType::kHistogram) {
        AppendHistogram(family.name, metric, out);
      } else {
        AppendSample(family.name, metric.labels, metric.value, out);
      }
    }
  }
}

}  // namespace hashrange
