#include "lab/run/run_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hashrange {
namespace {

// Ten batches of 25 small items; four were given up, of which two had written nothing.
LayoutRun RunWithPartialBatches() {
  LayoutRun run;
  run.patterns = {{.name = "add",
                   .declared_calls_per_second = 3,
                   .calls = 10,
                   .failed = 4,
                   .requests = 22,
                   .failed_write_units = 20 + 15}};
  run.measurement.patterns = {
      {.name = "add", .calls = 22, .requests = 22, .units = {{"things", "", 0, 6 * 25 + 35}}}};
  return run;
}

// Returns the write units a second that the rates mean.
double WriteUnitsOf(const LayoutRun& run) {
  const PatternMeasure& measured = run.measurement.patterns.at(0);
  const double a_call = measured.units.at(0).write_units / static_cast<double>(measured.calls);
  return MeteredRates(run).at(0).calls_per_second * a_call;
}

TEST(DeclaredLimit, MonthHasTheUnitsOfServedCallsWhateverFailedCallsWroteBefore) {
  LayoutRun run = RunWithPartialBatches();
  EXPECT_DOUBLE_EQ(WriteUnitsOf(run), 3 * 25);
  run.patterns[0].failed_write_units = 0;  // those that failed were throttled as a whole
  run.measurement.patterns[0].units[0].write_units = 6 * 25;
  EXPECT_DOUBLE_EQ(WriteUnitsOf(run), 3 * 25);
}

// Parts of calls that failed are not what a call takes.
TEST(DeclaredLimit, WhereNoCallWasServedItsUnitsAreNotKnown) {
  LayoutRun run = RunWithPartialBatches();
  run.patterns[0].failed = 10;
  run.patterns[0].failed_write_units = run.measurement.patterns[0].units[0].write_units = 40;
  EXPECT_EQ(WriteUnitsOf(run), 0);
}

TEST(DeclaredLimit, PatternThatWasNotCalledHasItsDeclaredRate) {
  LayoutRun run = RunWithPartialBatches();
  run.patterns[0] = {.name = "add", .declared_calls_per_second = 3};
  EXPECT_DOUBLE_EQ(MeteredRates(run).at(0).calls_per_second, 3);
}

// A modelled partition is cut when it is hot, so it is no limit of what was declared.
TEST(DeclaredLimit, TheFirstLimitIsTheLeastMultipleThatIsNotOfAPartition) {
  LayoutRun run = RunWithPartialBatches();
  const std::vector<LimitRow> rows = {
      {.table = "things", .what = "partition", .multiple_of_declared = 2},
      {.table = "things", .what = "key", .multiple_of_declared = 7},
      {.table = "things", .what = "throughput", .multiple_of_declared = 5}};
  const std::optional<DeclaredLimit> first = FirstDeclaredLimit(run, rows);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->row.what, "throughput");
  EXPECT_EQ(first->multiple, 5);
  EXPECT_FALSE(FirstDeclaredLimit(run, std::span(rows).first(1)));
}

// Of the pattern that is thinned, each request counts as all that it stands for.
TEST(ThrottlePlace, IsOfThePatternAndTheResourceThatThrottledMost) {
  const std::vector<PatternRun> patterns = {{.name = "look", .weight = 1, .throttled = 30},
                                            {.name = "sign up", .weight = 10, .throttled = 9}};
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 3},
                           {.table = "shop", .index = "GSI1", .throttled = 9},
                           {.table = "shop", .index = "GSI2"}};
  measurement.resources[1].throttled_keys = {9, 0, {{"PK=A", "", 5, 0}, {"PK=B", "", 4, 0}}};
  const ThrottlePlace place = MostThrottled(patterns, measurement);
  EXPECT_EQ(place.pattern, "sign up");
  EXPECT_DOUBLE_EQ(place.pattern_share, 0.75);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.index, "GSI1");
  EXPECT_EQ(place.key, "PK=A");
}

// The meter counts a write that an index throttles for its table.
TEST(ThrottlePlace, IsOfTheIndexWhosePartitionsThrottled) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}, {.table = "shop", .index = "GSI1"}};
  measurement.resources[0].throttled_keys = {9, 0, {{"PK=A", "", 9, 0}}};
  measurement.partitions = {{.table = "shop", .throttles = {{"TableRead", 1}}},
                            {.table = "shop", .index = "GSI1", .throttles = {{"IndexWrite", 8}}}};
  const ThrottlePlace place = MostThrottled({{.name = "sign up", .throttled = 9}}, measurement);
  EXPECT_EQ(place.index, "GSI1");
  EXPECT_EQ(place.key, "");
}

TEST(ThrottlePlace, IsOfTheResourceWhereNoPartitionThrottled) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}, {.table = "shop", .index = "GSI1"}};
  measurement.partitions = {{.table = "shop"}, {.table = "shop", .index = "GSI1"}};
  const ThrottlePlace place = MostThrottled({{.name = "sign up", .throttled = 9}}, measurement);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.index, "");
}

