#include "control/measured_partitions.h"

#include <utility>

#include "engine/engine.h"
#include "measure/measured_tables.h"
#include "partitions/partition_map.h"
#include "simulation/throughput.h"

namespace hashrange {
void AddPartitionMaps(const ControlParts& parts, Measurement* measurement) {
  for (const TableMeasure& measured : measurement->tables) {
    if (measured.is_deleted) continue;
    const TableRef table = parts.engine.catalog().Find({measured.account, measured.region},
                                                       OwnTableName(measured.name));
    if (!table) continue;
    for (PartitionMap& map : parts.throughput.PartitionMapsOf(*table)) {
      map.table = measured.name;
      measurement->partitions.push_back(std::move(map));
    }
  }
}

}  // namespace hashrange
