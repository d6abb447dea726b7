// How a layout serves a search: the vector index that has the vectors and each condition, and what
// it is expected to take (docs/service/15-vector-search.md, sections 7 and 8). Pure functions; any
// thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/read_rest.h"
#include "lab/plan/request/pattern_cost.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

// One way in which a vector index can serve a search.
struct SearchCandidate {
  const LabItem* item = nullptr;
  int number = 0;  // of the index among those of the item's table
  const LabVectorIndex* index = nullptr;
  std::vector<AskedTerm> terms = {};      // the HASH element first, if the index has one
  std::vector<ItemPath> projection = {};  // of the results; empty: all but the vector
  bool returns_vector = false;
  std::vector<std::string> lacking = {};  // names of what is fetched from the table
  PatternCost cost = {};
};

// Returns how the layout serves the question of a search.
PatternPlan PlanSearch(const ReadQuestion& question);

// Returns the steps of a search (read_requests.cc).
std::vector<PlanStep> StepsOfSearch(const ReadQuestion& question, const SearchCandidate& candidate);

}  // namespace hashrange