TEST(ThrottlePlace, AKeyWithFewOfTheThrottlesIsNotNamed) {
  Measurement measurement;
  measurement.resources = {{.table = "shop", .throttled = 9}};
  measurement.resources[0].throttled_keys = {9, 0, {{"PK=A", "", 4, 0}, {"PK=B", "", 3, 0}}};
  const ThrottlePlace place = MostThrottled({{.name = "look", .throttled = 9}}, measurement);
  EXPECT_EQ(place.table, "shop");
  EXPECT_EQ(place.key, "");
}

TEST(ThrottlePlace, WhereNothingWasThrottledIsEmpty) {
  const ThrottlePlace place = MostThrottled({{.name = "look", .requests = 9}}, {});
  EXPECT_EQ(place.pattern, "");
  EXPECT_EQ(place.pattern_share, 0);
  EXPECT_EQ(place.table, "");
}

// Returns all that is said of a limit of 100 × at the key PK=A after the trials.
std::string TriedText(const std::vector<LimitTrial>& trials, const std::string& ended = {}) {
  LayoutRun run;
  run.trials = trials;
  run.no_trial_because = ended;
  run.measurement.patterns = {
      {.name = "add", .calls = 10, .requests = 10, .units = {{"shop", "", 0, 10}}}};
  const std::vector<LimitRow> rows = {{.table = "shop",
                                       .what = "key",
                                       .key = "PK=A",
                                       .direction = "write",
                                       .reason = "TableWriteKeyRangeThroughputExceeded",
                                       .limit = 1000},
                                      {.table = "shop",
                                       .index = "GSI1",
                                       .what = "key",
                                       .key = "GSI1PK=B",
                                       .direction = "write",
                                       .reason = "IndexWriteKeyRangeThroughputExceeded",
                                       .limit = 1000}};
  const DeclaredLimit limit =
      TriedLimit(run, {.row = rows[0], .multiple = 100, .computed = 100}, rows);
  std::string text = std::to_string(std::lround(limit.multiple)) + " × " + limit.row.table + " " +
                     limit.row.index + " " + limit.row.what + " " + limit.row.key + " " +
                     limit.row.reason;
  if (!limit.not_confirmed_because.empty()) text += "; open: " + limit.not_confirmed_because;
  if (!limit.differs_because.empty()) text += "; differs: " + limit.differs_because;
  return text;
}

TEST(TriedLimit, IsTheComputedOneOrWhatTheTrialsSaw) {
  const std::string here = "shop  key PK=A TableWriteKeyRangeThroughputExceeded";
  const ThrottlePlace at = {"add", 1, "shop", "", "PK=A", "TableWriteKeyRangeThroughputExceeded"};
  const ThrottlePlace index = {"add",  1,          "shop",
                               "GSI1", "GSI1PK=B", "IndexWriteKeyRangeThroughputExceeded"};
  const ThrottlePlace partition = {"add", 1,  "shop",
                                   "",    "", "TableWriteKeyRangeThroughputExceeded"};
  const ThrottlePlace quota = {"add", 1, "shop", "", "", "TableWriteAccountLimitExceeded"};
  const LimitTrial holds = {.multiple = 95.4};
  const LimitTrial breaks = {.multiple = 104.8, .throttled = 0.04, .place = at};
  struct Row {
    std::vector<LimitTrial> trials;
    std::string ended;
    std::string text;
  };
  const Row rows[] = {
      {{holds, breaks}, "", "100 × " + here},
      {{}, "no trial was asked for", "100 × " + here + "; open: no trial was asked for"},
      {{holds},
       "further trials would take too many requests",
       "100 × " + here + "; open: further trials would take too many requests"},
      {{holds, {.multiple = 131}}, "", "100 × " + here + "; open: above it, nothing broke"},
      {{{.multiple = 95.4, .throttled = 0.02, .place = at}},
       "",
       "95 × " + here + "; open: below it, no trial held"},
      {{{.multiple = 95.4, .throttled = 0.005, .place = at}, {.multiple = 76}, breaks},
       "",
       "100 × " + here +
           "; open: undecided: at 95.4 ×, 0.5 % of the requests at shop, key PK=A "
           "(TableWriteKeyRangeThroughputExceeded) were throttled"},
      // Within 10 % of the formula, another key breaks: the multiple that holds is sure.
      {{holds, {.multiple = 104.8, .throttled = 0.04, .place = index}},
       "",
       "95 × shop GSI1 key GSI1PK=B IndexWriteKeyRangeThroughputExceeded"},
      {{{.multiple = 50}, {.multiple = 54, .throttled = 0.04, .place = index}},
       "",
       "50 × shop GSI1 key GSI1PK=B IndexWriteKeyRangeThroughputExceeded; differs: that is the "
       "limit of shop, key PK=A "
       "(TableWriteKeyRangeThroughputExceeded), but in the trials another place throttled first: "
       "shop / GSI1, key GSI1PK=B (IndexWriteKeyRangeThroughputExceeded)"},
      {{{.multiple = 50}, {.multiple = 54, .throttled = 0.04, .place = partition}},
       "",
       "50 × shop  partition  TableWriteKeyRangeThroughputExceeded; differs: that is the limit of "
       "shop, key PK=A "
       "(TableWriteKeyRangeThroughputExceeded), but in the trials another place throttled first: "
       "shop, keys of one partition (TableWriteKeyRangeThroughputExceeded)"},
      {{{.multiple = 50}, {.multiple = 54, .throttled = 0.04, .place = quota}},
       "",
       "50 × shop  partition  TableWriteAccountLimitExceeded; differs: that is the limit of shop, "
       "key PK=A "
       "(TableWriteKeyRangeThroughputExceeded), but in the trials another place throttled first: "
       "shop (TableWriteAccountLimitExceeded)"},
      {{{.multiple = 150}, {.multiple = 160, .throttled = 0.04, .has_cuts = true, .place = at}},
       "",
       "150 × " + here + "; differs: a partition was cut in the trials"},
      {{{.multiple = 80}, {.multiple = 86, .throttled = 0.04, .place = at}},
       "",
       "80 × " + here + "; differs: why is not known"},
      // What broke below the computed limit is where the limit is, though no trial near it held.
      {{{.multiple = 30}, {.multiple = 50, .throttled = 0.04, .place = index}},
       "no trials near it decide",
       "50 × shop GSI1 key GSI1PK=B IndexWriteKeyRangeThroughputExceeded; open: no trials near it "
       "decide"},
      {{{.multiple = 50},
        {.multiple = 54, .throttled = 0.04, .place = index, .grown = {"list", 45, 6.5}}},
       "",
       "50 × shop GSI1 key GSI1PK=B IndexWriteKeyRangeThroughputExceeded; differs: at higher rates "
       "more is created, and a call of \"list\" took 45 units, not 6.5"},
      {{{.multiple = 90}, {.multiple = 97, .throttled = 0.04, .place = at}}, "", "90 × " + here},
  };
  for (const Row& row : rows) EXPECT_EQ(TriedText(row.trials, row.ended), row.text);
}

