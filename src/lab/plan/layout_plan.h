// LayoutPlan: how a layout serves each access pattern, by which requests, and why. It is derived
// from the templates of the keys and from nothing else, so a lab can be explained without a run.
// Pure functions; any thread.
//
//   customer             GetItem shop
//   orders of a customer Query shop / GSI1, begins_with "ORDER#", backward, limit 20
//   orders of a product  Scan shop: no key begins with {sku}
//   place an order       TransactWriteItems: Put Order, Put Line …, Update Product …
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/language/lab_file.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

// A design rule that the file itself contradicts (docs/service/21-layout-lab.md, section 5, rules
// 39 to 43).
struct PlanFinding {
  std::string rule = {};      // "pattern-without-rate", "unserved-pattern", "key-without-tenant",
                              // "unenforced-unique", "colliding-items"
  std::string severity = {};  // "severe", "warning"
  std::string what = {};      // a sentence
  std::string where = {};     // "shop / GSI1, pattern orders of a product"
  std::string evidence = {};
  std::string advice = {};
};

// The JSON of one item that is stored for each instance of an entity, with role 0 for the instance
// and, for each embedded entity in turn, roles 1, 2, … for its children. It renders to nothing for
// an instance that has no such item.
struct StoredItem {
  int entity = kLabNone;
  std::string table = {};
  std::vector<LabCondition> when = {};
  std::vector<int> embedded = {};  // entities
  RequestTemplate item = {};
};

struct LayoutPlan {
  std::vector<std::string> create_tables = {};  // the input of CreateTable, one each
  std::vector<std::string> update_ttls = {};    // the input of UpdateTimeToLive, where there is one
  std::vector<StoredItem> items = {};
  std::vector<CallShape> shapes = {};      // of each pattern of the file
  std::vector<PatternPlan> patterns = {};  // of each pattern of the file
  std::vector<PlanFinding> findings = {};
};

// Returns the plan of one layout of the file.
// Errors: ValidationException  a request of `serve:` cannot be understood; the sentence has its
// place
Result<LayoutPlan> PlanLayout(const LabFile& file, int layout);
// The same for any layout of the model's file, also for one that does not stand in it.
Result<LayoutPlan> PlanLayout(const FileModel& model, const LabLayout& layout);

}  // namespace hashrange
