// LayoutSearch: the best layouts of an application's space, by branch and bound over the entities.
// The same answer on every machine, as its budget is counted in nodes. Used by one thread.
//
//   for each entity      its options (entity_options.h), the cheapest first
//   bound of a month     what the options chosen so far take, where a pattern all of whose entities
//                        are chosen is planned beside all that is chosen, and the least that the
//                        others can take
//   bound of headroom    by the loads of the keys chosen so far, which others only add to
//   bound of indexes     the greatest number of one entity (of all, with a table for each)
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lab/propose/candidate_layout.h"
#include "lab/propose/entity_options.h"

namespace hashrange {

struct SearchOrder {
  TableStyle style = TableStyle::kOneTable;  // or kTableEach, or kTogether
  int most_indexes = 20;                     // of all tables together
  HeadroomLevels levels = {};
  // What each copy of an item and each local index of an entity counts besides what it takes, US$ a
  // month: who keeps the layout has to write one, and can't add the other later.
  double burden_usd = 0;
  bool allows_burdens = true;  // copies and local indexes are tried
  CallBurdens burdens = {};
  // Layouts matter only that count so many times what the best one does that carries the headroom
  // asked, at most.
  double most_times_best = std::numeric_limits<double>::infinity();
  std::size_t most_nodes = 200'000;         // of the search, and of all entities' options together
  const std::atomic<bool>* stop = nullptr;  // true: what was found so far is returned
  std::function<void(double)> progress = {};  // how much is done, 0 to 1, now and then
};

struct FoundLayout {
  LayoutCandidate candidate = {};
  SlotPlan slots = {};  // of the one table
  // By the lab's forecast of the whole layout.
  double month_usd = 0;
  double burden_usd = 0;  // what its copies, local indexes and calls count besides
  double headroom = 0;    // of its keys
  int level = 0;
  int indexes = 0;

  double CountedUsd() const { return month_usd + burden_usd; }
};

struct SearchResult {
  // For each number of indexes and each level of headroom the cheapest layout, of those that no
  // other one is at least as good as in all three. The cheapest first.
  std::vector<FoundLayout> found = {};
  std::vector<EntityChoice> choices = {};  // of each entity with each table key the cheapest
  std::vector<int> only_by_scan = {};      // patterns that no key serves
  std::vector<int> impossible = {};        // patterns that no layout of the space serves
  std::size_t nodes = 0;
  std::size_t layouts = 0;  // that were forecast
  std::size_t plans = 0;
  // The bounds have closed: nothing in the space is better.
  bool is_complete = true;
  bool was_stopped = false;
};

// Returns the best layouts. Errors: none; `impossible` says why nothing was found.
SearchResult SearchLayouts(const LayoutForecaster& forecaster, const AccessSpace& space,
                           const SearchOrder& order);

// Returns the layout that was found with its entities in tables of another style; nothing where
// that does not serve all patterns.
std::optional<FoundLayout> InStyle(const LayoutForecaster& forecaster, const AccessSpace& space,
                                   const SearchOrder& order, const FoundLayout& found,
                                   TableStyle style);

// Returns the layout of one table, and better ones whose entities have other indexes: entities that
// share an index share the names that it projects, which may cost one of them more than an index
// costs. Of so many indexes, and of one or two more, each at most once. One step at a time, so
// there may be better ones.
std::vector<FoundLayout> SpreadOverIndexes(const LayoutForecaster& forecaster,
                                           const AccessSpace& space, const SearchOrder& order,
                                           const FoundLayout& found);

}  // namespace hashrange
