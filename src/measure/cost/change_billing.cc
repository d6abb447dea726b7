#include <algorithm>
#include <string>

#include "measure/cost/autoscaling.h"
#include "measure/cost/throughput_load.h"
#include "measure/cost/what_if.h"
#include "measure/measured_tables.h"

namespace hashrange {
namespace {

struct Throughput {
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
};

// Returns the throughput that the busiest minute of a load needs.
Throughput ThroughputFor(const ThroughputLoad& load) {
  double reads = 0, writes = 0;
  for (const LoadStretch& stretch : load.stretches) {
    reads = std::max(reads, stretch.read_units_per_second);
    writes = std::max(writes, stretch.write_units_per_second);
  }
  return {static_cast<std::int64_t>(Autoscaling::CapacityFor(reads)),
          static_cast<std::int64_t>(Autoscaling::CapacityFor(writes))};
}

template <typename Resource>
void SetThroughput(Resource& resource, const Throughput& throughput) {
  resource.provisioned_read_units = throughput.read_units;
  resource.provisioned_write_units = throughput.write_units;
}

void SetThroughputs(TableMeasure& table, const Measurement& measurement, BillingMode mode) {
  SetThroughput(table, {});
  for (IndexMeasure& index : table.indexes) SetThroughput(index, {});
  if (mode == BillingMode::kOnDemand) return;
  for (const ThroughputLoad& load : MeasuredLoads(measurement)) {
    if (load.table != table.name) continue;
    if (load.index.empty()) SetThroughput(table, ThroughputFor(load));
    for (IndexMeasure& index : table.indexes) {
      if (index.name == load.index) SetThroughput(index, ThroughputFor(load));
    }
  }
}

}  // namespace

Result<WhatIf> ChangeBilling(const Measurement& measurement, std::string_view table,
                             BillingMode mode) {
  const std::string title = "\"" + std::string(table) + "\"";
  const bool on_demand = mode == BillingMode::kOnDemand;
  const std::string words = on_demand ? "on demand" : "provisioned";
  const TableMeasure* const found = FindTable(measurement, table);
  if (!found) return NoSuchTable(measurement, table);
  if (found->on_demand == on_demand) {
    return ValidationError("The table " + title + " is " + words + " already.");
  }
  WhatIf result{.measurement = measurement};
  for (TableMeasure& each : result.measurement.tables) {
    if (each.name != table) continue;
    each.on_demand = on_demand;
    SetThroughputs(each, measurement, mode);
  }
  // Other throughput is cut into other partitions.
  std::erase_if(result.measurement.partitions,
                [table](const PartitionMap& map) { return map.table == table; });
  std::string sentence = "What if ";
  sentence.append(table).append(" was ").append(words);
  sentence += on_demand ? "." : ", with the throughput of its busiest minute at 70 % use.";
  result.measurement.changes.push_back(std::move(sentence));
  return result;
}

}  // namespace hashrange
