// The search agrees with an enumeration of all layouts of small random applications, each of which
// is forecast as a whole.
#include "lab/propose/layout_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "lab/language/lab_reader.h"
#include "lab/plan/layout_plan.h"
#include "random_application.h"
#include "support/sanitized.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostLayouts = 20'000;

// Leaves each entity its own table key, perhaps another key, and two or three paths, so that all
// layouts can be enumerated.
void Trim(std::uint64_t number, AccessSpace& space) {
  std::size_t layouts = 1;
  for (EntitySpace& one : space.entities) {
    const std::size_t keys = 1 + (number + layouts) % 2;
    while (one.table_keys.size() > keys) {
      one.table_keys.erase(one.table_keys.begin() + 1 +
                           static_cast<std::ptrdiff_t>(number % (one.table_keys.size() - 1)));
    }
    while (one.paths.size() > 2 + number % 3 / 2) {
      one.paths.erase(one.paths.begin() +
                      static_cast<std::ptrdiff_t>(number * 7 % one.paths.size()));
    }
    layouts *= one.table_keys.size() << one.paths.size();
  }
  ASSERT_LE(layouts, kMostLayouts);
}

using Cell = std::pair<int, int>;  // indexes, level

struct Enumerated {
  std::map<Cell, double> months = {};  // the cheapest of each cell
  std::size_t layouts = 0;
};

int BurdensOf(const LabFile& file, const AccessSpace& space, const LayoutCandidate& candidate) {
  int burdens = 0;
  for (const EntityChoice& choice : ChoicesOf(space, candidate)) {
    burdens += WeightOfBurdens(file, space, choice);
  }
  return burdens;
}

// `burden_usd` is what each of these counts besides, and `burdens` what calls do.
Enumerated Enumerate(const LayoutForecaster& forecaster, const AccessSpace& space, TableStyle style,
                     double burden_usd, const CallBurdens& burdens) {
  const PatternEvaluator evaluator(forecaster, space, {}, burdens);
  const LabFile& file = forecaster.model().file();
  Enumerated all;
  LayoutCandidate candidate = {.style = style};
  const auto entities = file.entities.size();
  const auto try_all = [&](const auto& self, std::size_t entity) -> void {
    if (entity < entities) {
      const EntitySpace& own = space.entities[entity];
      for (std::size_t key = 0; key < own.table_keys.size(); ++key) {
        for (std::uint64_t paths = 0; paths < std::uint64_t{1} << own.paths.size(); ++paths) {
          const EntityChoice choice = {static_cast<int>(entity), static_cast<std::uint8_t>(key),
                                       paths};
          if (!IsPossible(space, choice, style)) continue;
          candidate.table_keys[entity] = static_cast<std::uint8_t>(key);
          candidate.paths[entity] = paths;
          self(self, entity + 1);
        }
      }
      return;
    }
    ++all.layouts;
    const LabLayout layout = LayoutOf(file, space, candidate, "all");
    const auto plan = PlanLayout(forecaster.model(), layout);
    ASSERT_TRUE(plan.ok());
    for (const PatternPlan& pattern : plan->patterns) {
      if (!pattern.impossible.empty() || ScansOthers(pattern, style)) return;
    }
    const auto forecast = forecaster.Forecast(layout);
    ASSERT_TRUE(forecast.ok());
    double month = forecast->month_usd.value_or(0) + burden_usd * BurdensOf(file, space, candidate);
    month += evaluator.BurdenUsd(layout);
    const Cell cell = {CountIndexes(layout), HeadroomLevels{}.LevelOf(forecast->key_headroom)};
    const auto [at, is_new] = all.months.emplace(cell, month);
    if (!is_new) at->second = std::min(at->second, month);
  };
  try_all(try_all, 0);
  return all;
}

double Cheapest(const std::map<Cell, double>& months, int indexes, int level) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [cell, month] : months) {
    if (cell.first <= indexes && cell.second >= level) least = std::min(least, month);
  }
  return least;
}

