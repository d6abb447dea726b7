#include "measure/rules/declared_load.h"

#include <algorithm>

namespace hashrange {
namespace {

std::optional<KeyShare> ShareOf(const KeyCount& key, double total_units) {
  if (total_units < kLeastUnitsOfShares) return std::nullopt;
  const double least = std::max(0.0, key.units - key.error) / total_units;
  return KeyShare{key.key, key.shape.empty() ? key.key : key.shape, least,
                  std::min(1.0, key.units / total_units)};
}

}  // namespace

std::optional<KeyShare> FirstKeyShare(const TopKeys& keys) {
  if (keys.keys.empty()) return std::nullopt;
  return ShareOf(keys.keys[0], keys.total_units);
}

std::optional<KeyShare> GreatestKeyShare(const ResourceMeasure& resource,
                                         std::string_view direction) {
  std::optional<KeyShare> greatest =
      FirstKeyShare(direction == "read" ? resource.read_keys : resource.written_keys);
  for (const HotWindow& window : resource.hot_windows) {
    if (window.direction != direction) continue;
    const auto share = ShareOf(window.key, window.total_units);
    if (share && (!greatest || share->least > greatest->least)) greatest = share;
  }
  return greatest;
}

std::optional<DeclaredRange> DeclaredUnitsOfKey(const Measurement& measurement,
                                                const PatternRates& rates,
                                                const ResourceMeasure& resource,
                                                const KeyShare& share, LoadedKey key) {
  key.text = share.shape;
  key.share = share.most;
  const auto most = DeclaredKeyLoad(measurement, rates, resource, key);
  key.share = share.least;
  const auto least = DeclaredKeyLoad(measurement, rates, resource, key);
  if (!most) return std::nullopt;
  return DeclaredRange{least ? least->units : 0, most->units,
                       most->strong_read_units / most->units};
}

}  // namespace hashrange
