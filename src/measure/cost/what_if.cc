#include "measure/cost/what_if.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/cost/throughput_load.h"
#include "measure/measured_tables.h"
#include "measure/measurement.h"
#include "measure/pattern_names.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

// --- Units are taken away from the parts of a measurement ---

// Keeps each call's share of what is left, rounded up to a whole unit; the sum becomes exact.
void RemoveUnits(Distribution& calls, double removed) {
  if (calls.sum() <= 0) return;
  const double left = std::max(0.0, calls.sum() - removed);
  const double factor = left / calls.sum();
  Distribution fewer;
  for (const Distribution::Bucket& bucket : calls.buckets()) {
    const double value = Distribution::GreatestOf(bucket.number);
    fewer.Add(std::min(value, std::ceil(value * factor)), bucket.count);
  }
  const auto buckets = fewer.buckets();
  calls = Distribution::Of({buckets.begin(), buckets.end()}, left, fewer.max());
}

void ScaleKeys(TopKeys& keys, double factor) {
  keys.total_units *= factor;
  keys.missed_at_most *= factor;
  for (KeyCount& key : keys.keys) {
    key.units *= factor;
    key.error *= factor;
  }
}

// Returns part ÷ whole, and 1 when there is no whole.
double FactorOf(double part, double whole) { return whole == 0 ? 1 : part / whole; }

// Returns the units that the pattern took of a table or index; null when it took none.
ResourceUnits* FindUnits(std::vector<ResourceUnits>& units, std::string_view table,
                         std::string_view index) {
  for (ResourceUnits& row : units) {
    if (row.table == table && row.index == index) return &row;
  }
  return nullptr;
}

// Takes `removed` write units away from all calls of a pattern.
void RemoveWriteUnits(PatternMeasure& pattern, double removed) {
  if (removed == 0) return;
  RemoveUnits(pattern.call.write_units, removed);
  RemoveUnits(pattern.page.write_units, removed);
}

// Multiplies the units of a table or index, with its keys, windows and heat.
void ScaleResource(ResourceMeasure& resource, double read_factor, double write_factor) {
  resource.read_units *= read_factor;
  resource.write_units *= write_factor;
  ScaleKeys(resource.read_keys, read_factor);
  ScaleKeys(resource.read_items, read_factor);
  ScaleKeys(resource.written_keys, write_factor);
  ScaleKeys(resource.written_items, write_factor);
  for (HotWindow& window : resource.hot_windows) {
    const double factor = window.direction == "read" ? read_factor : write_factor;
    window.key.units *= factor;
    window.key.error *= factor;
    window.total_units *= factor;
  }
  for (HeatRange& range : resource.heat) {
    range.read_units *= read_factor;
    range.write_units *= write_factor;
  }
  for (HeatSlice& slice : resource.heat_over_time) {
    for (double& units : slice.read_units) units *= read_factor;
    for (double& units : slice.write_units) units *= write_factor;
  }
}

// Returns the units of all tables and indexes.
ResourceUnits TotalUnits(const Measurement& measurement) {
  ResourceUnits total;
  for (const ResourceMeasure& resource : measurement.resources) {
    total.read_units += resource.read_units;
    total.write_units += resource.write_units;
  }
  return total;
}

// Multiplies the units of all buckets of time, as the units of all tables have changed since
// `before`.
void ScaleTime(Measurement& measurement, const ResourceUnits& before) {
  const ResourceUnits after = TotalUnits(measurement);
  const double read_factor = FactorOf(after.read_units, before.read_units);
  const double write_factor = FactorOf(after.write_units, before.write_units);
  for (TimeBucket& bucket : measurement.time.buckets) {
    for (double* const units :
         {&bucket.read_units, &bucket.peak_second_read_units, &bucket.peak_minute_read_units}) {
      *units *= read_factor;
    }
    for (double* const units :
         {&bucket.write_units, &bucket.peak_second_write_units, &bucket.peak_minute_write_units}) {
      *units *= write_factor;
    }
  }
}

}  // namespace

// --- Without an index ---

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
    ScaleTime(measurement_, before);
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

// --- With a smaller projection ---

namespace {

using Names = std::set<std::string, std::less<>>;

bool ContainsAny(const Names& names, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(wanted, [&names](const auto& name) { return names.contains(name); });
}

bool ContainsAll(const Names& names, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&names](const auto& name) { return names.contains(name); });
}

// One change of a measurement: the entries of an index hold only the attributes `kept`.
class Shrinking {
 public:
  Shrinking(WhatIf& result, std::string_view table, const IndexMeasure& index, Names kept)
      : result_(result),
        measurement_(result.measurement),
        table_(table),
        index_(index.name),
        kept_(std::move(kept)) {
    index_keys_.insert(index.hash.begin(), index.hash.end());
    index_keys_.insert(index.range.begin(), index.range.end());
  }

