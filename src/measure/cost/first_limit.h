// LimitRow: how many calls a second of the measured mix a table or an index can take, until a key,
// an item or the throughput meets a limit of the service. The limits are facts of
// docs/service/20-partition-model.md, section 1, and docs/service/21-layout-lab.md, section 4.
// Pure functions; any thread.
//
//   at 4,100 calls/s of this mix: GSI1, key GSI1PK=CUSTOMER, writes
//
// "This mix" is all successful calls of the measurement, in their proportions. Of a key, the units
// a call of the mix are computed for the whole measurement and for each window of time, and the
// greatest of these counts. So a key that is hot on one day only counts as hot. The counters of
// keys have an error, so the number of calls is an interval.
//
// What a partition serves are the PartitionLimits of the table: usually 3,000 read units a second
// of strongly consistent reads, and 4,500 of eventually consistent ones. How much of a key's reads
// is of which kind follows from the patterns that may read the key (declared_key_load.h). Where
// patterns of both kinds may, the share is not known, and the interval is wider.
//
// Where partitions were modelled (Measurement::partitions), each partition that is there at the end
// is taken as a key is: in the whole measurement, and in each window of slices. One that was cut
// before counts no more, as the cut has relieved it. The units of such a row are the
// partition's demand, in which eventually consistent reads count two thirds, as three replicas
// share them (partition_load.h). When partitions are cut differs from run to run, so these rows are
// not reproducible.
//
// The declared rates may have other proportions than the measured mix. So `multiple_of_declared` is
// computed from what these rates need: of a table or an index, each pattern's rate times its
// measured units a call, added up; of a key, what declared_key_load.h says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measure/call_rates.h"
#include "measure/measurement.h"

namespace hashrange {

struct LimitRow {
  double least_calls_per_second = 0;  // the limit is not met below this
  double greatest_calls_per_second =
      0;  // it is met at this; infinity when the counters cannot tell
  std::string table = {};
  std::string index = {};
  // "key": all items with one partition key. The service may move these apart, by sort key, over
  // minutes. "item": one item, which it cannot divide. "partition": one that was modelled.
  // "throughput": what a provisioned table or index declares. "quota": the default quota of a
  // table.
  std::string what = {};
  std::string key = {};        // "GSI1PK=CUSTOMER", "partition 3"; or empty
  std::string direction = {};  // "read", "write"
  // Why the service throttles there: "IndexWriteKeyRangeThroughputExceeded".
  std::string reason = {};
  double limit = 0;                        // units a second, at least
  double units_a_call = 0;                 // of the mix, at most
  std::int64_t window_begin_epoch_ms = 0;  // of the hottest window; 0: the whole measurement
  // Whether all reads of the key or item are eventually consistent.
  bool is_eventually_consistent = false;
  // How many times the declared rates meet the limit: what is served ÷ the units a second that
  // these rates need there. 0 without rates, or when these units are not known.
  double multiple_of_declared = 0;
  // What one partition serves of this direction in a second, where that is not what the service's
  // partitions do and limits the row; else 0.
  double unusual_partition_units = 0;
  // Of a quota on demand: at how many calls a second a table that was just made meets what it
  // serves, usually 12,000 reads and 4,000 writes. A quota is what a table has that took such
  // traffic before.
  double new_table_calls_per_second = 0;
  std::string sentence = {};
};

// Returns for each table and index, each direction and each kind of limit the row of the smallest
// number of calls, ascending by calls. The first row is the first limit.
std::vector<LimitRow> FirstLimits(const Measurement& measurement, std::span<const CallRate> rates);

// Returns the first row that is reproducible, which is not of a partition: what budgets and
// comparisons use. Null when there is none. The row is one of `rows`.
const LimitRow* FirstReproducibleLimit(std::span<const LimitRow> rows);

// Returns "a partition serves 10 write units here"; empty where partitions serve what the service's
// do, or do not limit the row.
std::string UnusualPartitionText(const LimitRow& row);

// Returns what the first of the rows takes for granted, and what a new table on demand takes where
// that is less: "Tables are taken as warm, with a quota of 40,000 units a second each. A new table
// on demand takes 3,000 calls/s of this mix: shop, writes." Where rows are of modelled partitions,
// the text says so first. The text is empty for no rows.
std::string FirstLimitAssumption(const Measurement& measurement, std::span<const LimitRow> rows);

}  // namespace hashrange
