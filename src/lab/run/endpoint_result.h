// EndpointResult: what the calls of a lab did at an endpoint that is not this process, layout by
// layout. It has times of a machine and a network, so no two runs are alike. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/run/pattern_run.h"
#include "measure/distribution.h"

namespace hashrange {

// The units that the endpoint reported, held against those of the twin: a database in this process
// with the same tables, which executes each request that the endpoint has answered with success.
// Counts are of such requests.
struct UnitComparison {
  std::uint64_t compared = 0;
  std::uint64_t different = 0;  // of those compared
  // Of those that are different: a write was under way at the same time, so the endpoint may have
  // executed both in another order than the twin.
  std::uint64_t uncertain = 0;
  // Not compared: pages of a Scan, as each server has its own order; parts of batches.
  std::uint64_t not_comparable = 0;
  std::uint64_t unreported = 0;    // the endpoint reported no units; those of the twin count
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

struct EndpointResult {
  std::string url = {};
  std::string prefix = {};  // of the tables
  double rate = 1;          // a share of the declared traffic
  bool is_charged = false;
  std::vector<EndpointLayoutRun> runs = {};
};

}  // namespace hashrange