  // Returns false when no entity tells the size of an entry.
  bool Run(const SmallerProjection& projection) {
    const ResourceUnits before = TotalUnits(measurement_);
    for (EntityMeasure& entity : measurement_.entities) ShrinkEntries(entity);
    if (bytes_before_ == 0) return false;
    for (PatternMeasure& pattern : measurement_.patterns) ShrinkPattern(pattern);
    for (ResourceMeasure& resource : measurement_.resources) {
      if (resource.table != table_ || resource.index != index_) continue;
      ScaleResource(resource, FactorOf(reads_after_, reads_before_),
                    FactorOf(writes_after_, writes_before_));
    }
    // The index would be cut at other moments.
    std::erase_if(measurement_.partitions, [this](const PartitionMap& map) {
      return map.table == table_ && map.index == index_;
    });
    SetProjection(projection);
    ScaleTime(measurement_, before);
    return true;
  }

 private:
  // Returns the mean size of an entry with the attributes that are kept.
  double EntryBytes(const EntityMeasure& entity) const {
    double bytes = 0;
    for (const AttributeMeasure& attribute : entity.attributes) {
      if (!kept_.contains(attribute.name) || attribute.count == 0) continue;
      // Each entry has the keys of the index, but not each item of the entity is in the index.
      const auto items = static_cast<double>(index_keys_.contains(attribute.name) ? attribute.count
                                                                                  : entity.items);
      bytes += attribute.size_bytes / items;
    }
    return bytes;
  }

  void ShrinkEntries(EntityMeasure& entity) {
    const bool is_known = entity.table == table_ && entity.items > 0 && !entity.attributes.empty();
    const auto entry = std::ranges::find(entity.indexes, index_, &EntityIndex::index);
    if (!is_known || entry == entity.indexes.end() || entry->items == 0) return;
    const auto items = static_cast<double>(entry->items);
    const double before = entry->size_bytes / items;
    const double after = std::min(before, EntryBytes(entity));
    const double factor = WriteUnitsOfMean(after) / WriteUnitsOfMean(before);
    ResourceUnits* const units = FindUnits(entity.units, table_, index_);
    // Entities that nobody wrote weigh by the number of their entries, if nobody wrote any.
    entity_writes_before_ += units ? units->write_units : 0;
    entity_writes_after_ += units ? units->write_units * factor : 0;
    entries_before_ += items * WriteUnitsOfMean(before);
    entries_after_ += items * WriteUnitsOfMean(after);
    if (units) units->write_units *= factor;
    bytes_before_ += entry->size_bytes;
    bytes_after_ += after * items;
    entry->size_bytes = after * items;
  }

  double WriteFactor() const {
    if (entity_writes_before_ > 0) return entity_writes_after_ / entity_writes_before_;
    return FactorOf(entries_after_, entries_before_);
  }

  // An update of other attributes leaves the entry as it is, which costs nothing.
  bool LeavesEntries(const PatternMeasure& pattern) const {
    if (pattern.inserted > 0 || pattern.removed > 0 || pattern.members.empty()) return false;
    return std::ranges::all_of(pattern.members, [this](const PatternMember& member) {
      if (member.kind == "check" || member.table != table_) return true;
      return member.kind == "update" && !member.updated_attributes.empty() &&
             !ContainsAny(kept_, member.updated_attributes);
    });
  }

  void ShrinkPattern(PatternMeasure& pattern) {
    const auto reader = std::ranges::find_if(pattern.members, [this](const auto& member) {
      return member.table == table_ && member.index == index_;
    });
    if (reader != pattern.members.end()) {
      ShrinkReads(pattern, reader->consistent ? 1 : 0.5);
      const bool gets_all = reader->projection.empty() && !reader->counts_only;
      const bool misses = gets_all || !ContainsAll(kept_, reader->projected_attributes) ||
                          !ContainsAll(kept_, reader->condition_attributes);
      if (misses) result_.unserved.push_back(TitleOf(pattern));
    }
    ResourceUnits* const units = FindUnits(pattern.units, table_, index_);
    if (!units) return;
    const double after = LeavesEntries(pattern) ? 0 : units->write_units * WriteFactor();
    writes_before_ += units->write_units;
    writes_after_ += after;
    RemoveWriteUnits(pattern, units->write_units - after);
    units->write_units = after;
  }

