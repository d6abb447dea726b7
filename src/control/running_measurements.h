// RunningMeasurements begins, reads and ends measurements, and puts the maps of the measured
// tables' partitions and what these serve into them, where partitions are modelled. A map has the
// counts since its model began; so the maps are kept as they were when the measurement began, and
// their counts are subtracted. Thread-safe; calls that start or discard measurements do not wait
// for those that read them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/threads.h"
#include "measure/measurement.h"
#include "measure/meter/meter.h"
#include "simulation/partitions/partition_map.h"

namespace hashrange {

class Engine;      // engine/engine.h
class Throughput;  // simulation/throughput.h

class RunningMeasurements {
 public:
  // All of them outlive the object.
  RunningMeasurements(Engine& engine, Throughput& throughput, Meter& meter)
      : engine_(engine), throughput_(throughput), meter_(meter) {}
  RunningMeasurements(const RunningMeasurements&) = delete;
  RunningMeasurements& operator=(const RunningMeasurements&) = delete;

  // Keeps the maps of the tables of the scope, and begins a measurement.
  // Errors: as Meter::Start
  // Cost:   O(tables + the size of their maps).
  Status Start(std::string name, MeasurementScope scope, MeasurementSettings settings);
  // Returns what was measured so far, with the maps of the measured tables and their global
  // indexes. Tables that were deleted, and those for which no partitions are modelled any more,
  // have no maps.
  // Errors: as Meter::Read
  // Cost:   as Meter::Read, and O(tables + the size of their maps).
  Result<Measurement> Read(std::string_view name);
  // Ends the measurement and returns it, as Read does.
  Result<Measurement> Stop(std::string_view name);
  // Ends the measurement. Returns false when there is none of this name.
  bool Discard(std::string_view name);

 private:
  // By the id of the table (TableVersion::table_id) and the name of the index, or "".
  using MapsByResource = std::map<std::pair<std::string, std::string>, PartitionMap>;

  using KeptMaps = std::shared_ptr<const MapsByResource>;

  static PartitionMap WithoutKept(PartitionMap now, const std::string& table_id,
                                  const MapsByResource& kept);
  MapsByResource MapsOf(const MeasurementScope& scope);
  // Returns the maps of a measurement, as they were when it began; null when there is none of this
  // name.
  KeptMaps Find(std::string_view name) const;
  // Returns the same, and forgets them.
  KeptMaps Take(std::string_view name);
  void AddMaps(const KeptMaps& kept, Measurement* measurement);

  Engine& engine_;
  Throughput& throughput_;
  Meter& meter_;
  mutable Mutex mutex_;  // guards `kept_`; held while a measurement starts
  // By the name of the measurement: the maps when it began. They are bounded, as the meter bounds
  // the number of measurements.
  std::map<std::string, KeptMaps, std::less<>> kept_;
};

}  // namespace hashrange
