// PatternEvaluator: what one pattern takes of the entities that it is about, by the lab's own
// planner, for a layout of some of the entities only. Used by one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "lab/forecast/layout_forecast.h"
#include "lab/language/lab_file.h"
#include "lab/propose/access_space.h"
#include "lab/propose/candidate_layout.h"

namespace hashrange {

// How far the keys of a layout carry the declared rates, as far as layouts are told apart by it:
// up to the headroom that is asked for, beyond which more is of no use.
struct HeadroomLevels {
  double asked = 10;

  static constexpr int kCount = 4;  // overloaded, below 3, below what is asked, enough
  int LevelOf(double headroom) const;
};

// What one pattern takes of the entities that it is about.
struct PatternValue {
  bool is_possible = true;
  bool has_scan = false;
  bool is_scan = false;  // by a Scan that reads what is not asked for, and that no key replaces
  // Of each choice, in their order: what its items take in a month, and the loads of their keys.
  // The table of a load is 0, or more for a table with sentinels, and its index is one of the
  // choice's own. Where all choices are in one table, the first has everything.
  struct OfChoice {
    double read_usd = 0;
    double write_usd = 0;
    std::vector<TemplateLoad> loads = {};

    double Usd() const { return read_usd + write_usd; }
  };
  std::vector<OfChoice> choices = {};

  bool IsServed() const { return is_possible && !is_scan; }
  double Usd() const;
};

// What the index of a path projects besides, as other entities are in that index.
struct MoreProjected {
  int entity = kLabNone;
  std::size_t path = 0;
  LabAttributeRef attribute = {};
};

// What the calls of a pattern count besides what they take.
struct CallBurdens {
  // In read units: of a request beside the first; of one after it, which is waited for; of one that
  // a write needs before it, as others may write between the two; of a list with a limit that the
  // client sorts, as it may grow beyond what is read today.
  double units_of_request_beside = 0;
  double units_of_request = 0;
  double units_of_look_up = 0;
  double units_of_sort = 0;
  // The most that the requests of one pattern count by these units.
  double most_usd_of_requests = std::numeric_limits<double>::infinity();
  // Of a read, whatever its rate: where it has to wait for one request before it can make another;
  // where it makes several at the same time.
  double usd_of_wait = 0;
  double usd_of_request_beside = 0;
  // How many times more: what is read and filtered out; what the client sorts and leaves out.
  double times_filtered = 0;
  double times_left_out = 0;
  // Of which data what is filtered out counts, as it grows with what was before; null: of the
  // evaluator's own.
  const LayoutForecaster* later = nullptr;
};

// Asks the planner what patterns take, of tables with some of the entities only.
class PatternEvaluator {
 public:
  // Both outlive the object. `left_out` are entities that are not stored.
  PatternEvaluator(const LayoutForecaster& forecaster, const AccessSpace& space,
                   std::vector<int> left_out = {}, const CallBurdens& burdens = {});

  // Returns what the pattern takes where these choices, of all of its entities, are stored in a
  // table each (kSeparately), in their own tables (kTableEach), or together (kOneTable).
  enum class Asks : std::uint8_t { kCost, kLoads };  // kLoads: also the loads of keys
  // What indexes project besides, as entities that are not in `choices` share them.
  enum class Shared : std::uint8_t {
    kNothing,
    kAsked,  // what the pattern asks for, and others may project
    kAll,    // whatever others may project
  };
  PatternValue Evaluate(int pattern, std::span<const EntityChoice> choices, TableStyle style,
                        Asks asks, Shared shared = Shared::kNothing);
  // Returns the same where the indexes of these paths project attributes besides.
  PatternValue EvaluateWith(int pattern, std::span<const EntityChoice> choices, TableStyle style,
                            std::span<const MoreProjected> more);
  // Returns what the calls of the layout's plan count besides what they take, in a month.
  double BurdenUsd(const LabLayout& layout, const PatternPlan& plan) const;
  // Returns the same of all calls in the layout.
  double BurdenUsd(const LabLayout& layout) const;
  // Returns what the dearest pattern takes in the layout, US$ a month.
  double DearestUsd(const LabLayout& layout) const;
  // Returns the bytes that the choice stores at the end of the traffic.
  double StoredBytes(const EntityChoice& choice, TableStyle style) const;

  // Returns the choices to evaluate a pattern with, where it is asked what one entity takes of it:
  // that entity's own choice, and of each other one its own key with the indexes that are for the
  // pattern.
  std::vector<EntityChoice> WithCompanions(int pattern, const EntityChoice& choice) const;

  bool IsLeftOut(int entity) const { return std::ranges::count(left_out_, entity) > 0; }
  const std::vector<int>& left_out() const { return left_out_; }
  const LabFile& file() const { return forecaster_.model().file(); }
  const AccessSpace& space() const { return space_; }
  // The paths of each entity that a layout may have, a bit each: at first all. Those of entities
  // whose options are known are fewer, and with them what others may project.
  const std::vector<std::uint64_t>& used_paths() const { return used_paths_; }
  void SetUsedPaths(int entity, std::uint64_t paths);
  // Returns the paths of the entity whose indexes project more where this is shared.
  std::uint64_t ExposedTo(int entity, Shared shared, int pattern);
  // Returns the space whose indexes project what is shared.
  const AccessSpace& SpaceWith(Shared shared, int pattern);
  const LayoutForecaster& forecaster() const { return forecaster_; }
  // How many plans were made.
  std::size_t plans() const { return plans_; }

 private:
  PatternValue EvaluateIn(const AccessSpace& space, int pattern,
                          std::span<const EntityChoice> choices, TableStyle style, Asks asks);

  const LayoutForecaster& forecaster_;
  const AccessSpace& space_;
  const std::vector<int> left_out_;
  const CallBurdens burdens_;
  double read_usd_ = 0;  // of a read unit each second, a month
  double write_usd_ = 0;
  std::size_t plans_ = 0;
  std::vector<std::uint64_t> used_paths_;
  AccessSpace scratch_;                            // `space_`, but for a moment
  std::map<int, AccessSpace> shared_spaces_ = {};  // by pattern; kLabNone: whatever is shared
};

// Returns whether a plan has a Scan that the layout is to be blamed for: one that reads what is not
// asked for, and that no key replaces.
bool ScansOthers(const PatternPlan& plan, TableStyle style);

}  // namespace hashrange