TEST(TrialOutcome, HoldsAtOneInAThousandAndBreaksAboveOneInAHundred) {
  const auto outcome = [](double throttled) { return OutcomeOf({.throttled = throttled}); };
  EXPECT_EQ(outcome(0.001), TrialOutcome::kHolds);
  EXPECT_EQ(outcome(0.0011), TrialOutcome::kUndecided);
  EXPECT_EQ(outcome(0.01), TrialOutcome::kUndecided);
  EXPECT_EQ(outcome(0.011), TrialOutcome::kBreaks);
}

// 1,000 of 1,200 requests were served, of which the key had 30 %.
TEST(ThrottledShare, IsOfTheRequestsAtTheKeyOrTheTable) {
  Measurement measurement;
  measurement.patterns = {
      {.name = "look", .requests = 700, .units = {{"shop", "", 350, 0}}},
      {.name = "list", .requests = 500, .errors = {{"X", 200}}, .units = {{"shop", "", 150, 0}}},
      {.name = "add", .requests = 900, .units = {{"shop", "", 0, 900}, {"other", "", 5, 0}}}};
  measurement.resources = {{.table = "shop", .read_keys = {500, 0, {{"PK=A", "", 150, 0}}}}};
  measurement.partitions = {
      {.table = "shop",
       .throttles = {{"TableReadKeyRangeThroughputExceeded", 100},
                     {"TableWriteKeyRangeThroughputExceeded", 7}}},
      {.table = "other", .throttles = {{"TableReadKeyRangeThroughputExceeded", 50}}}};
  const std::string reason = "TableReadKeyRangeThroughputExceeded";
  EXPECT_DOUBLE_EQ(ThrottledShareAt({"look", 1, "shop", "", "PK=A", reason}, measurement),
                   100.0 / 400);
  EXPECT_DOUBLE_EQ(ThrottledShareAt({"look", 1, "shop", "", "", reason}, measurement),
                   100.0 / 1100);
  EXPECT_EQ(ThrottledShareAt({}, measurement), 0);
}

TEST(ThrottlePlace, AKeyThatIsServedLessThanAPartitionServesIsOneOfSeveral) {
  Measurement measurement;
  measurement.began_epoch_ms = 10'000;
  measurement.ended_epoch_ms = 30'000;
  measurement.resources = {
      {.table = "shop", .index = "GSI1", .written_keys = {40'000, 0, {{"PK=A", "", 16'000, 0}}}}};
  measurement.partitions = {
      {.table = "shop", .index = "GSI1", .partition_read_units = 1, .partition_write_units = 1000}};
  const ThrottlePlace place = {"add",  1,      "shop",
                               "GSI1", "PK=A", "IndexWriteKeyRangeThroughputExceeded"};
  EXPECT_TRUE(FillsPartition(place, measurement));
  measurement.resources[0].written_keys.keys[0].units = 15'999;
  EXPECT_FALSE(FillsPartition(place, measurement));
  measurement.partitions.clear();
  EXPECT_FALSE(FillsPartition(place, measurement));
}

}  // namespace
}  // namespace hashrange
