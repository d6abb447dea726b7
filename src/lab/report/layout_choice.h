// Which layout of a lab to take, as values without text: what speaks against each layout, the rule
// that chooses, and what would change the choice. Pure functions; any thread.
//
// What fails first counts before what it costs. A layout without any of the flaws below is taken
// before others. Where each has one, layouts are left out for one flaw after another, in this
// order, unless that would leave none. Of the rest, the cheapest is taken. Months that differ by
// less than 2 % or US$ 1 count as equal: of equal ones, the layout with more headroom is taken,
// then the one with fewer round trips, then the one with fewer indexes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"

namespace hashrange {

enum class LayoutFlaw : std::uint8_t {
  kImpossible,      // it cannot serve a pattern
  kFails,           // it served no call of a pattern
  kLosesItems,      // items have the same key
  kOverloaded,      // it meets its first limit before the declared rates
  kBreaksLimits,    // it does not hold the file's own limits
  kBreaksRules,     // it does not enforce what the file declares: `unique`, `tenant`
  kNoMonth,         // what it costs is not known
  kPartOfMonth,     // a part of what it costs is not known
  kLittleHeadroom,  // a key meets its limit before kLeastHeadroom times the declared rates
  kOutgrown,        // within 36 months, writes fail as an item or a collection is too large
  kScans,           // ScansThatWeigh
};
inline constexpr std::size_t kLayoutFlaws = 11;

inline constexpr double kLeastHeadroom = 3;

// A change of all declared rates by a factor at which another layout is to be taken.
struct ChoiceChange {
  double multiple = 1;     // of the declared rates: below it when it is below 1, else above it
  std::size_t layout = 0;  // which is taken there
  // The layout whose headroom or whose flaw changes there; nothing: months become equal there.
  std::optional<std::size_t> by_headroom_of = {};
  bool is_of_equal_months = false;  // months are equal there, so that more headroom counts
};

struct LayoutChoice {
  std::size_t layout = 0;  // of LabFigures::layouts
  // Of each layout: the flaw for which it was left out; nothing: it was not left out before the
  // months were compared.
  std::vector<std::optional<LayoutFlaw>> left_out_for = {};
  // Of each layout: the one that is at least as good in its month, its headroom, its round trips
  // and its number of indexes, and better in one of them; nothing: there is none.
  std::vector<std::optional<std::size_t>> dominated_by = {};
  std::vector<ChoiceChange> changes = {};  // the nearest one below 1, and the nearest one above 1
};

// Chooses among the layouts, of which there is one at least.
LayoutChoice ChooseLayout(const LabFigures& figures, const std::vector<LabViolation>& violations);

// Returns how many times the declared rates a layout's keys and items carry; infinity where they
// set no limit. Quotas and declared capacity, which can be raised, do not count.
double HeadroomOf(const LabLayoutFigures& layout);

// Returns the round trips of a call on average over the declared traffic.
double RoundTripsOf(const LabLayoutFigures& layout);

// Returns the findings of the plan that the layout does not enforce what the file declares.
std::vector<const PlanFinding*> BrokenRules(const LabLayoutFigures& layout);

// Returns the patterns, by number, which no key serves and whose Scans take more than 10 % of the
// month or more than 50 units a call. A Scan that reads nothing else, or that is cheaper than keys,
// is none.
std::vector<std::size_t> ScansThatWeigh(const LabLayoutFigures& layout);

// Returns whether the two months count as equal.
bool CostTheSame(double usd, double other_usd);

}  // namespace hashrange
