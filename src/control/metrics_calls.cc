// metrics: the calls about the server's counters and gauges, which are written in Prometheus' text
// format 0.0.4. Nothing is stored for them: a call sums what the parts of the server count.
#include <prometheus/text_serializer.h>

#include <cstdint>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/memory/live_memory.h"
#include "base/memory/memory_bound.h"
#include "control/call_input.h"
#include "control/control.h"
#include "control/metric_families.h"
#include "control/routes.h"
#include "engine/engine.h"
#include "platform/memory.h"
#include "simulation/recorder.h"

namespace hashrange {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

// So many tables have metrics of their own. All tables after these share one metric, which has the
// sum of their items or sizes.
constexpr std::size_t kMaxTables = 1000;

double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

MetricFamily Gauge(std::string name, std::string help, double value) {
  MetricFamily family = MakeFamily(MetricType::Gauge, std::move(name), std::move(help));
  AddMetric(family, {}, value);
  return family;
}

void AddProcess(const ControlParts& parts, MetricFamilies& families) {
  MetricFamily build =
      MakeFamily(MetricType::Gauge, "hashrange_build_info", "1, by the version of the server.");
  AddMetric(build, {{"version", HASHRANGE_VERSION}}, 1);
  families.push_back(std::move(build));
  families.push_back(Gauge("process_start_time_seconds", "When the server started, since 1970.",
                           Seconds(parts.start_epoch_ms)));
  families.push_back(Gauge("hashrange_uptime_seconds", "How long the server has been running.",
                           Seconds(SystemClock().NowEpochMs() - parts.start_epoch_ms)));
  families.push_back(Gauge("process_resident_memory_bytes", "Memory of the server that is in use.",
                           static_cast<double>(ResidentBytes())));
}

void AddMemory(const ControlParts& parts, MetricFamilies& families) {
  MetricFamily bytes = MakeFamily(MetricType::Gauge, "hashrange_memory_bytes",
                                  "Memory that data, requests and answers take, by part.");
  const LiveMemory live = CountLiveMemory();
  for (std::size_t i = 0; i < kMemoryParts; ++i) {
    const auto part = static_cast<MemoryPart>(i);
    AddMetric(bytes, {{"part", std::string(MemoryPartName(part))}},
              static_cast<double>(live.of(part)));
  }
  families.push_back(std::move(bytes));
  const std::int64_t bound = parts.memory ? parts.memory->max_bytes() : 0;
  families.push_back(Gauge("hashrange_max_memory_bytes",
                           "Memory above which writes are refused; 0: no bound.",
                           static_cast<double>(bound)));
}

void AddTables(const ControlParts& parts, MetricFamilies& families) {
  const std::vector<TableRef> tables = parts.engine.catalog().TablesOf({});
  MetricFamily items = MakeFamily(MetricType::Gauge, "hashrange_table_items", "Items stored.");
  MetricFamily bytes = MakeFamily(MetricType::Gauge, "hashrange_table_size_bytes",
                                  "Size of the items stored, as DynamoDB counts it.");
  TableStatistics others;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const TableVersion& table = *tables[i];
    const TableStatistics statistics = parts.engine.StatisticsOf(table, nullptr);
    if (i >= kMaxTables) {
      others.item_count += statistics.item_count;
      others.size_bytes += statistics.size_bytes;
      continue;
    }
    const MetricLabels labels = {
        {"account", table.account_id}, {"region", table.region}, {"table", table.name}};
    AddMetric(items, labels, static_cast<double>(statistics.item_count));
    AddMetric(bytes, labels, static_cast<double>(statistics.size_bytes));
  }
  if (tables.size() > kMaxTables) {
    AddMetric(items, {{"table", "(other)"}}, static_cast<double>(others.item_count));
    AddMetric(bytes, {{"table", "(other)"}}, static_cast<double>(others.size_bytes));
  }
  families.push_back(Gauge("hashrange_tables", "Tables there are, of all accounts and Regions.",
                           static_cast<double>(tables.size())));
  families.push_back(std::move(items));
  families.push_back(std::move(bytes));
}

// Sums the counters that the threads write (simulation/call_statistics.h). The families are always
// in the same order. Calls are counted only since Recorder::StartCounting().
// Cost: O(tables), and a read of each thread's counters.
MetricFamilies CollectMetrics(const ControlParts& parts) {
  MetricFamilies families;
  AddProcess(parts, families);
  AddMemory(parts, families);
  AddTables(parts, families);
  AddOperations(parts.recorder.statistics().Operations(), families);
  AddSeries(parts.recorder.statistics().Series(), families);
  return families;
}

// Appends the output of a stream to an answer.
class AppendingStreambuf : public std::streambuf {
 public:
  explicit AppendingStreambuf(OutputBuffer& out) : out_(out) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    out_.Append({text, static_cast<std::size_t>(size)});
    return size;
  }
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) out_.Append(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }

 private:
  OutputBuffer& out_;
};

constexpr std::string_view kNotCounting =
    "# Calls are not counted: POST /_hashrange/metrics or hashrange serve --metrics begins.\n";

}  // namespace

ControlResult WriteMetrics(ControlCall& call, JsonWriter& answer) {
  call.content_type = "text/plain; version=0.0.4; charset=utf-8";
  OutputBuffer& out = answer.BeginValue();
  if (!call.parts.recorder.is_counting()) out.Append(kNotCounting);
  AppendingStreambuf buffer(out);
  std::ostream stream(&buffer);
  // Without this the stream would ignore an exception, and the answer would be incomplete.
  stream.exceptions(std::ios_base::badbit);
  prometheus::TextSerializer().Serialize(stream, CollectMetrics(call.parts));
  return {};
}

ControlResult SwitchMetrics(ControlCall& call, JsonWriter& answer) {
  constexpr Member kMembers[] = {{"enabled", MemberType::kBoolean}};
  HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
  if (!body.Boolean("enabled").value_or(true)) {
    return ControlError(400, "The server counts until it ends.");
  }
  call.parts.recorder.StartCounting();
  answer.BeginObject();
  answer.BoolMember("enabled", true);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
