// EntityOptions: the ways to store one entity that may be in a best layout, with what each costs by
// the lab's own planner. What an entity costs depends on the others by the patterns only that read
// or write several; so each entity is looked at by itself, and the search (layout_search.h) puts
// the entities together. Used by one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/forecast/layout_forecast.h"
#include "lab/propose/access_space.h"
#include "lab/propose/candidate_layout.h"
#include "lab/propose/pattern_evaluator.h"

namespace hashrange {

struct EntityOption {
  EntityChoice choice = {};
  // A month of what its own items take of all patterns, and its burden. With what entities that
  // share its indexes may project for its items: at most `most_usd`.
  double usd = 0;
  double most_usd = 0;
  double bytes = 0;  // stored
  int global_indexes = 0;
  int local_indexes = 0;
  int copies = 0;
  double burden_usd = 0;                 // a month of what copies and local indexes count besides
  int level = 0;                         // of the headroom of its own keys
  std::vector<TemplateLoad> loads = {};  // of its keys, as in PatternValue
  // The same with what entities that share its indexes may project.
  int least_level = 0;
  std::vector<TemplateLoad> most_loads = {};
  // What its indexes project of the names that other entities have: a number for each slot and
  // name, in ascending order.
  std::vector<int> imposed = {};
  std::uint64_t together = 0;  // its paths for patterns that read several entities
  std::uint64_t crowding = 0;  // its paths to partitions that such patterns may read
  struct Share {
    int pattern = kLabNone;
    double usd = 0;
    bool may_be_more = false;  // unless others project what the pattern asks for
  };
  std::vector<Share> shares = {};  // of `usd`

  int indexes() const { return global_indexes + local_indexes; }
};

struct EntityOptions {
  std::vector<EntityOption> options = {};  // the cheapest first
  // Patterns that no option serves but by a Scan, or that none serves.
  std::vector<int> only_by_scan = {};
  std::vector<int> impossible = {};
  std::size_t nodes = 0;
  bool is_complete = true;  // the budget of nodes sufficed
};

struct EntityBounds {
  int most_indexes = 20;
  HeadroomLevels levels = {};
  double burden_usd = 0;        // what each copy and each local index counts besides, a month
  bool allows_burdens = true;   // copies and local indexes are tried
  bool counts_storage = false;  // more is stored than is free
  std::size_t most_nodes = 20'000;
  const std::atomic<bool>* stop = nullptr;
};

// Returns the options of the entity. `style` is not kSeparately. An option is left out
// where another with the same table key is at least as good in all that the whole layout depends
// on.
EntityOptions OptionsOf(PatternEvaluator& evaluator, int entity, TableStyle style,
                        const EntityBounds& bounds);

// Returns the space with more keys besides those that do not carry the headroom asked: a path in as
// many shards as carry what is written, and a key with the month or the day of its time. A table's
// key has the latter also where a range of the time is asked for.
AccessSpace WithRelief(const LayoutForecaster& forecaster, AccessSpace space, double headroom);

// Returns whether instances are created by themselves, when their siblings may be, too.
bool IsCreatedAlone(const LabFile& file, int entity);

// Returns the space without table keys that a designer would not take, of entities that have
// others:
//   one partition for all of more than 1,000 instances;
//   more than the identity and what follows from it, where that is one beside its parent's only: an
//   instance could be there twice;
//   of the rest, another key than by `distinct`, of what is created by itself: the value could be
//   there twice, unless an item for a unique value is made of it.
AccessSpace WithSoundTableKeys(const LayoutForecaster& forecaster, AccessSpace space);

// Returns the space in which small items of long lists leave out the identities that their table
// key holds, where these are a fifth of an item.
AccessSpace WithSmallItems(const LayoutForecaster& forecaster, AccessSpace space);

// Returns the space whose keys have the beginnings of the entities' labels, "P#" of "PERFORMANCE#".
AccessSpace WithShortLabels(const LabFile& file, AccessSpace space);

}  // namespace hashrange
