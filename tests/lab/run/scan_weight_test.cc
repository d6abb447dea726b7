#include "lab/run/scan_weight.h"

#include <gtest/gtest.h>

#include "lab/language/data/population.h"
#include "lab/run/layout_run.h"
#include "run_file.h"

namespace hashrange {
namespace {

constexpr const char* kSearched = R"(
lab: 1
entities: {Thing: {count: 3000, attributes: {id: {sequence: 6}, kind: {choice: {A: 1, B: 9}}, text: {text: [400, 600]}}}}
access_patterns:
  thing: {get: Thing, by: [id], rate: 10/s}
  things of a kind: {query: Thing, by: [kind], rate: 100/s}
layouts: {only: {tables: {things: {key: [id], items: {Thing: {}}}}}}
traffic: [{for: 60s, rate: 1}]
)";

class ScanWeightTest : public testing::Test {
 protected:
  const LabFile file_ = FileOf(kSearched);
  LayoutDatabase database_{file_, file_.layouts[0], nullptr};
  const LayoutPlan plan_ = FilledPlan(file_, 0, Population(file_, 1), database_);
  std::vector<PatternRun> patterns_ = FreshPatternRuns(file_, 1);
};

TEST_F(ScanWeightTest, PatternThatReadsMuchIsMadeSeldom) {
  WeighPatterns({.database = database_, .file = file_, .plan = plan_}, patterns_);
  EXPECT_EQ(patterns_[0].weight, 1);
  EXPECT_GT(patterns_[1].weight, 2);
}

TEST_F(ScanWeightTest, NothingIsWeighedAfterAStop) {
  const std::atomic<bool> stop = true;
  database_.StartMeasurement();
  WeighPatterns({.database = database_, .file = file_, .plan = plan_, .stop = &stop}, patterns_);
  EXPECT_EQ(patterns_[1].weight, 1);
  const auto measurement = database_.StopMeasurement();
  ASSERT_TRUE(measurement.ok());
  EXPECT_TRUE(measurement->patterns.empty());  // no call was made
}

}  // namespace
}  // namespace hashrange
