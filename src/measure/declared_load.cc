#include "measure/declared_load.h"

#include <algorithm>
#include <cstdint>

namespace hashrange {
namespace {

std::optional<KeyShare> ShareOf(const KeyCount& key, double total_units) {
  if (total_units < kLeastUnitsOfShares) return std::nullopt;
  const double least = std::max(0.0, key.units - key.error) / total_units;
  return KeyShare{key.key, least, std::min(1.0, key.units / total_units)};
}

}  // namespace

std::optional<UnitSums> DeclaredUnits(const Measurement& measurement, const RuleInput& input,
                                      std::string_view table, std::string_view index) {
  std::optional<UnitSums> sums;
  for (const DeclaredRate& rate : input.rates) {
    UnitSums seen;
    std::uint64_t calls = 0;
    for (const PatternMeasure& pattern : measurement.patterns) {
      if (pattern.id != rate.pattern && pattern.name != rate.pattern) continue;
      const UnitSums part = UnitsOn(pattern.units, table, index);
      seen.read_units += part.read_units;
      seen.write_units += part.write_units;
      calls += pattern.calls;
    }
    if (calls == 0) continue;
    if (!sums) sums.emplace();
    const double scale = rate.calls_per_second / static_cast<double>(calls);
    sums->read_units += seen.read_units * scale;
    sums->write_units += seen.write_units * scale;
  }
  return sums;
}

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

}  // namespace hashrange
