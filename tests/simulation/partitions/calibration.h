// The calibration of the partition model: what was published about partitions of the service
// (docs/service/21-layout-lab.md, section 4), and the same figures of the model. A unit test holds
// the figures (tests/simulation/partitions/calibration_test.cc), and bench/partition_calibration
// prints them. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulation/partitions/simulated_load.h"

namespace hashrange::test {

// One run of a figure.
struct CalibrationRun {
  std::uint64_t seed = 1;
  // What a partition serves in the runs of one item collection over many minutes. With less than
  // 1,000, the limits of the table and the load are smaller in the same proportion, so that the run
  // makes fewer requests; the figure is for partitions of 1,000.
  std::int64_t partition_write_units = 1000;
};

// A published figure that the model gives again.
struct CalibratedFigure {
  const char* what;
  const char* published_text;  // "about 1,250 rows/s"
  double published;
  bool is_least;  // it was published as "over" or "or more"
  int decimals;   // with which the figure is printed
  double (*modelled)(const CalibrationRun& run);
};

inline constexpr double kCalibrationTolerance = 0.15;
inline constexpr std::uint64_t kCalibrationSeeds[] = {1, 2, 3, 4, 5};

// Returns all figures that are compared.
std::span<const CalibratedFigure> CalibratedFigures();
// Returns the median of the modelled figure over kCalibrationSeeds.
double ModelledMedian(const CalibratedFigure& figure, std::int64_t partition_write_units = 1000);
// Returns modelled / published − 1; of a published 0, the modelled figure.
double DifferenceOf(const CalibratedFigure& figure, double modelled);
// Returns whether the difference is at most kCalibrationTolerance or, if the published figure is
// the least one, not below 0.
bool IsCalibrated(const CalibratedFigure& figure, double modelled);

// The load of 375,000 rows.
struct BulkLoad {
  bool is_shuffled = false;
  std::int64_t provisioned_write_units = 0;  // 0: a new on-demand table
  std::size_t workers = 12;
  std::int64_t burst_ms = PartitionParameters().burst_ms;
};
// Returns the rows a second.
double BulkLoadRate(const BulkLoad& load, std::uint64_t seed);

// Writes a second to one partition key with random sort keys, between two seconds.
double OneKeyWriteRate(std::uint64_t seed, std::size_t from_s, std::size_t to_s);

// A hot item collection with random sort keys, in a table that provisions enough.
struct HotCollectionCourse {
  std::vector<std::int64_t> cut_times_ms;  // since the load began
  std::vector<double> units_by_minute;     // served a second
};
// `offered`: the writes a second, in units of what one partition serves.
HotCollectionCourse CourseOfHotCollection(const CalibrationRun& run, double offered,
                                          std::int64_t minutes);

// Returns how many partitions a provisioned table has, first with the one and then with the other
// number of write units a second.
struct RaisedPartitions {
  std::size_t before = 0;
  std::size_t after = 0;
};
RaisedPartitions PartitionsAfterRaise(std::int64_t write_units, std::int64_t raised_write_units);

}  // namespace hashrange::test
