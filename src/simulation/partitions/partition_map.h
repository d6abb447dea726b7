// PartitionMap: how the model cut one table or one global index into partitions, and what each
// partition served and refused, over time. The model makes it
// (simulation/partitions/partitioned_resource.h); a measurement contains it, and its reports draw
// it. Plain data.
//
//   partition   |··········time··········>
//       1       ▁▂▅█┐                        4 was cut from 1 at this moment; 1 ended,
//       4           ├▅▅▄▄▄▄                  and so on: the numbers are in the order of creation
//       5           └▃▃▃▃▃▃
//       2       ▁▁▁▁▁▁▁▁▁▁▁
//
// Units are capacity units (docs/service/08-capacity.md); times are milliseconds since 1970 on the
// server's clock. What depends on a split, or on how an on-demand table grows, is modelled: the
// service does not publish when it does either.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hashrange {

// One partition of a table or an index: a range of positions, in the order of the hashes of
// partition keys and, within one partition key, of sort keys.
struct PartitionMeasure {
  std::int64_t number = 0;  // from 1, in the order of creation
  std::int64_t parent = 0;  // the partition that was cut; 0: there from the beginning
  // Why it was made: "beginning", "size", "heat", or "throughput" for more provisioned units and
  // for the growth of an on-demand table.
  std::string cause = {};
  std::int64_t began_epoch_ms = 0;
  std::int64_t ended_epoch_ms = 0;  // when it was cut; 0: it is there still
  // The range: from `first_hash` (16 hexadecimal digits) to `last_hash`, both included. Where the
  // partition begins or ends inside an item collection, `first_key` or `last_key` is the key there:
  // "PK=ORDERS, SK=ORDER#500". `first_key` is the first key of this partition, `last_key` the first
  // key that is not in it any more; otherwise the text is empty.
  std::string first_hash = {};
  std::string last_hash = {};
  std::string first_key = {};
  std::string last_key = {};
  double read_units = 0;  // served, in all slices
  double write_units = 0;
  // What was asked for, in all slices, refused accesses included, so that it can be compared with
  // what a partition serves: write units, and read units. Units of eventually consistent reads
  // count two thirds, as three replicas share them.
  double read_demand = 0;
  double write_demand = 0;
  // Accesses refused for want of this partition's throughput. With the mode "watch": accesses that
  // would have been refused.
  std::int64_t throttled_reads = 0;
  std::int64_t throttled_writes = 0;
  // The moving average of the demand, as a share of what the partition can serve. 1: all of it.
  double read_heat = 0;
  double write_heat = 0;
  // Why the partition was not cut although it was hot long enough: "item" for one item that takes
  // nearly all, "order" for keys that rise or fall, "range" for Queries and Scans that all read
  // from one place on, "local index", "sort key" for an item collection without a sort key to cut
  // it at, "limit" if there are too many partitions. Empty: it was never that hot, or it was cut.
  std::string uncut = {};
};

// What one partition served and refused in one slice of time.
struct PartitionHeat {
  std::int64_t number = 0;
  double read_units = 0;
  double write_units = 0;
  double read_demand = 0;  // as in PartitionMeasure
  double write_demand = 0;
  double throttled_reads = 0;
  double throttled_writes = 0;
};

// The partitions in which something happened, ascending by number.
struct PartitionSlice {
  std::int64_t begin_epoch_ms = 0;
  std::vector<PartitionHeat> partitions = {};
};

struct ThrottleCount {
  std::string reason = {};  // "TableWriteKeyRangeThroughputExceeded"
  std::int64_t count = 0;   // of accesses
};

struct PartitionMap {
  std::uint64_t model = 0;  // which model this is; not in JSON
  std::string table = {};
  std::string index = {};           // empty: the table itself
  std::string mode = {};            // "watch", "enforce"
  std::int64_t began_epoch_ms = 0;  // since then the table or index is modelled
  // What the table or index as a whole serves in a second: what it provisions, its maximum, or what
  // an on-demand table has grown to, at most its quota.
  double read_limit = 0;
  double write_limit = 0;
  // What one partition serves in a second. Eventually consistent reads get 1.5 × the read units.
  double partition_read_units = 0;
  double partition_write_units = 0;
  std::vector<ThrottleCount> throttles = {};      // ascending by reason
  std::vector<PartitionMeasure> partitions = {};  // ascending by number, those that ended included
  std::int64_t slice_ms = 0;                      // the length of a slice
  std::vector<PartitionSlice> slices = {};        // ascending, without those in which nothing was
};

// Returns `now` without the counts of `earlier`, which is an earlier map of the same table or
// index. Slices in which nothing is left are dropped, and so are partitions that had ended by then,
// if nothing of them is left. If another model has begun since then, `now` is returned as it is.
//
// The slices of both maps are counted from the begin of the model, as the clock may have been set
// back since then. A slice of `now` is one of `earlier`, or 2, 4, 8… of them that follow each
// other.
PartitionMap WithoutEarlier(PartitionMap now, const PartitionMap& earlier);

}  // namespace hashrange
