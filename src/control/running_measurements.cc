#include "control/running_measurements.h"

#include "engine/engine.h"
#include "measure/measured_tables.h"
#include "measure/partition_load.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/throughput.h"

namespace hashrange {

PartitionMap RunningMeasurements::WithoutKept(PartitionMap now, const std::string& table_id,
                                              const MapsByResource& kept) {
  const auto earlier = kept.find({table_id, now.index});
  return earlier == kept.end() ? now : WithoutEarlier(std::move(now), earlier->second);
}

RunningMeasurements::MapsByResource RunningMeasurements::MapsOf(const MeasurementScope& scope) {
  MapsByResource maps;
  for (const TableRef& table : engine_.catalog().TablesOf({})) {
    if (!scope.HasAccount({table->account_id, table->region})) continue;
    if (!scope.HasTable(table->name)) continue;
    for (PartitionMap& map : throughput_.PartitionMapsOf(*table)) {
      std::pair resource(table->table_id, map.index);
      maps.insert_or_assign(std::move(resource), std::move(map));
    }
  }
  return maps;
}

Status RunningMeasurements::Start(std::string name, MeasurementScope scope,
                                  MeasurementSettings settings) {
  auto maps = std::make_shared<const MapsByResource>(MapsOf(scope));
  // Who reads or stops the measurement from now on waits for its maps.
  MutexLock lock(mutex_);
  HR_RETURN_IF_ERROR(meter_.Start(name, std::move(scope), std::move(settings)));
  kept_.insert_or_assign(std::move(name), std::move(maps));
  return {};
}

Result<Measurement> RunningMeasurements::Read(std::string_view name) {
  KeptMaps kept = Find(name);
  HR_ASSIGN(Measurement measurement, meter_.Read(name));
  // It may have begun meanwhile. That it may have ended is why the maps are asked for first.
  if (!kept) kept = Find(name);
  AddMaps(kept, &measurement);
  return measurement;
}

Result<Measurement> RunningMeasurements::Stop(std::string_view name) {
  // The maps are taken first: afterwards another measurement of this name may have begun.
  const KeptMaps kept = Take(name);
  HR_ASSIGN(Measurement measurement, meter_.Stop(name));
  AddMaps(kept, &measurement);
  return measurement;
}

bool RunningMeasurements::Discard(std::string_view name) {
  Take(name);
  return meter_.Discard(name);
}

RunningMeasurements::KeptMaps RunningMeasurements::Find(std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found = kept_.find(name);
  return found == kept_.end() ? nullptr : found->second;
}

RunningMeasurements::KeptMaps RunningMeasurements::Take(std::string_view name) {
  MutexLock lock(mutex_);
  const auto found = kept_.find(name);
  if (found == kept_.end()) return nullptr;
  KeptMaps maps = std::move(found->second);
  kept_.erase(found);
  return maps;
}

void RunningMeasurements::AddMaps(const KeptMaps& kept, Measurement* measurement) {
  for (TableMeasure& measured : measurement->tables) {
    if (measured.is_deleted) continue;
    const TableRef table =
        engine_.catalog().Find({measured.account, measured.region}, OwnTableName(measured.name));
    if (!table) continue;
    measured.partition_limits = LimitsOf(throughput_.PartitionParametersOf(*table));
    for (PartitionMap& map : throughput_.PartitionMapsOf(*table)) {
      if (kept) map = WithoutKept(std::move(map), table->table_id, *kept);
      map.table = measured.name;
      measurement->partitions.push_back(std::move(map));
    }
  }
}

}  // namespace hashrange
