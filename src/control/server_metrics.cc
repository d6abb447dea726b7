#include "control/server_metrics.h"

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/live_memory.h"
#include "base/memory_bound.h"
#include "control/metric_families.h"
#include "engine/engine.h"
#include "simulation/recorder.h"

namespace hashrange {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

// So many tables have metrics of their own. All tables after these share one metric, which has the
// sum of their items or sizes.
constexpr std::size_t kMaxTables = 1000;

double Seconds(std::int64_t ms) { return static_cast<double>(ms) / 1000; }

// Returns the resident memory of this process; 0 where the system does not provide this number.
double ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  double all_pages = 0, resident_pages = 0;
  file >> all_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

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
                           ResidentBytes()));
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

}  // namespace

std::vector<MetricFamily> ServerMetrics::Collect() const {
  MetricFamilies families;
  AddProcess(parts_, families);
  AddMemory(parts_, families);
  AddTables(parts_, families);
  AddOperations(parts_.recorder.statistics().Operations(), families);
  AddSeries(parts_.recorder.statistics().Series(), families);
  return families;
}

}  // namespace hashrange