// With other indexes, a layout is what the lab says of it, too, and better.
void ExpectSpread(const LayoutForecaster& forecaster, const AccessSpace& space,
                  const SearchOrder& order, const FoundLayout& found) {
  double most_usd = found.CountedUsd();
  for (const FoundLayout& one : SpreadOverIndexes(forecaster, space, order, found)) {
    const LabLayout layout =
        LayoutOf(forecaster.model().file(), space, one.candidate, "all", &one.slots);
    const auto forecast = forecaster.Forecast(layout);
    ASSERT_TRUE(forecast.ok());
    EXPECT_EQ(forecast->month_usd.value_or(0), one.month_usd);
    EXPECT_EQ(CountIndexes(layout), one.indexes);
    EXPECT_GE(one.level, found.level);
    EXPECT_LE(one.CountedUsd(), most_usd);
    most_usd = one.CountedUsd();
  }
}

// Compares one application, unless a pattern is served by a Scan in what is left of its space.
// Returns whether it was compared.
bool ExpectAgreement(std::uint64_t number, TableStyle style) {
  SCOPED_TRACE(RandomApplication(number));
  const auto lab = LoadApplication(RandomApplication(number), "random.yaml");
  if (!lab.ok()) {
    ADD_FAILURE() << lab.error().message;
    return false;
  }
  const LabFile& file = lab->file;
  const LayoutForecaster forecaster(file);
  AccessSpace space = WithRelief(forecaster, SpaceOf(file), HeadroomLevels{}.asked);
  Trim(number, space);
  const bool has_burdens = number % 2 == 0;
  const SearchOrder order = {.style = style,
                             .burden_usd = has_burdens ? 0.5 : 0,
                             .burdens = has_burdens ? CallBurdens{1, 9} : CallBurdens{}};
  const SearchResult result = SearchLayouts(forecaster, space, order);
  if (!result.only_by_scan.empty() || !result.impossible.empty()) return false;
  if (!result.is_complete) return false;
  std::map<Cell, double> months;
  for (const FoundLayout& one : result.found) {
    months[{one.indexes, one.level}] = one.CountedUsd();
    // What the search says of a layout is what the lab says of it.
    const LabLayout layout = LayoutOf(file, space, one.candidate, "all");
    const auto forecast = forecaster.Forecast(layout);
    EXPECT_TRUE(forecast.ok());
    if (!forecast.ok()) continue;
    EXPECT_EQ(forecast->month_usd.value_or(0), one.month_usd);
    EXPECT_EQ(forecast->key_headroom, one.headroom);
    EXPECT_EQ(CountIndexes(layout), one.indexes);
    if (style == TableStyle::kOneTable) ExpectSpread(forecaster, space, order, one);
  }
  const Enumerated all = Enumerate(forecaster, space, style, order.burden_usd, order.burdens);
  for (int indexes = 0; indexes <= 9; ++indexes) {
    for (int level = 0; level < HeadroomLevels::kCount; ++level) {
      const double expected = Cheapest(all.months, indexes, level);
      const double actual = Cheapest(months, indexes, level);
      if (expected == actual) continue;
      EXPECT_NEAR(actual, expected, expected * 1e-9)
          << "application " << number << " indexes " << indexes << " level " << level << " of "
          << all.layouts << " layouts";
    }
  }
  return !result.found.empty();
}

// Of the last three, the cheapest layout is not made of the cheapest ways to store each entity: an
// index that entities share projects the names of all of them, and two copies of one item in one
// collection are both read.
std::vector<int> NumbersOfApplications() {
  std::vector<int> numbers(kIsSanitized ? 10 : 200);
  std::iota(numbers.begin(), numbers.end(), 0);
  numbers.insert(numbers.end(), {383, 787, 2723});
  return numbers;
}

