// A map of partitions for tests that compute figures by hand: two minutes of the table "shop",
// whose four partitions divide the hashes evenly.
//
//   partition   units of each minute           throttled, each minute
//       1       57,000 writes, 150 reads       450 writes of one unit
//    2 to 4      1,000 writes, 150 reads       none
//
// The demand is both together; all reads are strongly consistent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simulation/partitions/partition_map.h"

namespace hashrange {

inline PartitionMap FourPartitions(std::int64_t began_epoch_ms) {
  constexpr std::int64_t kSliceMs = 60'000;
  constexpr std::array<const char*, 4> kFirst = {"0000000000000000", "4000000000000000",
                                                 "8000000000000000", "c000000000000000"};
  constexpr std::array<const char*, 4> kLast = {"3fffffffffffffff", "7fffffffffffffff",
                                                "bfffffffffffffff", "ffffffffffffffff"};
  PartitionMap map{.table = "shop", .mode = "enforce", .began_epoch_ms = began_epoch_ms};
  map.read_limit = 12'000;
  map.write_limit = 4000;
  map.partition_read_units = 3000;
  map.partition_write_units = 1000;
  map.throttles = {{"TableWriteKeyRangeThroughputExceeded", 900}};
  map.slice_ms = kSliceMs;
  PartitionSlice slice{.begin_epoch_ms = began_epoch_ms};
  for (std::size_t at = 0; at < kFirst.size(); ++at) {
    PartitionMeasure& partition = map.partitions.emplace_back();
    partition.number = static_cast<std::int64_t>(at) + 1;
    partition.cause = "beginning";
    partition.began_epoch_ms = began_epoch_ms;
    partition.first_hash = kFirst[at];
    partition.last_hash = kLast[at];
    partition.read_units = 300;
    partition.write_units = at == 0 ? 114'000 : 2000;
    partition.read_demand = partition.read_units;
    partition.write_demand = at == 0 ? 114'900 : 2000;
    slice.partitions.push_back({.number = partition.number,
                                .read_units = 150,
                                .write_units = partition.write_units / 2,
                                .read_demand = 150,
                                .write_demand = partition.write_demand / 2});
  }
  map.partitions[0].throttled_writes = 900;
  map.partitions[0].write_heat = 0.95;
  map.partitions[0].uncut = "order";
  slice.partitions[0].throttled_writes = 450;
  map.slices = {slice, slice};
  map.slices[1].begin_epoch_ms += kSliceMs;
  return map;
}

}  // namespace hashrange
