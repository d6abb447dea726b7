// Proposal: the layouts that no other beats in month, headroom and number of indexes at once, found
// in the space of an application (access_space.h), named and explained. Pure functions; any thread.
//
//   cheapest   US$ 380.68   50 ×   1 index    GSI1 serves "orders of a customer", …
//   simplest   US$ 464.04   25 ×   none       …
//   beside them the best with one table, and the best with a table for each entity
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/forecast/layout_forecast.h"
#include "lab/language/lab_file.h"

namespace hashrange {

// A greater number of indexes is not asked for.
inline constexpr int kMostProposedIndexes = 40;

// How many tables: "2", "1..3".
struct TableRange {
  int least = 1;
  int most = std::numeric_limits<int>::max();
};
// Returns nothing where the text is no such range.
std::optional<TableRange> ReadTableRange(const std::string& text);

struct ProposeOptions {
  int most_indexes = 20;  // of all tables together
  // That the keys shall carry; more is of no further use. Nothing: what the file's limits of all
  // layouts ask for, or 10.
  std::optional<double> headroom = {};
  // How many tables the layouts of the front may have.
  TableRange tables = {};
  std::size_t most_nodes = 100'000;
  // True: what was found so far is returned, or what a short search finds.
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double)> progress = {};  // how much is done, 0 to 1
};

struct ProposedLayout {
  LabLayout layout = {};  // its name is that of its first role: "cheapest"
  double month_usd = 0;
  double later_usd = 0;  // the same after a month of the declared traffic, when there are more data
  double headroom = 0;   // of the keys
  LimitRow first_limit = {};
  int indexes = 0;
  // How many requests a second all calls make besides the first of each.
  double further_requests = 0;
  bool is_taken = false;     // the one to take: see Proposal::layouts
  bool is_on_front = false;  // no other layout is at least as good in month, headroom and indexes
  bool is_cheapest = false;
  bool is_most_robust = false;
  bool is_simplest = false;
  bool is_one_table = false;          // the best with one table
  bool is_table_each = false;         // the best with a table for each entity
  bool is_by_collection = false;      // entities that are read together share a table, others not
  std::vector<std::string> why = {};  // sentences about itself
};

struct Proposal {
  // The one to take first: of those that carry the most of the headroom that is asked for, and have
  // no copies and local indexes where they need not, the one that counts least (layout_finisher.h).
  // Then the others of the front, the cheapest first; then the best of a form that is not on it.
  std::vector<ProposedLayout> layouts = {};
  std::vector<std::string> notes = {};  // about all: Scans, keys that were not tried
  // Nothing within the stated space is better, but for what `notes` says.
  bool is_best = true;
  bool was_stopped = false;
  std::size_t nodes = 0;
  std::size_t plans = 0;
  std::size_t forecasts = 0;
};

// Returns the proposal for the entities and access patterns of the file, whose layouts do not
// count.
// Errors: ValidationException  a pattern that nothing in the space serves; more entities than
//         kMostProposedEntities; a search by vectors; nothing found within the budget, or before
//         `stop`, nor by a short search then
Result<Proposal> ProposeLayouts(const LabFile& file, const ProposeOptions& options);

// "no index", "1 index", "2 indexes".
std::string IndexesText(int indexes);

}  // namespace hashrange
