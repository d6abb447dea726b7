// Explanation: for each pattern and layout the requests, the units that each takes, and why. The
// plan has the units that are expected with all of the data. Beside them stand the units of some
// calls on a small part of the data: of gets and writes computed from the sizes of the items, of
// queries measured. Used by one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/layout_growth.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// Units of one call of a pattern, over a sample of calls.
struct UnitSpread {
  bool is_computed = false;  // else it was measured
  std::uint64_t calls = 0;   // of the sample
  double least = 0;
  double mean = 0;
  double greatest = 0;
  // Of what was measured: which share of the file's instances there were.
  double data_share = 1;
};

struct ExplainedPattern {
  std::string name = {};
  PatternPlan plan = {};
  UnitSpread read_units = {};
  UnitSpread write_units = {};
  UnitSpread searched_bytes = {};  // of vectors, as the figure below
  UnitSpread vector_write_bytes = {};
};

struct ExplainedLayout {
  std::string name = {};
  std::vector<ExplainedPattern> patterns = {};
  std::vector<PlanFinding> findings = {};
  LayoutGrowth growth = {};
  // Of the small part of the data; more of it has more collisions.
  std::vector<ItemCollisions> collisions = {};
};

struct ExplainOptions {
  std::vector<std::string> only_layouts = {};  // names; empty: all
  std::int64_t max_memory_bytes = 0;           // as LabRunOptions has it
  double max_instances = 2e9;                  // more instances to fill are an error
  const std::atomic<bool>* stop = nullptr;     // when it becomes true, no layout follows
};

// Returns what each layout does for each pattern. With `stop`, the layouts until then.
// Errors: as PlanLayout, or the data takes too much memory or has too many instances
// Cost: a fill of some thousand items for each layout.
Result<std::vector<ExplainedLayout>> ExplainLab(const LabFile& file,
                                                const ExplainOptions& options = {});

// Returns how many instances of all entities the file asks for, on average.
double AllInstancesOf(const LabFile& file);

// Returns the file with so few instances of the entities without a parent that there are about
// `most_instances` of all together. Children of one parent are as many as before.
LabFile WithFewerInstances(const LabFile& file, double most_instances);

}  // namespace hashrange
