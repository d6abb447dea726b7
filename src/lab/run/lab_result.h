// LabResult: what a run of a lab gave. All reports, checks and comparisons are pure functions of
// it. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/forecast/forecast_curve.h"
#include "lab/plan/layout_growth.h"
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
  std::uint64_t refused = 0;     // of these: answered by an error that is no condition's
  std::uint64_t items = 0;       // returned, filters applied
  // The first answer that was an error, but neither a throttle nor a condition that did not hold;
  // calls that got such an answer count as failed. Empty: there was none.
  std::string error = {};
  Distribution read_units = {};  // of a call that succeeded, all of its requests together
  Distribution write_units = {};
  double searched_bytes = 0;  // of vectors, of all calls that succeeded
  double vector_write_bytes = 0;
  Distribution call_requests = {};  // of such a call, retries included
  // Of such a call: its requests that follow each other. Those that are sent together, as to all
  // shards, count as one; retries do not count.
  Distribution round_trips = {};
  // Of the calls that failed: of the requests that succeeded before, and of parts of batches.
  double failed_read_units = 0;
  double failed_write_units = 0;
  // Where items replaced others (ItemCollisions): the calls of which it was looked whether they
  // were answered wrong by that, those that were, and those that may have been.
  std::uint64_t judged = 0;
  std::uint64_t wrong = 0;
  std::uint64_t doubtful = 0;
};

// Items of an entity that were replaced by items with the same key, of other instances.
struct ItemCollisions {
  struct Example {
    std::string key = {};       // "PK=USER#Ann, SK=PROFILE"
    std::string replaced = {};  // "User 00000012"
    std::string by = {};
  };
  std::string table = {};
  std::string entity = {};
  std::string by_entity = {};
  std::uint64_t replaced = 0;
  std::uint64_t items = 0;             // of `entity` that were put into the table
  std::vector<Example> examples = {};  // two at most
};

// Where most of the requests were throttled. All is empty where none was.
struct ThrottlePlace {
  std::string pattern = {};  // with most of the throttled requests
  double pattern_share = 0;  // of the throttled requests
  // What throttled most accesses, and its key that had half of these at least; empty where there is
  // none or it is not known.
  std::string table = {};
  std::string index = {};
  std::string key = {};     // "GSI1PK=CUSTOMER"
  std::string reason = {};  // "IndexWriteKeyRangeThroughputExceeded"
};

// A pattern whose calls take more as the traffic of a trial creates more.
struct GrownCalls {
  std::string pattern = {};  // empty: there is none
  double units = 0;          // of a call of the trial, on average
  double units_before = 0;   // of a call of the run
};

// A run of warm tables at a multiple of the declared rates, which looks whether the first limit
// holds. Its first seconds do not count (TrialWarmUpMs).
struct LimitTrial {
  double multiple = 0;
  double throttled = 0;  // of the requests at `place`
  bool is_thinned = false;
  bool has_cuts = false;  // whether a partition was cut because it was hot
  ThrottlePlace place = {};
  GrownCalls grown = {};  // of the patterns that take units at the place
};

struct LayoutRun {
  std::string layout = {};
  std::uint64_t scale = 1;
  LayoutPlan plan = {};
  LayoutGrowth growth = {};      // of the file's data, whatever the scale
  Measurement measurement = {};  // of the tables of this layout, without times of the machine
  std::vector<PatternRun> patterns = {};
  std::vector<LimitTrial> trials = {};  // of the first limit, in the order in which they were made
  // Where the trials do not decide: why there are none, or no more.
  std::string no_trial_because = {};
  std::uint64_t items_loaded = 0;
  std::uint64_t items_replaced = 0;  // of these: by a later item with the same key
  std::vector<ItemCollisions> collisions = {};
  std::uint64_t bytes_loaded = 0;  // of the tables, as DynamoDB counts
  bool is_partial = false;         // it was stopped
  std::int64_t simulated_ms = 0;
  // Of this machine, so never part of a report that has to reproduce.
  double load_seconds = 0;
  double run_seconds = 0;
  std::uint64_t requests = 0;
};

// --- At an endpoint that is not this process ---

// The units that the endpoint reported, held against the units of the twin: a database in this
// process with the same tables, which executes each request that the endpoint has answered with
// success. Counts are of such requests.
struct UnitComparison {
  std::uint64_t compared = 0;
  std::uint64_t different = 0;  // of those compared
  // Of those that are different: a write was under way at the same time, so the endpoint may have
  // executed both in another order than the twin.
  std::uint64_t uncertain = 0;
  // Not compared: pages of a Scan, as each server has its own order; parts of batches.
  std::uint64_t not_comparable = 0;
  std::uint64_t unreported = 0;    // the endpoint reported no units; the units of the twin count
  std::uint64_t twin_refused = 0;  // the twin answered with an error
  double reported_units = 0;       // of those compared
  double twin_units = 0;
  std::string first_difference = {};  // an example that is not uncertain, if there is one
};

struct EndpointPatternRun {
  PatternRun run = {};
  // Of the calls that ended, failed ones included: from the instant at which the call was to begin
  // to its last answer, in microseconds.
  Distribution latency_us = {};
  std::uint64_t not_made = 0;    // arrivals while too many calls were open
  std::uint64_t unfinished = 0;  // calls that were open when the run ended
  UnitComparison units = {};
};

struct EndpointLayoutRun {
  std::string layout = {};
  std::vector<EndpointPatternRun> patterns = {};  // of each pattern of the file
  std::uint64_t items_filled = 0;
  double fill_s = 0;
  double traffic_s = 0;  // in which calls were to arrive
  double elapsed_s = 0;  // until the last call ended or the run was given up, `traffic_s` at least
                         // unless it was given up
  // By how much requests, first and later ones of their calls, were made later than they were to
  // be, in microseconds: because of this machine.
  Distribution lateness_us = {};
  double spent_usd = 0;                  // by the units that were reported, of a charged endpoint
  std::string ended_early_because = {};  // a sentence; empty: it was not
  std::string left_behind = {};          // a sentence about tables that could not be removed
};

// What the calls did there, layout by layout. It has times of a machine and a network, so no two
// runs are alike.
struct EndpointResult {
  std::string url = {};
  std::string prefix = {};  // of the tables
  double rate = 1;          // a share of the declared traffic
  bool is_charged = false;
  std::vector<EndpointLayoutRun> runs = {};
};

struct LabResult {
  std::uint64_t thin = 1;
  std::vector<LayoutRun> runs = {};  // layout by layout in the file's order, ascending by scale
  // What the same calls did elsewhere, if they were made there.
  std::optional<EndpointResult> endpoint = {};
  // What is expected while numbers of the file change; nothing of it was run.
  std::vector<ForecastCurve> curves = {};
};

}  // namespace hashrange
