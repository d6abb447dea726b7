#include "measure/report/partition_example.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "measure/report/example_measurement.h"

namespace hashrange {
namespace {

constexpr std::int64_t kFirstMinute = 1'763'712'000'000;  // 2025-11-21 08:00:00
constexpr std::int64_t kSliceMs = 60'000;
constexpr std::int64_t kFirstSplit = 8;  // minutes after the begin
constexpr std::int64_t kSecondSplit = 18;
constexpr std::int64_t kMinutes = 30;
constexpr double kReadUnits = 3000;
constexpr double kWriteUnits = 1000;

// One partition of the shop, with a load that does not change.
struct Life {
  std::int64_t number;
  std::int64_t parent;
  const char* cause;
  std::int64_t from_minute;
  std::int64_t to_minute;
  const char* first_hash;
  const char* last_hash;
  const char* first_key;
  const char* last_key;
  double write_heat;
  double throttled_a_minute;
};
constexpr const char* kOneQuarter = "3fffffffffffffff";
constexpr Life kLives[] = {
    {1, 0, "beginning", 0, kFirstSplit, "0000000000000000", kOneQuarter, "", "", 0.97, 1200},
    {2, 0, "beginning", 0, kMinutes, "4000000000000000", "7fffffffffffffff", "", "", 0.04, 0},
    {3, 0, "beginning", 0, kMinutes, "8000000000000000", "bfffffffffffffff", "", "", 0.12, 0},
    {4, 0, "beginning", 0, kMinutes, "c000000000000000", "ffffffffffffffff", "", "", 0.03, 0},
    {5, 1, "heat", kFirstSplit, kMinutes, "0000000000000000", "1fffffffffffffff", "",
     "PK=ORDERS, SK=ORDER#500", 0.45, 0},
    {6, 1, "heat", kFirstSplit, kSecondSplit, "1fffffffffffffff", kOneQuarter,
     "PK=ORDERS, SK=ORDER#500", "", 0.99, 300},
    {7, 6, "heat", kSecondSplit, kMinutes, "1fffffffffffffff", "1fffffffffffffff",
     "PK=ORDERS, SK=ORDER#500", "PK=ORDERS, SK=ORDER#900", 0.3, 0},
    {8, 6, "heat", kSecondSplit, kMinutes, "1fffffffffffffff", kOneQuarter,
     "PK=ORDERS, SK=ORDER#900", "", 1.02, 60},
};

PartitionMap EmptyMap(const char* index, const char* mode) {
  PartitionMap map{.table = "shop", .index = index, .mode = mode, .began_epoch_ms = kFirstMinute};
  map.read_limit = 12'000;
  map.write_limit = 4000;
  map.partition_read_units = kReadUnits;
  map.partition_write_units = kWriteUnits;
  map.slice_ms = kSliceMs;
  return map;
}

PartitionMeasure MeasureOf(const Life& life) {
  PartitionMeasure partition{.number = life.number, .parent = life.parent, .cause = life.cause};
  partition.began_epoch_ms = kFirstMinute + life.from_minute * kSliceMs;
  if (life.to_minute < kMinutes) {
    partition.ended_epoch_ms = kFirstMinute + life.to_minute * kSliceMs;
  } else {
    partition.write_heat = life.write_heat;
  }
  partition.first_hash = life.first_hash;
  partition.last_hash = life.last_hash;
  partition.first_key = life.first_key;
  partition.last_key = life.last_key;
  return partition;
}

PartitionMap TableMap() {
  PartitionMap map = EmptyMap("", "enforce");
  map.throttles = {{"TableReadKeyRangeThroughputExceeded", 3},
                   {"TableWriteKeyRangeThroughputExceeded", 13'320}};
  for (const Life& life : kLives) map.partitions.push_back(MeasureOf(life));
  map.partitions[0].throttled_reads = 3;
  map.partitions[7].uncut = "order";
  for (std::int64_t minute = 0; minute < kMinutes; ++minute) {
    PartitionSlice slice{.begin_epoch_ms = kFirstMinute + minute * kSliceMs};
    for (const Life& life : kLives) {
      if (minute < life.from_minute || minute >= life.to_minute) continue;
      const double writes = life.write_heat * kWriteUnits * 60;
      const double demand = writes + life.throttled_a_minute;
      slice.partitions.push_back(
          {life.number, 600, writes, 400, demand, 0, life.throttled_a_minute});
      PartitionMeasure& partition = map.partitions[static_cast<std::size_t>(life.number) - 1];
      partition.read_units += 600;
      partition.write_units += writes;
      partition.read_demand += 400;
      partition.write_demand += demand;
      partition.throttled_writes += static_cast<std::int64_t>(life.throttled_a_minute);
    }
    map.slices.push_back(slice);
  }
  return map;
}

PartitionMap IndexMap() {
  PartitionMap map = EmptyMap("GSI1", "watch");
  map.throttles = {{"IndexWriteKeyRangeThroughputExceeded", 7}};
  PartitionMeasure partition{.number = 1, .cause = "beginning", .began_epoch_ms = kFirstMinute};
  partition.first_hash = "0000000000000000";
  partition.last_hash = "ffffffffffffffff";
  partition.write_units = 18'000;
  partition.write_demand = 21'000;
  partition.throttled_writes = 7;
  map.partition_write_units = 500;
  map.partitions = {partition};
  map.slices = {{kFirstMinute, {{1, 0, 18'000, 0, 21'000, 0, 7}}}};
  return map;
}

}  // namespace

ReportInput ShopWithPartitions() {
  ReportInput input = ShopWithOneCustomerKey();
  input.measurement.partitions = {TableMap(), IndexMap()};
  return input;
}

ReportInput ShopWithManyPartitions() {
  constexpr std::int64_t kPartitions = 200;
  ReportInput input = ShopWithOneCustomerKey();
  PartitionMap map = EmptyMap("", "enforce");
  PartitionSlice slice{.begin_epoch_ms = kFirstMinute};
  for (std::int64_t number = 1; number <= kPartitions; ++number) {
    PartitionMeasure partition{.number = number, .cause = "size", .began_epoch_ms = kFirstMinute};
    char hash[17];
    std::snprintf(hash, sizeof(hash), "%02llx00000000000000", static_cast<long long>(number - 1));
    partition.first_hash = hash;
    std::snprintf(hash, sizeof(hash), "%02llxffffffffffffff", static_cast<long long>(number - 1));
    partition.last_hash = hash;
    partition.write_units = static_cast<double>(number) * 100;
    partition.write_demand = partition.write_units;
    slice.partitions.push_back({number, 0, partition.write_units, 0, partition.write_demand, 0, 0});
    map.partitions.push_back(partition);
  }
  map.slices = {slice};
  input.measurement.partitions = {map};
  return input;
}

ReportInput HostilePartitions() {
  const std::string tag = "\"><script>alert('1')</script><img src=x onerror=\"alert(1)\">";
  const std::string controls = std::string("\x1B[31mred\x07\n\t\0end", 15);
  ReportInput input = ShopWithPartitions();
  PartitionMap& map = input.measurement.partitions[0];
  map.table = tag;
  map.mode = controls;
  map.throttles = {{tag, 3}, {controls, 4}};
  map.partitions[4].last_key = tag;
  map.partitions[5].first_key = controls;
  map.partitions[5].cause = tag;
  map.partitions[7].uncut = controls + tag;
  map.partitions[6].number = 7'000'000'000'000'000'000;
  map.partitions[7].number = 9'000'000'000'000'000'000;
  input.measurement.partitions[1].index = std::string(2'048, '\xE2');
  // A chain of partitions, each of which is the only part of the one before it, from 1970 on.
  PartitionMap& chain = input.measurement.partitions.emplace_back(EmptyMap("", "watch"));
  chain.slices = {{250'000'000'000'000, {{1, 1e15, 1e15, 1e15, 1e15, 1e15, 1e15}}}};
  chain.slice_ms = 1;
  chain.partition_write_units = 0;
  for (std::int64_t number = 1; number <= 20'000; ++number) {
    PartitionMeasure part{.number = number, .parent = number - 1, .ended_epoch_ms = 1};
    part.first_hash = part.last_hash = "ffffffffffffffff";
    part.throttled_reads = part.throttled_writes = 9'000'000'000'000'000'000;
    chain.partitions.push_back(part);
  }
  return input;
}

}  // namespace hashrange
