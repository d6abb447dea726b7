// PartitionParameters: the figures of the partition model. Some are limits that the service
// publishes or that were measured (docs/service/20-partition-model.md, section 1;
// docs/service/21-layout-lab.md, section 4). The others are published nowhere: what depends on them
// is modelled. All can be changed, so that a test gets a partition that a few requests saturate.
#pragma once

#include <cstdint>

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

}  // namespace hashrange
