// LayoutFinisher: makes of a layout that the search found what is proposed. The search decides
// where the items of each entity lie and which keys they have. What follows is changed here, one
// step at a time, each kept where it pays:
//
//   inside their parent    an order's lines in the order, where they need no key of their own
//   in an item of its own  a counter that is written often, apart from a large item
//   projections            what is returned, in place of a fetch
//
// Pure functions; any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "lab/forecast/layout_forecast.h"
#include "lab/propose/access_space.h"
#include "lab/propose/candidate_layout.h"
#include "lab/propose/layout_search.h"
#include "lab/propose/pattern_evaluator.h"
#include "lab/propose/proposal.h"

namespace hashrange {

// Months that differ by so little count as equal.
inline constexpr double kSameMonth = 1.005;

// What counts besides the month where a layout to take is looked for (SearchOrder).
inline constexpr double kBurdenShare = 0.005;
// `weighed_usd` is what shares of the month are of.
inline CallBurdens BurdensWith(const LayoutForecaster& later, double weighed_usd) {
  return {.units_of_request_beside = 0.5,
          .units_of_request = 1,
          .units_of_look_up = 3,
          .units_of_sort = 0.25,
          .most_usd_of_requests = 20 * kBurdenShare * weighed_usd,
          .usd_of_wait = 3 * kBurdenShare * weighed_usd,
          .usd_of_request_beside = 1.5 * kBurdenShare * weighed_usd,
          .times_filtered = 4,
          .times_left_out = 2,
          .later = &later};
}

struct FinishedLayout {
  ProposedLayout proposed = {};  // without its name, its roles, and why
  std::size_t number = 0;        // of those that one proposal is made of
  // The mean of its month now and after a month of the traffic, and what it counts besides
  // (FoundLayout).
  double counted_usd = 0;
  int level = 0;   // of its headroom
  int copies = 0;  // items besides one of each entity
  // Copies that keep nothing unique, and local indexes: more to write, and what can't be added or
  // changed later.
  int burdens = 0;
  // Its indexes, each for every entity that has keys in it: what several share is no simpler.
  int index_uses = 0;
  TableStyle style = TableStyle::kOneTable;
};

// What all layouts of one application are finished with.
struct FinishOrder {
  const LayoutForecaster& now;
  const LayoutForecaster& later;  // of the data after a month of the traffic
  const AccessSpace& space;
  // What shares of the month are of: about what a month costs, but at most twice what all patterns
  // but the dearest cost, or a tenth of it. Where one takes nearly all, the others are still worth
  // a good layout.
  double weighed_usd = 0;
  const AccessSpace* short_space = nullptr;  // the same with short labels; null: none needs them
  std::string table_name = {};               // of the one table
  std::string ttl = {};                      // the attribute by which items expire; empty: none
  HeadroomLevels levels = {};
  int most_indexes = 0;                     // of all tables together
  const std::atomic<bool>* stop = nullptr;  // true: no further changes are looked for
  // How entities may be stored instead: as in layouts of the same style that were found.
  std::vector<EntityChoice> choices = {};
};

// Returns the layout, and where it pays that its items are changed, the changed one, too. `scanned`
// are the patterns that no key of the space serves.
std::vector<FinishedLayout> Finish(const FinishOrder& order, const FoundLayout& found,
                                   const std::vector<int>& scanned);

// Returns the attribute by which items expire: of the times in seconds, as the service wants them,
// the only one that lies ahead of what is created and by which nothing is asked; empty: none.
std::string TtlOf(const LabFile& file, const AccessSpace& space);

// Sets the attribute by which items expire in each table that has it.
void SetTtl(const LabFile& file, const std::string& ttl, LabLayout& layout);

}  // namespace hashrange
