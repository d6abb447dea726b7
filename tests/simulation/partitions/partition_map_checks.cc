#include "simulation/partitions/partition_map_checks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace hashrange::test {
namespace {

std::uint64_t HashOf(const std::string& text) { return std::stoull(text, nullptr, 16); }

std::string RangeText(const PartitionMeasure& each) {
  return each.first_hash + "/" + each.first_key + " to " + each.last_hash + "/" + each.last_key;
}

// Returns whether `upper` begins where `lower` ends.
bool Follows(const PartitionMeasure& lower, const PartitionMeasure& upper) {
  if (lower.last_key != upper.first_key) return false;
  if (!lower.last_key.empty()) return lower.last_hash == upper.first_hash;
  if (lower.last_hash == "ffffffffffffffff") return false;
  return HashOf(lower.last_hash) + 1 == HashOf(upper.first_hash);
}

bool IsInOrder(const PartitionMeasure& each) {
  if (each.first_hash != each.last_hash) return each.first_hash < each.last_hash;
  return each.last_key.empty() || each.first_key < each.last_key;
}

}  // namespace

std::vector<PartitionMeasure> CurrentPartitions(const PartitionMap& map) {
  std::vector<PartitionMeasure> current;
  for (const PartitionMeasure& each : map.partitions) {
    if (each.ended_epoch_ms == 0) current.push_back(each);
  }
  std::ranges::sort(current, [](const PartitionMeasure& a, const PartitionMeasure& b) {
    return std::tie(a.first_hash, a.first_key) < std::tie(b.first_hash, b.first_key);
  });
  return current;
}

std::string RangeComplaint(const PartitionMap& map) {
  const std::vector<PartitionMeasure> current = CurrentPartitions(map);
  if (current.empty()) return "no partition";
  const PartitionMeasure& first = current.front();
  if (first.first_hash != "0000000000000000" || !first.first_key.empty())
    return "no first position";
  const PartitionMeasure& last = current.back();
  if (last.last_hash != "ffffffffffffffff" || !last.last_key.empty()) return "no last position";
  for (std::size_t i = 0; i < current.size(); ++i) {
    if (!IsInOrder(current[i])) return "no position in " + RangeText(current[i]);
    if (i > 0 && !Follows(current[i - 1], current[i])) {
      return RangeText(current[i - 1]) + " is before " + RangeText(current[i]);
    }
  }
  return {};
}

std::string ParentComplaint(const PartitionMap& map) {
  std::map<std::int64_t, std::vector<const PartitionMeasure*>> parts;
  for (const PartitionMeasure& each : map.partitions) parts[each.parent].push_back(&each);
  for (const PartitionMeasure& parent : map.partitions) {
    if (parent.ended_epoch_ms == 0) continue;
    const auto& both = parts[parent.number];
    if (both.size() != 2) return "not two parts of " + std::to_string(parent.number);
    const bool has_range = both[0]->first_hash == parent.first_hash &&
                           both[0]->first_key == parent.first_key && Follows(*both[0], *both[1]) &&
                           both[1]->last_hash == parent.last_hash &&
                           both[1]->last_key == parent.last_key;
    if (!has_range) {
      return RangeText(parent) + " is cut into " + RangeText(*both[0]) + " and " +
             RangeText(*both[1]);
    }
    for (const PartitionMeasure* each : both) {
      if (each->began_epoch_ms != parent.ended_epoch_ms) return "a part begins at another moment";
    }
  }
  return {};
}

double UnitsOfPartitions(const PartitionMap& map) {
  double units = 0;
  for (const PartitionMeasure& each : map.partitions) units += each.read_units + each.write_units;
  return units;
}

double UnitsOfSlices(const PartitionMap& map) {
  double units = 0;
  for (const PartitionSlice& slice : map.slices) {
    for (const PartitionHeat& each : slice.partitions) units += each.read_units + each.write_units;
  }
  return units;
}

std::string TextOfMap(const PartitionMap& map) {
  std::string text = std::to_string(map.slice_ms) + "\n";
  for (const PartitionMeasure& each : map.partitions) {
    text += std::to_string(each.number) + " of " + std::to_string(each.parent) + " " + each.cause +
            " " + std::to_string(each.began_epoch_ms) + " " + std::to_string(each.ended_epoch_ms) +
            " " + RangeText(each) + " " + std::to_string(each.read_units) + " " +
            std::to_string(each.write_units) + " " + std::to_string(each.throttled_reads) + " " +
            std::to_string(each.throttled_writes) + " " + std::to_string(each.read_heat) + " " +
            std::to_string(each.write_heat) + " " + each.uncut + "\n";
  }
  for (const PartitionSlice& slice : map.slices) {
    text += std::to_string(slice.begin_epoch_ms) + ":";
    for (const PartitionHeat& each : slice.partitions) {
      text += " " + std::to_string(each.number) + "," + std::to_string(each.read_units) + "," +
              std::to_string(each.write_units) + "," + std::to_string(each.throttled_reads) + "," +
              std::to_string(each.throttled_writes);
    }
    text += "\n";
  }
  return text;
}

}  // namespace hashrange::test
