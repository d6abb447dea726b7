#include "measure/declared_load.h"

#include <algorithm>
#include <cstddef>

#include "measure/call_rates.h"

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
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  if (rates.without_calls.size() == input.rates.size()) return std::nullopt;
  UnitSums sums;
  for (std::size_t i = 0; i < measurement.patterns.size(); ++i) {
    const PatternMeasure& pattern = measurement.patterns[i];
    if (rates.calls_per_second[i] == 0 || pattern.calls == 0) continue;
    const UnitSums part = UnitsOn(pattern.units, table, index);
    const double scale = rates.calls_per_second[i] / static_cast<double>(pattern.calls);
    sums.read_units += part.read_units * scale;
    sums.write_units += part.write_units * scale;
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
