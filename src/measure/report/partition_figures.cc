#include "measure/report/partition_figures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace hashrange {
namespace {

constexpr std::size_t kMostColumns = 96;
constexpr double kMillisecondsPerSecond = 1000;

using Partitions = std::vector<const PartitionMeasure*>;
using PartsOf = std::map<std::int64_t, Partitions>;  // by the number of the parent

// Returns the parts of each partition, in the order of keys, and under 0 those without a parent.
// Where a collection is cut, both parts begin with one hash; the part that begins where the parent
// does is the first. A parent that ended before the map was made is not in it.
PartsOf FindParts(const PartitionMap& map) {
  PartsOf parts;
  std::map<std::int64_t, const PartitionMeasure*> by_number;
  for (const PartitionMeasure& partition : map.partitions) {
    by_number.emplace(partition.number, &partition);
    const bool has_parent = by_number.contains(partition.parent);
    parts[has_parent ? partition.parent : 0].push_back(&partition);
  }
  for (auto& [number, list] : parts) {
    const auto parent = by_number.find(number);
    const std::string first_key = parent == by_number.end() ? "" : parent->second->first_key;
    std::ranges::stable_sort(list, [&](const PartitionMeasure* a, const PartitionMeasure* b) {
      const auto place = [&](const PartitionMeasure* part) {
        return std::tuple<const std::string&, bool, const std::string&>(
            part->first_hash, part->first_key != first_key, part->first_key);
      };
      return place(a) < place(b);
    });
  }
  return parts;
}

// Returns all partitions in the order of keys. A partition stands behind the first of its parts.
// The stack is a list, as the partitions of a file may be parts of one another without end.
Partitions InOrderOfKeys(const PartsOf& parts) {
  struct Place {
    const PartitionMeasure* partition;
    bool is_ready;  // what comes before it stands already
  };
  std::vector<Place> open;
  const auto push = [&](Partitions::const_iterator begin, Partitions::const_iterator end) {
    while (end != begin) open.push_back({*--end, false});
  };
  const auto of_nobody = parts.find(0);
  if (of_nobody != parts.end()) push(of_nobody->second.begin(), of_nobody->second.end());
  Partitions ordered;
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const auto own = parts.find(place.partition->number);
    if (place.is_ready || own == parts.end()) {
      ordered.push_back(place.partition);
      continue;
    }
    push(own->second.begin() + 1, own->second.end());
    open.push_back({place.partition, true});
    open.push_back({own->second.front(), false});
  }
  return ordered;
}

std::vector<PartitionSplit> SplitsOf(const PartitionMap& map, const PartsOf& parts) {
  std::vector<PartitionSplit> splits;
  for (const PartitionMeasure& partition : map.partitions) {
    const auto own = parts.find(partition.number);
    if (own != parts.end()) splits.push_back({&partition, own->second});
  }
  std::ranges::stable_sort(
      splits, {}, [](const PartitionSplit& split) { return split.parts.front()->began_epoch_ms; });
  return splits;
}

// Returns columns for all slices and splits.
TimeColumns ColumnsOf(const PartitionMap& map, const std::vector<PartitionSplit>& splits) {
  if (map.slices.empty() || map.slice_ms <= 0) return {};
  std::int64_t begin = map.slices.front().begin_epoch_ms;
  std::int64_t end = map.slices.back().begin_epoch_ms + map.slice_ms;
  for (const PartitionSplit& split : splits) {
    begin = std::min(begin, split.parts.front()->began_epoch_ms);
    end = std::max(end, split.parts.front()->began_epoch_ms);
  }
  TimeColumns columns{.begin_epoch_ms = begin};
  const std::int64_t slices = (end - begin + map.slice_ms - 1) / map.slice_ms;
  const auto most = static_cast<std::int64_t>(kMostColumns);
  const std::int64_t a_column = (slices + most - 1) / most;
  columns.column_ms = a_column * map.slice_ms;
  columns.count = static_cast<std::size_t>((slices + a_column - 1) / a_column);
  return columns;
}

std::map<std::int64_t, double> PeakHeats(const PartitionMap& map) {
  std::map<std::int64_t, double> peaks;
  for (const PartitionSlice& slice : map.slices) {
    for (const PartitionHeat& heat : slice.partitions) {
      double& peak = peaks[heat.number];
      peak = std::max(peak, HeatInSlice(map, heat));
    }
  }
  return peaks;
}

PartitionFigures FiguresOf(const PartitionMap& map) {
  PartitionFigures figures{.map = &map, .label = ResourceLabel(map.table, map.index)};
  const PartsOf parts = FindParts(map);
  const auto peaks = PeakHeats(map);
  for (const PartitionMeasure* const partition : InOrderOfKeys(parts)) {
    const auto peak = peaks.find(partition->number);
    figures.partitions.push_back({partition, peak == peaks.end() ? 0 : peak->second});
    if (partition->ended_epoch_ms == 0) ++figures.present;
    figures.throttled += ThrottledBy(*partition);
  }
  figures.splits = SplitsOf(map, parts);
  figures.columns = ColumnsOf(map, figures.splits);
  return figures;
}

}  // namespace

std::vector<PartitionFigures> PartitionFiguresOf(const Measurement& measurement) {
  std::vector<PartitionFigures> figures;
  for (const PartitionMap& map : measurement.partitions) figures.push_back(FiguresOf(map));
  return figures;
}

std::vector<PartitionFigure> HottestOf(const std::vector<PartitionFigure>& partitions,
                                       std::size_t most) {
  if (partitions.size() <= most) return partitions;
  std::vector<std::size_t> order(partitions.size());
  for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
  const auto heat = [&](std::size_t at) { return partitions[at].peak_heat; };
  std::ranges::stable_sort(order, std::ranges::greater(), heat);
  order.resize(most);
  std::ranges::sort(order);
  std::vector<PartitionFigure> hottest;
  for (const std::size_t at : order) hottest.push_back(partitions[at]);
  return hottest;
}

double HeatInSlice(const PartitionMap& map, const PartitionHeat& heat) {
  const double seconds = static_cast<double>(map.slice_ms) / kMillisecondsPerSecond;
  const auto share = [&](double demand, double served) {
    return served > 0 && seconds > 0 ? demand / (served * seconds) : 0;
  };
  return std::max(share(heat.read_demand, map.partition_read_units),
                  share(heat.write_demand, map.partition_write_units));
}

double PresentHeat(const PartitionMeasure& partition) {
  return std::max(partition.read_heat, partition.write_heat);
}

double ThrottledBy(const PartitionMeasure& partition) {
  return static_cast<double>(partition.throttled_reads) +
         static_cast<double>(partition.throttled_writes);
}

std::string ThrottledWord(const PartitionMap& map) {
  return map.mode == "watch" ? "would have been throttled" : "throttled";
}

std::string CauseText(const PartitionMeasure& partition) {
  if (partition.parent == 0) return partition.cause;
  return partition.cause + ", from " + std::to_string(partition.parent);
}

}  // namespace hashrange
