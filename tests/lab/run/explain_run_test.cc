// What `explain` derives is held against what the engine charges when the calls are made.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lab/plan/unit_estimate.h"
#include "lab/run/call_runner.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_run.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "lab/run/request_sender.h"
#include "run_file.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

// Gets, batches, updates that move index keys and items, sums, deletions, transactions.
constexpr const char* kAccounts = R"(
lab: 1
seed: 11
entities:
  Account: {count: 60, attributes: {account_id: {sequence: 6}, owner: {text: [10, 1500]}, level: {choice: {GOLD: 1, BASIC: 4}}, balance: {number: [0, 99999]}, badge: "{level}/{account_id}", card: "{badge}!"}}
  Entry: {of: Account, count: {poisson: 4, min: 1, max: 12}, attributes: {entry_id: {ulid: at}, at: {time: {past: 30d}}, text: {text: [20, 2000]}}}
access_patterns:
  account: {get: Account, by: [account_id], rate: 1/s, pick: zipf}
  account for sure: {get: Account, by: [account_id], consistent: true, rate: 1/s}
  several accounts: {get: Account, by: [account_id], batch: 7, rate: 1/s}
  entries: {query: Entry, by: [account_id], rate: 1/s}
  open an account: {create: Account, rate: 1/s}
  several entries: {create: Entry, batch: 5, rate: 1/s}
  book: {create: Entry, also: [{update: Account, by: [account_id], add: {balance: 7}}], rate: 1/s}
  upgrade: {update: Account, by: [account_id], set: {level: GOLD}, if: {level: BASIC}, rate: 1/s}
  rename: {update: Account, by: [account_id], set: {owner: {text: [10, 3000]}}, transaction: true, rate: 1/s}
  pay in: {update: Account, by: [account_id], add: {balance: 5}, rate: 1/s}
  close: {delete: Account, by: [account_id], rate: 1/s}
layouts:
  one table:
    tables:
      bank:
        key: [PK, SK]
        indexes: {ByLevel: {key: [LevelPK, LevelSK], projection: keys_only}, All: {key: [SK, PK], projection: all}}
        items:
          Account: {PK: "ACC#{account_id}", SK: METADATA, LevelPK: "LEVEL#{level}", LevelSK: "{account_id}"}
          Entry: {PK: "ACC#{account_id}", SK: "ENTRY#{entry_id}"}
  two tables:
    tables:
      accounts: {key: [account_id], items: {Account: {}}}
      entries: {key: [account_id, entry_id], items: {Entry: {}}}
  sparse:
    like: one table
    tables: {bank: {items: {Account: {PK: "ACC#{account_id}", SK: METADATA, LevelPK: {template: "GOLD", when: {level: GOLD}}, LevelSK: "{level}"}}}}
  templates in keys:
    tables:
      bank:
        key: [PK, SK]
        indexes: {ByBadge: {key: [BadgePK, PK], projection: keys_only}}
        items:
          Account: [{PK: "ACC#{account_id}", SK: METADATA, BadgePK: "BADGE#{badge}"}, {PK: "CARD#{card}", SK: CARD, attributes: [account_id]}]
          Entry: {PK: "ACC#{account_id}", SK: "ENTRY#{entry_id}"}
traffic: [{for: 40s, rate: 1}]
)";

// Makes calls of one layout one after another, and derives the units of each before it is made.
class DerivedAndCharged {
 public:
  DerivedAndCharged(const LabFile& file, int layout)
      : file_(file),
        input_{file, file.layouts[static_cast<std::size_t>(layout)]},
        database_(file, input_.layout, nullptr),
        plan_(FilledPlan(file, layout, population_, database_)) {
    database_.StartMeasurement();
  }

  const LayoutPlan& plan() const { return plan_; }

  // Returns how many calls of each pattern were compared.
  std::map<std::string, int> Compare() {
    constexpr std::uint64_t kCalls = 80;
    std::map<std::string, int> compared;
    for (std::uint64_t number = 0; number < kCalls; ++number) {
      for (std::size_t pattern = 0; pattern < file_.patterns.size(); ++pattern) {
        compared[file_.patterns[pattern].name] += CompareCall(pattern, number) ? 1 : 0;
      }
    }
    return compared;
  }

  // Compares what was derived for calls that the file's conditions refused with what a measurement
  // says that they took, as no answer says it. Returns the names of their patterns.
  std::set<std::string> CompareRefused() {
    const auto measurement = database_.StopMeasurement();
    EXPECT_TRUE(measurement.ok());
    std::map<std::string, double> measured;
    for (const PatternMeasure& pattern : measurement->patterns) {
      measured[pattern.name] += pattern.failed_write_units;
    }
    std::set<std::string> names;
    for (const auto& [name, units] : refused_units_) {
      EXPECT_EQ(units, measured[name]) << name;
      names.insert(name);
    }
    return names;
  }

