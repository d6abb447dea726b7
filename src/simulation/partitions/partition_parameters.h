// PartitionParameters: the figures of the partition model. Some are limits that the service
// publishes or that were measured (docs/service/20-partition-model.md, section 1;
// docs/service/21-layout-lab.md, section 4). The others are published nowhere: what depends on them
// is modelled. All can be changed, so that a test gets a partition that a few requests saturate.
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

struct PartitionParameters {
  // Published or measured: what one partition serves in a second. Strongly consistent reads go to
  // one of three replicas; eventually consistent ones go to all three, each at half a unit a read,
  // so together they get 1.5 × read_units.
  std::int64_t read_units = 3000;
  std::int64_t write_units = 1000;
  // What a new on-demand table or index serves in a second, and so how many partitions it has.
  std::int64_t new_read_units = 12'000;
  std::int64_t new_write_units = 4000;
  // The account's quota for each on-demand table and index.
  std::int64_t quota_read_units = 40'000;
  std::int64_t quota_write_units = 40'000;
  // The greatest size of a partition.
  std::int64_t size_bytes = 10LL << 30;

  // Published nowhere. How long a partition can save its units; half a second gives the published
  // rate of a load in key order (bench/partition_calibration).
  std::int64_t burst_ms = 500;
  // A partition is cut when the moving average of its demand over `average_ms` stays above
  // `split_heat` of what the partition serves, for `split_after_ms`; then after a further random
  // time between the two delays.
  std::int64_t average_ms = 60'000;
  double split_heat = 0.9;
  std::int64_t split_after_ms = 300'000;
  std::int64_t least_split_delay_ms = 60'000;
  std::int64_t greatest_split_delay_ms = 300'000;
  // A partition of whose demand one item takes this share is not cut.
  double one_item_share = 0.8;
  // An on-demand table serves twice its highest minute, this long after that minute.
  std::int64_t growth_after_ms = 1'800'000;
};

// --- The parameters by the names that the control API and lab files have for them ---

enum class PartitionParameterKind : std::uint8_t { kUnits, kBytes, kTime };

// A parameter that is a whole number, or a time in milliseconds.
struct WholePartitionParameter {
  std::string_view name;
  std::int64_t PartitionParameters::*value;
  PartitionParameterKind kind;
  std::int64_t least;
  std::int64_t greatest;
  std::string_view range;  // for sentences
};

// What one partition serves: so little that the model can multiply it by what a table provisions.
constexpr WholePartitionParameter UnitsOfPartition(std::string_view name,
                                                   std::int64_t PartitionParameters::*value) {
  return {name, value, PartitionParameterKind::kUnits, 1, 1'000'000, "from 1 to 1,000,000"};
}

constexpr WholePartitionParameter UnitsOfTable(std::string_view name,
                                               std::int64_t PartitionParameters::*value) {
  return {name, value, PartitionParameterKind::kUnits, 1, 1'000'000'000, "from 1 to 1,000,000,000"};
}

inline constexpr std::int64_t kLongestPartitionTimeMs = 30LL * 86'400'000;

inline constexpr WholePartitionParameter kWholePartitionParameters[] = {
    UnitsOfPartition("read_units", &PartitionParameters::read_units),
    UnitsOfPartition("write_units", &PartitionParameters::write_units),
    UnitsOfTable("new_table_read_units", &PartitionParameters::new_read_units),
    UnitsOfTable("new_table_write_units", &PartitionParameters::new_write_units),
    UnitsOfTable("quota_read_units", &PartitionParameters::quota_read_units),
    UnitsOfTable("quota_write_units", &PartitionParameters::quota_write_units),
    {"partition_bytes", &PartitionParameters::size_bytes, PartitionParameterKind::kBytes, 1,
     1LL << 50, "from 1 to 2^50"},
    {"burst", &PartitionParameters::burst_ms, PartitionParameterKind::kTime, 1, 300'000,
     "from 1ms to 300s"},
    {"average", &PartitionParameters::average_ms, PartitionParameterKind::kTime, 1000,
     kLongestPartitionTimeMs, "from 1s to 30d"},
    {"split_after", &PartitionParameters::split_after_ms, PartitionParameterKind::kTime, 0,
     kLongestPartitionTimeMs, "at most 30d"},
    {"growth_after", &PartitionParameters::growth_after_ms, PartitionParameterKind::kTime, 0,
     kLongestPartitionTimeMs, "at most 30d"},
};

// A parameter above 0.
struct SharePartitionParameter {
  std::string_view name;
  double PartitionParameters::*value;
  double greatest;
  std::string_view range;  // for sentences
};

inline constexpr SharePartitionParameter kSharePartitionParameters[] = {
    {"split_heat", &PartitionParameters::split_heat, 100, "more than 0 and at most 100"},
    {"one_item_share", &PartitionParameters::one_item_share, 1, "more than 0 and at most 1"},
};

// The name of the two delays of a cut, an object of "min" and "max".
inline constexpr std::string_view kSplitDelayParameter = "split_delay";

}  // namespace hashrange
