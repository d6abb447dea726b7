#include "measure/shared_partitions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

#include "measure/measured_tables.h"
#include "simulation/partitions/draw.h"

namespace hashrange {
namespace {

// A key that only one of the lists has may have been missed in the other one.
void AddMissed(double missed, KeyCount* key) {
  key->units += missed;
  key->error += missed;
}

void AddKeys(const TopKeys& others, TopKeys* keys) {
  if (others.total_units == 0) return;
  std::map<std::string_view, const KeyCount*> open;
  for (const KeyCount& other : others.keys) open.emplace(other.key, &other);
  for (KeyCount& key : keys->keys) {
    const auto other = open.find(key.key);
    if (other == open.end()) {
      AddMissed(others.missed_at_most, &key);
      continue;
    }
    key.units += other->second->units;
    key.error += other->second->error;
    open.erase(other);
  }
  for (const auto& [name, other] : open) {
    keys->keys.push_back(*other);
    AddMissed(keys->missed_at_most, &keys->keys.back());
  }
  keys->total_units += others.total_units;
  keys->missed_at_most += others.missed_at_most;
  std::ranges::stable_sort(keys->keys, std::greater<>(), &KeyCount::units);
}

void AddWindow(const HotWindow& other, std::vector<HotWindow>* windows) {
  const auto at = std::ranges::find_if(*windows, [&](const HotWindow& window) {
    return window.begin_epoch_ms == other.begin_epoch_ms && window.direction == other.direction;
  });
  if (at == windows->end()) {
    windows->push_back(other);
    return;
  }
  at->total_units += other.total_units;
  if (at->key.key == other.key.key) {
    at->key.units += other.key.units;
    at->key.error += other.key.error;
  } else if (at->key.units < other.key.units) {
    at->key = other.key;
  }
}

// Returns the members that WithLocalIndexes promises.
ResourceMeasure WithoutHeat(const ResourceMeasure& resource) {
  ResourceMeasure copy{.table = resource.table, .index = resource.index};
  copy.read_units = resource.read_units;
  copy.write_units = resource.write_units;
  copy.failed_read_units = resource.failed_read_units;
  copy.failed_write_units = resource.failed_write_units;
  copy.read_keys = resource.read_keys;
  copy.written_keys = resource.written_keys;
  copy.read_items = resource.read_items;
  copy.written_items = resource.written_items;
  copy.hot_windows = resource.hot_windows;
  return copy;
}

}  // namespace

double PartitionReadUnitsOf(double strong_share) {
  const double of_leader = strong_share;
  // What each of the replicas does when all share the work: an eventually consistent read costs
  // half a unit, but is a whole read.
  const double of_each = (strong_share + 2 * (1 - strong_share)) / static_cast<double>(kReplicas);
  return kPartitionReadUnits / std::max(of_leader, of_each);
}

bool IsLocalIndex(const Measurement& measurement, const ResourceMeasure& resource) {
  const IndexMeasure* const index = FindIndex(measurement, resource.table, resource.index);
  return index && index->is_local;
}

ResourceMeasure WithLocalIndexes(const Measurement& measurement, const ResourceMeasure& resource) {
  ResourceMeasure shared = WithoutHeat(resource);
  if (!resource.index.empty()) return shared;
  for (const ResourceMeasure& other : measurement.resources) {
    if (other.table != resource.table || !IsLocalIndex(measurement, other)) continue;
    AddKeys(other.read_keys, &shared.read_keys);
    AddKeys(other.written_keys, &shared.written_keys);
    for (const HotWindow& window : other.hot_windows) AddWindow(window, &shared.hot_windows);
  }
  return shared;
}

}  // namespace hashrange