 private:
  // Returns whether the call succeeded and its units can be derived.
  bool CompareCall(std::size_t pattern, std::uint64_t number) {
    const CallShape& shape = plan_.shapes[pattern];
    const int as_number = static_cast<int>(pattern);
    now_us_ += 1'000'000;
    MadeCall made;
    const CallOrder order = {.pattern = as_number,
                             .shape = shape,
                             .number = number,
                             .now_epoch_ms = file_.start_epoch_ms + now_us_ / 1000,
                             .hot = no_hot_};
    const bool is_made = maker_.Make(order, made);
    std::optional<CallUnits> derived;
    if (is_made) {
      derived = UnitsOfCall(input_, plan_, plan_.patterns[pattern], derived_population_, made.call);
      maker_.Apply(as_number, shape, made);
    }
    PatternRun& counts = counts_[pattern];
    counts = {.name = counts.name};
    runner_.Start(as_number, {.time_us = now_us_, .number = number}, {});
    while (!events_.empty()) runner_.Continue(events_.Take());
    EXPECT_EQ(counts.skipped, is_made ? 0U : 1U);
    EXPECT_EQ(counts.failed, 0U) << counts.error;
    const bool has_succeeded = counts.read_units.count() == 1;
    maker_.Close(has_succeeded, made);
    const auto has_conditions = [](const LabWrite& write) { return !write.conditions.empty(); };
    if (derived && counts.conditions > 0 &&
        std::ranges::any_of(file_.patterns[pattern].writes, has_conditions)) {
      refused_units_[counts.name] += derived->write_units;
    }
    if (!derived || !has_succeeded) return false;
    EXPECT_EQ(derived->read_units, counts.read_units.sum()) << counts.name << " call " << number;
    EXPECT_EQ(derived->write_units, counts.write_units.sum()) << counts.name << " call " << number;
    return true;
  }

  const LabFile& file_;
  const PlannerInput input_;
  LayoutDatabase database_;
  // Both get the same calls: the one of the calls that are made, the other for what is derived.
  Population population_{file_, 1};
  const LayoutPlan plan_;
  Population derived_population_{file_, 1};
  LabCallMaker maker_{file_, derived_population_};
  EventQueue events_ = {};
  std::vector<PatternRun> counts_ = FreshPatternRuns(file_, 1);
  DatabaseSender sender_{database_.database(), file_.start_epoch_ms};
  CallRunner runner_{{.sender = sender_,
                      .file = file_,
                      .plan = plan_,
                      .population = population_,
                      .events = events_,
                      .patterns = counts_}};
  std::int64_t now_us_ = 0;
  std::map<std::string, double> refused_units_ = {};
  const std::map<int, double> no_hot_ = {};
};

TEST(ExplainAndRun, DerivedUnitsOfEachCallAreWhatTheEngineCharges) {
  for (const char* const text : {kSmallShop, kAccounts}) {
    const LabFile file = FileOf(text);
    const auto explained = ExplainLab(file);
    ASSERT_TRUE(explained.ok()) << explained.error().message;
    for (std::size_t i = 0; i < file.layouts.size(); ++i) {
      SCOPED_TRACE(file.layouts[i].name);
      std::map<std::string, int> compared = DerivedAndCharged(file, static_cast<int>(i)).Compare();
      int derived_patterns = 0;
      for (const ExplainedPattern& pattern : (*explained)[i].patterns) {
        if (!pattern.read_units.is_computed) continue;
        ++derived_patterns;
        EXPECT_GT(compared[pattern.name], 20) << pattern.name;
      }
      EXPECT_GE(derived_patterns, 4);
    }
  }
}

class UnitEstimate : public testing::TestWithParam<const char*> {};

