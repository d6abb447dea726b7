// ScanWeight: patterns that read very much, such as a Scan of a table, would take most of the time
// of a run. So only one of `weight` calls of such a pattern is made. The weight follows from the
// requests and the units of a few calls that are made before the run, never from the machine.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/lab_result.h"
#include "lab/run/layout_database.h"

namespace hashrange {

// What is weighed. `scale` is the scale of the population which is stored in the database. `stop`
// may be null.
struct WeighedLayout {
  LayoutDatabase& database;
  const LabFile& file;
  const LayoutPlan& plan;
  std::uint64_t scale = 1;
  const std::atomic<bool>* stop = nullptr;
};

// Multiplies the weights of the patterns that read very much. The calls make no changes. When
// `stop` becomes true, the weights stay as they are.
void WeighPatterns(const WeighedLayout& layout, std::vector<PatternRun>& patterns);

}  // namespace hashrange
