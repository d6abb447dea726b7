// What a walk over the periods of a time costs: it asks one period after another until enough items
// were found, so that each later period is asked only by the calls that have not found them yet.
// Pure functions; any thread.
//
//   50 wanted, about 30 in a day     today 100 % of the calls, yesterday 99 %, the day before 9 %
#pragma once

#include <utility>
#include <vector>

#include "lab/plan/cost/spread.h"

namespace hashrange {

// Items in all periods together: those that lie inside of the key condition, and those of them that
// are asked for.
struct WalkedItems {
  Moments read = {};
  Moments found = {};
  std::vector<double> shares = {};  // that each period has, in the order in which they are asked
  friend bool operator==(const WalkedItems&, const WalkedItems&) = default;
};

struct WalkLoad {
  WalkedItems items = {};
  // What calls are about has as many items as on average times one of these factors. Who has few
  // has few in all periods.
  Spread factors = Spread(1);
  WalkedItems more = {};  // whose numbers do not depend on the factor; with as many shares, or none
  Moments item_bytes = {};
  double shards =
      1;  // which are asked at once, and have the items of a period evenly but for chance
  double shard_variation = 0;  // and for this variance, of a shard that has one item on average
  double wanted = 1;           // items after which no further period is asked; 1 at least
  enum class End : std::uint8_t {
    kLimit,   // each request has a Limit of what is still missing, and finds all that it reads
    kFound,   // pages are read until enough items have passed a filter
    kOfData,  // each period is read to its end
  };
  End end = End::kLimit;
  friend bool operator==(const WalkLoad&, const WalkLoad&) = default;
  // Takes what most loads of a search differ in.
  template <typename H>
  friend H AbslHashValue(H h, const WalkLoad& load) {
    return H::combine(std::move(h), load.items.read, load.more.read, load.item_bytes, load.wanted,
                      load.shards, load.items.shares);
  }
};

struct WalkCost {
  double units = 0;     // of 4 KB, as a consistent read takes them
  double items = 0;     // that are read
  double requests = 0;  // pages included
  double found = 0;  // that are asked for; `wanted` at most, unless periods are read to their ends
  // Of each period: the units that it takes, and the share of the calls that ask no later one.
  std::vector<double> units_of_period = {};
  std::vector<double> ending_at = {};
  double unfinished = 0;  // the share of the calls that have not found enough in all periods
};

// `costs` are of the items of the load, without a limit. Each thread keeps results, up to some
// 50 MB, as a search for layouts asks for the same walk again and again.
WalkCost MeanWalkCost(const WalkLoad& load, PageCosts& costs);
WalkCost MeanWalkCost(const WalkLoad& load);

}  // namespace hashrange
