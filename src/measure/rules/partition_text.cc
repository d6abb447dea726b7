#include "measure/rules/partition_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "measure/measurement.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr UncutCause kUncutCauses[] = {
    {"item", "one item took nearly all of its load, and an item cannot be cut",
     "Divide the item into several, or cache what is read."},
    {"order", "its sort keys rise or fall, so that all new items meet at one end",
     "Add a shard number to the partition key, or use a sort key that does not rise with time."},
    {"local index", "with a local index no item collection is cut",
     "Use a global index instead of the local one, or add a shard number to the partition key."},
    {"sort key", "its item collection has no sort key to be cut at",
     "Add a shard number to the partition key."},
    {"range",
     "Queries or Scans that all read from one place on took its load, and each of them would read "
     "the same parts again after a cut",
     "Read less with each Query, cache what is read, or add a shard number to the partition key."},
    {"limit", "the model keeps no further partitions of a table or an index",
     "This is a limit of the model, not of the service: model the table anew to see later cuts."},
};

// Returns the share of all hashes that come before the one in `hex`, or before the next one.
double ShareBefore(const std::string& hex, double further) {
  std::uint64_t hash = 0;
  std::from_chars(hex.data(), hex.data() + hex.size(), hash, 16);
  constexpr int kBits = 64;
  return std::ldexp(static_cast<double>(hash) + further, -kBits);
}

std::string EdgeText(double share, const std::string& key) {
  return key.empty() ? PercentText(share) : PercentText(share) + " (" + key + ")";
}

}  // namespace

HashShares HashSharesOf(const PartitionMeasure& partition) {
  return {ShareBefore(partition.first_hash, 0), ShareBefore(partition.last_hash, 1)};
}

std::string PartitionBeginText(const PartitionMeasure& partition) {
  return EdgeText(HashSharesOf(partition).begin, partition.first_key);
}

std::string PartitionRangeText(const PartitionMeasure& partition) {
  return PartitionBeginText(partition) + " to " +
         EdgeText(HashSharesOf(partition).end, partition.last_key);
}

const UncutCause* FindUncutCause(std::string_view uncut) {
  for (const UncutCause& cause : kUncutCauses) {
    if (cause.uncut == uncut) return &cause;
  }
  return nullptr;
}

std::string UncutText(const PartitionMeasure& partition) {
  const UncutCause* const cause = FindUncutCause(partition.uncut);
  return cause ? std::string(cause->why) : partition.uncut;
}

std::string UnusualUnitsText(const PartitionMap& map) {
  constexpr PartitionLimits kUsual;
  std::string units;
  if (map.partition_read_units != kUsual.read_units) {
    units = NumberText(map.partition_read_units) + " read ";
  }
  if (map.partition_write_units != kUsual.write_units) {
    if (!units.empty()) units += "and ";
    units += NumberText(map.partition_write_units) + " write ";
  }
  return units.empty() ? units : "a partition serves " + units + "units here";
}

}  // namespace hashrange
