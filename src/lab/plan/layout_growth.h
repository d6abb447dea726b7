// LayoutGrowth: what a layout holds, and what its patterns take, after months of the declared
// traffic: computed from the declarations, without an item. Creates, deletes and expiry move the
// numbers of instances; the costs are those that the planner expects of so many. Pure functions;
// any thread.
//
//   months        0      1     12     36
//   Order    50,000  63 k   ×…            creates − deletes − what a `ttl` expires
//   shop     items and bytes, of the table and of each index
//   patterns units a call, by the requests that are the cheapest then
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/request/layout_keys.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

// The moments at which growth is told: now, and after months of 730 hours.
inline constexpr std::array<double, 4> kGrowthMonths = {0, 1, 12, 36};
inline constexpr double kMsPerMonth = 730 * 3'600'000.0;

// What a table or an index holds.
struct KeySize {
  LabKey key = {};
  double items = 0;
  double bytes = 0;  // without what is billed beside for each item
  // The largest item collection: which partition key it has, and its bytes. Of a table with local
  // indexes, their entries count as well, as for the service's limit.
  std::string collection = {};  // "PK=CUST#{customer_id}"
  double collection_bytes = 0;
};

// The item that has most children inside, of those that the layout stores for an entity.
struct FullestItem {
  int entity = kLabNone;
  int embedded = kLabNone;
  double bytes = 0;
};

struct GrowthStage {
  double months = 0;
  std::vector<KeySize> keys = {};         // as KeysOf has them
  std::vector<double> vector_bytes = {};  // that the vector indexes of each table hold
  std::vector<FullestItem> fullest = {};  // in the layout's order
  // Of each pattern. Without keys: it is not possible, or takes the requests of `serve:`.
  std::vector<PatternCost> patterns = {};
  std::vector<PlanService> services = {};
};

struct LayoutGrowth {
  bool has_changes = false;  // a pattern with a rate creates or deletes, or items expire
  std::vector<GrowthStage> stages = {};  // one for each of kGrowthMonths
};

// Returns what a month of the declared traffic makes of the data, where the layout stores them. The
// model has no age.
FileAge AgeAfterAMonth(const FileModel& model, const LabLayout& layout);

// Returns the growth of one layout of the model's file. The model has no age.
// Errors: as PlanLayout
// Cost:   a few models of the file, and a plan for each stage
Result<LayoutGrowth> GrowthOfLayout(const FileModel& model, const LabLayout& layout);

}  // namespace hashrange
