#include "measure/partition_map_check.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace hashrange {
namespace {

std::string ElementOf(std::string_view list, std::size_t at) {
  return std::string(list) + "[" + std::to_string(at) + "]";
}

bool IsHash(std::string_view text) {
  return text.size() == 16 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::optional<MapProblem> FindPartitionProblem(std::span<const PartitionMeasure> partitions,
                                               std::size_t at) {
  const PartitionMeasure& partition = partitions[at];
  const std::string place = ElementOf("partitions", at);
  const std::int64_t before = at > 0 ? partitions[at - 1].number : 0;
  if (partition.number <= before) {
    return MapProblem{place + ".number", "above 0 and above the number before it"};
  }
  if (partition.parent >= partition.number) {
    return MapProblem{place + ".parent", "0 or a number below its own"};
  }
  if (!IsHash(partition.first_hash)) {
    return MapProblem{place + ".first_hash", "16 hexadecimal digits"};
  }
  if (!IsHash(partition.last_hash)) {
    return MapProblem{place + ".last_hash", "16 hexadecimal digits"};
  }
  return std::nullopt;
}

std::optional<MapProblem> FindSliceProblem(std::span<const PartitionSlice> slices, std::size_t at) {
  const PartitionSlice& slice = slices[at];
  const std::string place = ElementOf("slices", at);
  if (at > 0 && slice.begin_epoch_ms <= slices[at - 1].begin_epoch_ms) {
    return MapProblem{place + ".begin_epoch_ms", "after the begin of the slice before it"};
  }
  const bool ascend = std::ranges::adjacent_find(slice.partitions, std::greater_equal<>(),
                                                 &PartitionHeat::number) == slice.partitions.end();
  if (!ascend) return MapProblem{place + ".partitions", "a list of ascending numbers"};
  return std::nullopt;
}

// Part is a PartitionMeasure or a PartitionHeat.
template <typename Part>
bool HasDemand(const Part& part) {
  return part.read_demand > 0 || part.write_demand > 0;
}

template <typename Part>
void TakeUnitsAsDemand(Part& part) {
  part.read_demand = part.read_units;
  part.write_demand = part.write_units;
}

}  // namespace

std::optional<MapProblem> FindMapProblem(const PartitionMap& map) {
  for (std::size_t at = 0; at < map.partitions.size(); ++at) {
    if (auto problem = FindPartitionProblem(map.partitions, at)) return problem;
  }
  if (!map.slices.empty() && map.slice_ms <= 0) {
    return MapProblem{"slice_ms", "a length of slices above 0"};
  }
  for (std::size_t at = 0; at < map.slices.size(); ++at) {
    if (auto problem = FindSliceProblem(map.slices, at)) return problem;
  }
  return std::nullopt;
}

void FillMissingDemand(PartitionMap* map) {
  if (std::ranges::any_of(map->partitions, HasDemand<PartitionMeasure>)) return;
  for (const PartitionSlice& slice : map->slices) {
    if (std::ranges::any_of(slice.partitions, HasDemand<PartitionHeat>)) return;
  }
  for (PartitionMeasure& partition : map->partitions) TakeUnitsAsDemand(partition);
  for (PartitionSlice& slice : map->slices) {
    for (PartitionHeat& heat : slice.partitions) TakeUnitsAsDemand(heat);
  }
}

}  // namespace hashrange