  void ShrinkReads(PatternMeasure& pattern, double least_units) {
    const double factor = bytes_after_ / bytes_before_;
    const double before = pattern.call.read_units.sum();
    for (CallSizes* const sizes : {&pattern.call, &pattern.page}) {
      sizes->read_units = Scaled(sizes->read_units, factor, least_units);
      sizes->bytes_examined = Scaled(sizes->bytes_examined, factor, 1);
    }
    ResourceUnits* const units = FindUnits(pattern.units, table_, index_);
    if (!units) return;
    reads_before_ += units->read_units;
    units->read_units *= FactorOf(pattern.call.read_units.sum(), before);
    reads_after_ += units->read_units;
  }

  // Multiplies each value, and rounds it up to a multiple of `step`, which is also the least.
  static Distribution Scaled(const Distribution& values, double factor, double step) {
    Distribution scaled;
    for (const Distribution::Bucket& bucket : values.buckets()) {
      const double value = Distribution::GreatestOf(bucket.number);
      const double after = std::max(1.0, std::ceil(value * factor / step)) * step;
      scaled.Add(std::min(value, after), bucket.count);
    }
    return scaled;
  }

  void SetProjection(const SmallerProjection& projection) {
    for (TableMeasure& table : measurement_.tables) {
      if (table.name != table_) continue;
      const auto index = std::ranges::find(table.indexes, index_, &IndexMeasure::name);
      const double factor = bytes_after_ / bytes_before_;
      index->projection = projection.attributes.empty() ? "KEYS_ONLY" : "INCLUDE";
      index->non_key_attributes = projection.attributes;
      index->size_bytes = std::llround(static_cast<double>(index->size_bytes) * factor);
      index->size_bytes_at_begin =
          std::llround(static_cast<double>(index->size_bytes_at_begin) * factor);
    }
  }

  WhatIf& result_;
  Measurement& measurement_;
  const std::string table_;
  const std::string index_;
  const Names kept_;
  Names index_keys_;
  double bytes_before_ = 0, bytes_after_ = 0;      // of all entries
  double entries_before_ = 0, entries_after_ = 0;  // units to write each entry once
  double entity_writes_before_ = 0, entity_writes_after_ = 0;
  double reads_before_ = 0, reads_after_ = 0;  // units of the index
  double writes_before_ = 0, writes_after_ = 0;
};

Names KeptAttributes(const TableMeasure& table, const IndexMeasure& index,
                     const SmallerProjection& projection) {
  Names kept(projection.attributes.begin(), projection.attributes.end());
  for (const auto* const names : {&table.hash, &table.range, &index.hash, &index.range}) {
    kept.insert(names->begin(), names->end());
  }
  return kept;
}

// Returns an attribute that the index does not hold now; empty when it holds all.
std::string FindMissing(const IndexMeasure& index, const SmallerProjection& projection) {
  if (index.projection == "ALL") return {};
  for (const std::string& name : projection.attributes) {
    if (std::ranges::find(index.non_key_attributes, name) == index.non_key_attributes.end()) {
      return name;
    }
  }
  return {};
}

std::string HeldText(const IndexMeasure& index) {
  std::string text = "its keys";
  for (const std::string& name : index.non_key_attributes) text += ", " + name;
  return text;
}

std::string ChangeSentence(const std::string& title, const SmallerProjection& projection) {
  std::string sentence = "What if " + title + " held the keys only";
  if (!projection.attributes.empty()) {
    sentence = "What if " + title + " held only the keys and";
    const char* separator = " ";
    for (const std::string& name : projection.attributes) {
      sentence += separator + name;
      separator = ", ";
    }
  }
  return sentence + ": sizes are the means of the entities.";
}

}  // namespace

Result<WhatIf> ShrinkProjection(const Measurement& measurement, std::string_view table,
                                std::string_view index, const SmallerProjection& projection) {
  const IndexMeasure* const found = FindIndex(measurement, table, index);
  const std::string title = "\"" + std::string(index) + "\"";
  if (!found) return NoSuchIndex(measurement, table, index);
  if (const std::string missing = FindMissing(*found, projection); !missing.empty()) {
    return ValidationError("The index " + title + " does not hold \"" + missing +
                           "\" now; it holds " + HeldText(*found) + ".");
  }
  WhatIf result{.measurement = measurement};
  Names kept = KeptAttributes(*FindTable(measurement, table), *found, projection);
  if (!Shrinking(result, table, *found, std::move(kept)).Run(projection)) {
    return ValidationError("No entity in the index " + title +
                           " has known attributes, so the sizes of smaller entries are not known.");
  }
  result.measurement.changes.push_back(
      ChangeSentence(ResourceTitle(measurement, table, index), projection));
  return result;
}

// --- With the other billing mode ---

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
