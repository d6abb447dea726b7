// Tests that the model gives the figures that were published about partitions of the service
// (docs/service/21-layout-lab.md, section 4). All time is simulated.
#include "simulation/partitions/calibration.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace hashrange::test {
namespace {

class Calibration : public testing::TestWithParam<CalibratedFigure> {};

// The long runs of one item collection have a fiftieth of the requests.
TEST_P(Calibration, GivesThePublishedFigure) {
  const CalibratedFigure& figure = GetParam();
  const double modelled = ModelledMedian(figure, 20);
  EXPECT_TRUE(IsCalibrated(figure, modelled))
      << figure.what << ": modelled " << modelled << ", published " << figure.published_text;
}

INSTANTIATE_TEST_SUITE_P(Published, Calibration,
                         testing::ValuesIn(CalibratedFigures().begin(), CalibratedFigures().end()),
                         [](const auto& tested) {
                           std::string name;
                           for (const char c : std::string(tested.param.what)) {
                             if (std::isalnum(static_cast<unsigned char>(c))) name += c;
                           }
                           return name;
                         });

TEST(CalibrationRuns, FigureTooFarIsNotCalibrated) {
  const CalibratedFigure about{"", "", 100, false, 0, nullptr};
  EXPECT_TRUE(IsCalibrated(about, 115));
  EXPECT_FALSE(IsCalibrated(about, 116));
  EXPECT_FALSE(IsCalibrated(about, 84));
  const CalibratedFigure least{"", "", 100, true, 0, nullptr};
  EXPECT_TRUE(IsCalibrated(least, 150));
  EXPECT_FALSE(IsCalibrated(least, 99));
  const CalibratedFigure never{"", "", 0, false, 0, nullptr};
  EXPECT_TRUE(IsCalibrated(never, 0));
  EXPECT_FALSE(IsCalibrated(never, 1));
}

TEST(CalibrationRuns, SecondMinuteOfOneKeyIsLikeTheFirst) {
  EXPECT_NEAR(OneKeyWriteRate(1, 65, 125), 1000, 10);
}

// The splits follow one another until the load is served.
TEST(CalibrationRuns, SplitsOfAHotCollectionServeTheLoadStepByStep) {
  const HotCollectionCourse course = CourseOfHotCollection({.partition_write_units = 20}, 5, 60);
  EXPECT_NEAR(course.units_by_minute.front(), 1000, 20);
  EXPECT_NEAR(course.units_by_minute.back(), 5000, 50);
  EXPECT_GE(course.cut_times_ms.size(), 4u);
}

}  // namespace
}  // namespace hashrange::test