TEST_P(UnitEstimate, IsWhatADatabaseCharges) {
  std::ifstream text(SourceRoot() / "tests/lab/plan/writes" / (GetParam() + std::string(".yaml")));
  std::ostringstream yaml;
  yaml << text.rdbuf();
  const LabFile file = FileOf(yaml.str());
  std::set<std::string> refused;
  for (std::size_t i = 0; i < file.layouts.size(); ++i) {
    SCOPED_TRACE(file.layouts[i].name);
    DerivedAndCharged layout(file, static_cast<int>(i));
    std::map<std::string, int> compared = layout.Compare();
    refused.merge(layout.CompareRefused());
    // What is served by keys alone is compared; the others need a query.
    for (const PatternPlan& one : layout.plan().patterns) {
      if (one.service != PlanService::kKey) continue;
      const std::string& name = file.patterns[static_cast<std::size_t>(one.pattern)].name;
      EXPECT_GT(compared[name], 0) << name;
    }
  }
  for (const LabPattern& pattern : file.patterns) {
    if (!pattern.name.starts_with("try ")) continue;
    EXPECT_TRUE(refused.contains(pattern.name)) << pattern.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, UnitEstimate, testing::Values("updates", "embedded", "together"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ExplainAndRun, UnitsThatAreTheSameForEachCallAreThoseOfTheRun) {
  const LabFile file = FileOf(kAccounts);
  const auto explained = ExplainLab(file);
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  const auto run = RunLab(file, {.threads = 1, .confirms_first_limit = false});
  ASSERT_TRUE(run.ok()) << run.error().message;
  int compared = 0;
  for (std::size_t i = 0; i < file.layouts.size(); ++i) {
    for (std::size_t at = 0; at < file.patterns.size(); ++at) {
      const ExplainedPattern& pattern = (*explained)[i].patterns[at];
      const PatternRun& counts = run->runs[i].patterns[at];
      const auto compare = [&](const UnitSpread& spread, const Distribution& charged) {
        if (!spread.is_computed || spread.least != spread.greatest || charged.count() == 0) return;
        ASSERT_EQ(charged.buckets().size(), 1U) << run->runs[i].layout << ": " << pattern.name;
        EXPECT_EQ(charged.mean(), spread.mean) << run->runs[i].layout << ": " << pattern.name;
        EXPECT_EQ(charged.max(), spread.mean) << run->runs[i].layout << ": " << pattern.name;
        ++compared;
      };
      compare(pattern.read_units, counts.read_units);
      compare(pattern.write_units, counts.write_units);
    }
  }
  EXPECT_GT(compared, 25);
}

// Explain makes the first hundred calls of each pattern on the same data.
TEST(ExplainAndRun, UnitsOfQueriesLieWithinTheMeasuredSpread) {
  for (const char* const text : {kSmallShop, kAccounts}) {
    LabFile file = FileOf(text);
    std::erase_if(file.patterns,
                  [](const LabPattern& one) { return one.kind == LabPattern::Kind::kWrite; });
    for (LabPattern& pattern : file.patterns) pattern.calls_per_second = 1;
    const auto explained = ExplainLab(file);
    ASSERT_TRUE(explained.ok()) << explained.error().message;
    const auto run = RunLab(file, {.threads = 1, .confirms_first_limit = false});
    ASSERT_TRUE(run.ok()) << run.error().message;
    for (std::size_t i = 0; i < file.layouts.size(); ++i) {
      int measured = 0;
      for (std::size_t at = 0; at < file.patterns.size(); ++at) {
        const UnitSpread& spread = (*explained)[i].patterns[at].read_units;
        if (spread.is_computed) continue;
        ++measured;
        const Distribution& charged = run->runs[i].patterns[at].read_units;
        ASSERT_GT(charged.count(), 10U);
        ASSERT_LE(charged.count(), spread.calls);
        EXPECT_GE(Distribution::GreatestOf(charged.buckets().front().number), spread.least);
        EXPECT_LE(charged.max(), spread.greatest);
      }
      EXPECT_GT(measured, 0);
    }
  }
}

TEST(Explain, SaysWithWhichShareOfTheDataItMeasured) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Car: {count: 40000, attributes: {car_id: {sequence: 6}, zone: {choice: [N, S]}}}
access_patterns:
  car: {get: Car, by: [car_id], rate: 1/s}
  of a zone: {query: Car, by: [zone], rate: 1/s}
layouts:
  one: {tables: {cars: {key: [car_id], items: {Car: {}}}}}
)");
  const auto explained = ExplainLab(file);
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  const std::vector<ExplainedPattern>& patterns = (*explained)[0].patterns;
  EXPECT_EQ(patterns[0].read_units.data_share, 1);
  EXPECT_EQ(patterns[1].read_units.data_share, 0.25);
}

// What a bucketed key finds is what a key without buckets finds.
TEST(Explain, PeriodsOfARangeFindAllItems) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Car: {count: 20, attributes: {car_id: {sequence: 4}}}
  Ride: {of: Car, count: 60, attributes: {ride_id: {uuid: true}, at: {time: {past: 60d}}, text: {text: 4000}}}
access_patterns:
  rides: {query: Ride, by: [car_id], range: {at: {last: 40d}}, rate: 1/s}
layouts:
  whole: {tables: {rides: {key: [pk, sk], items: {Ride: {pk: "{car_id}", sk: "{at}"}}}}}
  months: {tables: {rides: {key: [pk, sk], items: {Ride: {pk: "{car_id}#{at:month}", sk: "{at}"}}}}}
)");
  const auto explained = ExplainLab(file);
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  const UnitSpread& whole = (*explained)[0].patterns[0].read_units;
  const UnitSpread& months = (*explained)[1].patterns[0].read_units;
  EXPECT_GT(whole.mean, 10);
  EXPECT_NEAR(months.mean, whole.mean, 1.0);  // each of two or three requests is rounded up
}

}  // namespace
}  // namespace hashrange
