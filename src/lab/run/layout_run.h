// Runs one layout at one scale, from the empty database to the measurement. Used by one thread at a
// time.
//
//   PlanLayout (lab/plan)  →  the tables (layout_database.h)  →  their items (table_fill.h)
//   →  the weights of the patterns (scan_weight.h)  →  the traffic, measured (event_loop.h)
//   →  trials of the first limit (limit_trials.h)
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "lab/run/lab_run.h"
#include "lab/run/requests_file.h"

namespace hashrange {

// Which layout of the file is to be run, and how.
struct LayoutOrder {
  int layout = 0;
  std::uint64_t scale = 1;
  const LabRunOptions& options;  // its scales, layouts, threads and file of requests do not count
  RequestsFile* log = nullptr;   // null: none
  std::function<void(double)> progress = {};  // called with the share that is done
};

// Returns what the layout did.
// Errors: as RunLab (lab_run.h)
Result<LayoutRun> RunLayout(const LabFile& file, const LayoutOrder& order);

// Returns the counts of all patterns of the file before a run, with their weights.
std::vector<PatternRun> FreshPatternRuns(const LabFile& file, std::uint64_t thin);

}  // namespace hashrange
