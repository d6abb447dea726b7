#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "measure/cost/unit_reduction.h"
#include "measure/cost/what_if.h"
#include "measure/measured_tables.h"
#include "measure/named_patterns.h"

namespace hashrange {
namespace {

// One change of a measurement: an index is taken out of each of its parts.
class IndexDrop {
 public:
  IndexDrop(WhatIf& result, std::string_view table, std::string_view index)
      : result_(result), measurement_(result.measurement), table_(table), index_(index) {}

  void Run() {
    const ResourceUnits before = TotalUnits(measurement_);
    RemoveReaders();
    for (PatternMeasure& pattern : measurement_.patterns) RemoveWrites(pattern);
    for (EntityMeasure& entity : measurement_.entities) RemoveEntries(entity);
    std::erase_if(measurement_.resources, [this](const auto& row) { return IsOfIndex(row); });
    std::erase_if(measurement_.key_templates, [this](const auto& row) { return IsOfIndex(row); });
    RemoveMaps();
    for (TableMeasure& table : measurement_.tables) {
      if (table.name != table_) continue;
      std::erase_if(table.indexes, [this](const auto& index) { return index.name == index_; });
    }
    const ResourceUnits after = TotalUnits(measurement_);
    ScaleTime(measurement_.time, FactorOf(after.read_units, before.read_units),
              FactorOf(after.write_units, before.write_units));
  }

 private:
  template <typename Row>
  bool IsOfIndex(const Row& row) const {
    return row.table == table_ && row.index == index_;
  }

  // A read of a local index may have fetched items from the table; these units go, too.
  void RemoveReaders() {
    std::set<std::string, std::less<>> ids;
    for (const PatternMeasure& pattern : measurement_.patterns) {
      const bool reads = std::ranges::any_of(
          pattern.members, [this](const PatternMember& member) { return IsOfIndex(member); });
      if (!reads) continue;
      ids.insert(pattern.id);
      result_.unserved.push_back(TitleOf(pattern));
      for (const ResourceUnits& units : pattern.units) RemoveFromResource(units);
    }
    std::erase_if(measurement_.patterns,
                  [&ids](const PatternMeasure& pattern) { return ids.contains(pattern.id); });
    std::erase_if(measurement_.sequences, [&ids](const SequenceMeasure& sequence) {
      return ids.contains(sequence.first) || ids.contains(sequence.second);
    });
    std::erase_if(measurement_.server_time,
                  [&ids](const ServerTime& time) { return ids.contains(time.pattern); });
  }

  // A local index keeps the table's item collections in one piece; without it the model may cut
  // them.
  void RemoveMaps() {
    const IndexMeasure* const dropped = FindIndex(measurement_, table_, index_);
    const bool is_local = dropped && dropped->is_local;
    std::erase_if(measurement_.partitions, [&](const PartitionMap& map) {
      return IsOfIndex(map) || (is_local && map.table == table_ && map.index.empty());
    });
  }

  void RemoveFromResource(const ResourceUnits& units) {
    for (ResourceMeasure& resource : measurement_.resources) {
      if (resource.table != units.table || resource.index != units.index) continue;
      const double reads = std::max(0.0, resource.read_units - units.read_units);
      const double writes = std::max(0.0, resource.write_units - units.write_units);
      ScaleResource(resource, FactorOf(reads, resource.read_units),
                    FactorOf(writes, resource.write_units));
    }
  }

  void RemoveWrites(PatternMeasure& pattern) {
    if (const ResourceUnits* const units = FindUnits(pattern.units, table_, index_)) {
      RemoveWriteUnits(pattern, units->write_units);
    }
    std::erase_if(pattern.units, [this](const auto& row) { return IsOfIndex(row); });
    std::erase_if(pattern.index_moves, [this](const auto& row) { return IsOfIndex(row); });
  }

  void RemoveEntries(EntityMeasure& entity) {
    if (entity.table != table_) return;
    std::erase_if(entity.indexes, [this](const auto& row) { return row.index == index_; });
    std::erase_if(entity.units, [this](const auto& row) { return IsOfIndex(row); });
  }

  WhatIf& result_;
  Measurement& measurement_;
  const std::string_view table_;
  const std::string_view index_;
};

}  // namespace

Result<WhatIf> DropIndex(const Measurement& measurement, std::string_view table,
                         std::string_view index) {
  if (!FindIndex(measurement, table, index)) return NoSuchIndex(measurement, table, index);
  WhatIf result{.measurement = measurement};
  IndexDrop(result, table, index).Run();
  result.measurement.changes.push_back("What if " + ResourceTitle(measurement, table, index) +
                                       " did not exist: its reads, writes and entries are left "
                                       "out.");
  return result;
}

}  // namespace hashrange