class LayoutSearchOfRandom : public testing::TestWithParam<int> {
 protected:
  // Those are compared whose patterns can be served by keys: half of them.
  static void TearDownTestSuite() {
    if (ran == 203) {
      EXPECT_EQ(compared, 118);
    }
  }

  static inline int ran = 0;
  static inline int compared = 0;
};

TEST_P(LayoutSearchOfRandom, AgreesWithTheEnumeration) {
  const auto number = static_cast<std::uint64_t>(GetParam());
  ++ran;
  compared +=
      ExpectAgreement(number, number % 3 == 0 ? TableStyle::kTableEach : TableStyle::kOneTable) ? 1
                                                                                                : 0;
}

// Events and tickets have a status, and the index that finds events by place projects it. A ticket
// that is in the same index is written there again whenever its status changes.
TEST(SpreadOverIndexes, KeepsApartWhatNamesStandInTheWayOf) {
  constexpr const char* kText = R"(lab: 1
entities:
  Event:
    count: 200
    attributes:
      event_id: {sequence: 5}
      place: {choice: {north: 1, south: 1}}
      starts_at: {time: {ahead: 90d}}
      status: {choice: {ON_SALE: 9, SOLD_OUT: 1}}
      about: {text: [2000, 3000]}
  Ticket:
    of: Event
    count: 20
    attributes:
      ticket_id: {sequence: 8}
      holder: {text: 12}
      status: {choice: {VALID: 7, USED: 3}}
      terms: {text: [900, 1100]}
access_patterns:
  events of a place: {query: Event, by: [place], order: starts_at, limit: 20, returns: [event_id, starts_at, status], rate: 20/s}
  ticket: {get: Ticket, by: [ticket_id], rate: 5/s}
  tickets of a holder: {query: Ticket, by: [holder], returns: [ticket_id], rate: 5/s}
  admit: {update: Ticket, by: [ticket_id], set: {status: USED}, if: {status: VALID}, rate: 50/s, pick: {where: {status: VALID}}}
)";
  const auto lab = LoadApplication(kText, "events.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const LayoutForecaster forecaster(lab->file);
  const AccessSpace space = SpaceOf(lab->file);
  const SearchOrder order = {};
  // Both entities in one index, with what their patterns return.
  FoundLayout found;
  for (std::size_t entity = 0; entity < 2; ++entity) {
    const EntitySpace& own = space.entities[entity];
    const std::string asked = entity == 0 ? "PLACE" : "HOLDER";
    for (std::size_t i = own.paths.size(); i-- > 0;) {
      const AccessPath& path = own.paths[i];
      const bool is_it = path.form == AccessPath::Form::kGlobalIndex &&
                         path.key.hash.front().label == asked &&
                         path.attributes.empty() == (entity == 1);
      if (is_it) found.candidate.paths[entity] = std::uint64_t{1} << i;
    }
  }
  ASSERT_NE(found.candidate.paths[0], 0u);
  found.slots = SlotsOf(space, ChoicesOf(space, found.candidate));
  const LabLayout layout = LayoutOf(lab->file, space, found.candidate, "all", &found.slots);
  const auto forecast = forecaster.Forecast(layout);
  ASSERT_TRUE(forecast.ok());
  found.month_usd = forecast->month_usd.value_or(0);
  found.indexes = CountIndexes(layout);
  ASSERT_EQ(found.indexes, 1);
  const std::vector<FoundLayout> spread = SpreadOverIndexes(forecaster, space, order, found);
  ASSERT_EQ(spread.size(), 2u);
  EXPECT_EQ(spread[0].month_usd, found.month_usd);
  EXPECT_EQ(spread[1].indexes, 2);
  // An update writes the item only, not its entry in the index besides.
  EXPECT_LT(spread[1].month_usd, 0.7 * found.month_usd);
}

INSTANTIATE_TEST_SUITE_P(Applications, LayoutSearchOfRandom,
                         testing::ValuesIn(NumbersOfApplications()));

