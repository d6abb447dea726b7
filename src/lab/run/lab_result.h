// LabResult: what a run of a lab gave. All reports, checks and comparisons are pure functions of
// it. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/plan/layout_plan.h"
#include "measure/distribution.h"
#include "measure/measurement.h"

namespace hashrange {

// What the calls of one pattern did in one layout. A call is what the application asks once; it may
// take several requests: shards, pages, look-ups, fetches, retries.
struct PatternRun {
  std::string name = {};
  double declared_calls_per_second = 0;
  // One of `weight` calls was made, because the pattern reads so much that all of its calls would
  // take too long (LabRunOptions::thin, times what a Scan made necessary). Counts are of those
  // made.
  double weight = 1;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;      // given up after the client's attempts
  std::uint64_t conditions = 0;  // ended by a condition that did not hold
  std::uint64_t skipped = 0;     // arrivals for which no instance could be picked
  std::uint64_t requests = 0;    // retries included
  std::uint64_t throttled = 0;   // of these
  std::uint64_t broken = 0;      // of these: not answered, or by a failure of the server
  std::uint64_t items = 0;       // returned, filters applied
  // The first answer that was an error, but neither a throttle nor a condition that did not hold;
  // calls that got such an answer count as failed. Empty: there was none.
  std::string error = {};
  Distribution read_units = {};  // of a call that succeeded, all of its requests together
  Distribution write_units = {};
  // Of the calls that failed: of the requests that succeeded before, and of parts of batches.
  double failed_read_units = 0;
  double failed_write_units = 0;
};

// Where most of the requests were throttled. All is empty where none was.
struct ThrottlePlace {
  std::string pattern = {};  // with most of the throttled requests
  double pattern_share = 0;  // of the throttled requests
  // What throttled most accesses, and its key that had half of these at least; empty where there is
  // none or it is not known.
  std::string table = {};
  std::string index = {};
  std::string key = {};  // "GSI1PK=CUSTOMER"
};

// A run at a multiple of the declared rates, which looks whether the first limit holds.
struct LimitTrial {
  double multiple = 0;
  double throttled = 0;  // the share of requests; a request counts as all that it stands for
  bool is_thinned = false;
  ThrottlePlace place = {};
};

struct LayoutRun {
  std::string layout = {};
  std::uint64_t scale = 1;
  LayoutPlan plan = {};
  Measurement measurement = {};  // of the tables of this layout, without times of the machine
  std::vector<PatternRun> patterns = {};
  std::vector<LimitTrial> trials = {};  // below and above the first limit; empty: none were made
  std::string no_trial_because = {};    // where a first limit was computed: why none were made
  std::uint64_t items_loaded = 0;
  std::uint64_t items_replaced = 0;  // of these: by a later item with the same key
  std::uint64_t bytes_loaded = 0;    // of the tables, as DynamoDB counts
  bool is_partial = false;           // it was stopped
  std::int64_t simulated_ms = 0;
  // Of this machine, so never part of a report that has to reproduce.
  double load_seconds = 0;
  double run_seconds = 0;
  std::uint64_t requests = 0;
};

struct LabResult {
  std::uint64_t thin = 1;
  std::vector<LayoutRun> runs = {};  // layout by layout in the file's order, ascending by scale
};

}  // namespace hashrange
