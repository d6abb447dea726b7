// LabResult: what a run of a lab gave. All reports, checks and comparisons are pure functions of
// it. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/plan/layout_plan.h"
#include "lab/run/endpoint_result.h"
#include "lab/run/pattern_run.h"
#include "measure/measurement.h"

namespace hashrange {

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
  // What the same calls did elsewhere, if they were made there.
  std::optional<EndpointResult> endpoint = {};
};

}  // namespace hashrange