TEST(AreNamesAllowed, OfAnIndexAndOfATable) {
  const auto table_of = [](std::size_t indexes, std::size_t names) {
    LabTable table;
    table.indexes.resize(indexes);
    for (LabIndex& index : table.indexes) index.included.resize(names);
    return table;
  };
  EXPECT_TRUE(AreNamesAllowed(table_of(5, 20)));
  EXPECT_FALSE(AreNamesAllowed(table_of(1, 21)));
  EXPECT_FALSE(AreNamesAllowed(table_of(6, 17)));
}

constexpr const char* kMuseum = R"(lab: 1
entities:
  Museum: {count: 40, attributes: {museum_id: {sequence: 3}, name: {text: 20}}}
  Place: {of: Museum, count: 30, attributes: {place_id: {sequence: 5}, name: {text: 20}}}
  Thing:
    of: Museum
    count: 900
    attributes:
      thing_id: {ulid: made}
      made: {time: {past: 900d}}
      number: "{thing_id}-{museum_id}"
      place_id: {ref: Place.place_id}
      title: {text: 30}
      state: {choice: [HERE, LENT]}
  Show: {of: Museum, count: 9, attributes: {show_id: {ulid: opens}, opens: {time: {past: 90d}}, city: {text: 9}}}
  Loan:
    of: Show
    count: 30
    attributes:
      loan_id: {ulid: lent}
      lent: {time: {past: 90d}}
      thing_id: {ref: Thing.thing_id}
      lender: {text: 9}
      state: {choice: [OUT, BACK]}
      due: {time: {ahead: 90d}}
  Report: {of: Thing, count: 3, attributes: {report_id: {ulid: told}, told: {time: {past: 90d}}}}
access_patterns:
  thing: {get: Thing, by: [thing_id], rate: 120/s}
  museum: {query: [Museum, Thing], by: [museum_id], order: -made, limit: 9, returns: [name, thing_id, title], rate: 25/s}
  opening: {query: Show, range: {opens: {next: 30d}}, order: opens, limit: 9, returns: [show_id, city], rate: 15/s}
  by number: {get: Thing, by: [number], rate: 6/s}
  file: {query: [Thing, Report, Loan], by: [thing_id], order: -told, limit: 9, rate: 4/s}
  place: {query: [Place, Thing], by: [place_id], order: number, limit: 9, returns: [name, thing_id], rate: 2/s}
  show: {query: [Show, Loan], by: [show_id], rate: 5/s}
  due: {query: Loan, by: [lender, {state: OUT}], range: {due: {next: 60d}}, order: due, limit: 9, returns: [loan_id], rate: 1/s}
  take in: {create: Thing, unique: [number], rate: 0.01/s}
  move: {update: Thing, by: [thing_id], set: {place_id: {ref: Place.place_id}}, rate: 0.1/s}
  lend: {update: Loan, by: [show_id, loan_id], set: {state: OUT}, rate: 0.01/s}
)";

// Nearly all of the cheap ways to store a thing serve one of the three pages only.
TEST(SearchLayouts, FindsALayoutOfSeveralPagesWithinASmallBudget) {
  const auto lab = LoadApplication(kMuseum, "museum.yaml");
  ASSERT_TRUE(lab.ok()) << lab.error().message;
  const LayoutForecaster forecaster(lab->file);
  const AccessSpace space = SpaceOf(lab->file);
  for (const TableStyle style :
       {TableStyle::kOneTable, TableStyle::kTogether, TableStyle::kTableEach}) {
    const SearchResult result =
        SearchLayouts(forecaster, space, {.style = style, .most_indexes = 20, .most_nodes = 2'000});
    EXPECT_FALSE(result.found.empty()) << static_cast<int>(style);
    EXPECT_TRUE(result.impossible.empty());
    EXPECT_FALSE(result.choices.empty());
  }
}

}  // namespace
}  // namespace hashrange
