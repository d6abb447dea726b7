#include "simulation/partitions/calibration.h"

#include <algorithm>
#include <cmath>

#include "simulation/partitions/sample_positions.h"

namespace hashrange::test {
namespace {

constexpr SimulatedAccess kWrite = {};
constexpr SimulatedAccess kStrongRead = {{Direction::kRead, true}, 1};
constexpr SimulatedAccess kEventualRead = {{Direction::kRead, false}, 0.5};

SimulatedTable MakeTable(std::uint64_t seed, const ResourceSettings& settings) {
  return {{}, SampleKey(), seed, settings};
}

// Two hours of writes to one partition key of a table that provisions ten times what one partition
// serves: 1.2 times that.
struct LongLoad {
  SortKeyOrder order = SortKeyOrder::kRandom;
  bool has_local_index = false;
};

SimulatedTable MakeLongLoadedTable(const CalibrationRun& run, bool has_local_index) {
  PartitionParameters parameters;
  parameters.write_units = run.partition_write_units;
  return {parameters,
          SampleKey(),
          run.seed,
          {.provisioned = {1, 10 * run.partition_write_units}, .has_local_index = has_local_index}};
}

double CutsOfLongLoad(const CalibrationRun& run, const LongLoad& load) {
  SimulatedTable table = MakeLongLoadedTable(run, load.has_local_index);
  SortKeySource keys(load.order, run.seed);
  OfferSteadily(table,
                {.requests_per_second = run.partition_write_units * 6 / 5, .end_ms = 7'200'000},
                [&] { return keys.Next(); });
  return static_cast<double>(table.HeatCutTimes().size());
}

// More workers than one partition can serve, each with one row at a time.
ServedUnits UnitsOfOneKey(const SimulatedAccess& access, std::uint64_t seed, std::int64_t for_ms) {
  Random random(seed);
  SimulatedRows rows;
  MakeOneCollection(10'000, random, &rows);
  SimulatedTable table = MakeTable(seed, {.on_demand = true});
  const SimulatedWorkers workers{.count = 500, .rows_a_request = 1};
  KeepBusy(table, rows.positions, access, workers, random, for_ms);
  return table.served();
}

double StrongReads(const CalibrationRun& run) {
  return UnitsOfOneKey(kStrongRead, run.seed, 35'000).PerSecond(5, 35);
}
double EventualReads(const CalibrationRun& run) {
  return UnitsOfOneKey(kEventualRead, run.seed, 35'000).PerSecond(5, 35);
}
double FirstMinuteWrites(const CalibrationRun& run) { return OneKeyWriteRate(run.seed, 5, 65); }

double InKeyOrder(const CalibrationRun& run) { return BulkLoadRate({}, run.seed); }
double Shuffled(const CalibrationRun& run) { return BulkLoadRate({.is_shuffled = true}, run.seed); }
double Provisioned(const CalibrationRun& run) {
  return BulkLoadRate({.is_shuffled = true, .provisioned_write_units = 10'000}, run.seed);
}
double ProvisionedPartitions(const CalibrationRun&) {
  return static_cast<double>(PartitionsAfterRaise(10'000, 10'000).before);
}

double FirstCutMinutes(const CalibrationRun& run) {
  const HotCollectionCourse course = CourseOfHotCollection(run, 2.5, 12);
  return course.cut_times_ms.empty() ? 0 : static_cast<double>(course.cut_times_ms[0]) / 60'000;
}

// The units a second of the minute after the minute of the first cut, less the units of the minute
// before.
double UnitsOfFirstCut(const CalibrationRun& run) {
  const HotCollectionCourse course = CourseOfHotCollection(run, 2.5, 14);
  if (course.cut_times_ms.empty()) return 0;
  const auto minute = static_cast<std::size_t>(course.cut_times_ms[0] / 60'000);
  return course.units_by_minute[minute + 1] - course.units_by_minute[minute - 1];
}

double CutsOfRising(const CalibrationRun& run) {
  return CutsOfLongLoad(run, {.order = SortKeyOrder::kRising});
}
double CutsOfFalling(const CalibrationRun& run) {
  return CutsOfLongLoad(run, {.order = SortKeyOrder::kFalling});
}
double CutsOfOneItem(const CalibrationRun& run) {
  return CutsOfLongLoad(run, {.order = SortKeyOrder::kOneItem});
}
double CutsWithLocalIndex(const CalibrationRun& run) {
  return CutsOfLongLoad(run, {.has_local_index = true});
}

constexpr CalibratedFigure kFigures[] = {
    {"one partition key, on demand, 500 writers", "1,000 writes/s, flat", 1000, false, 0,
     FirstMinuteWrites},
    {"one partition key, strongly consistent reads", "3,000 units/s", 3000, false, 0, StrongReads},
    {"one partition key, eventually consistent reads", "4,500 units/s", 4500, false, 0,
     EventualReads},
    {"375,000 rows of 210 keys in key order, on demand", "about 1,250 rows/s", 1250, false, 0,
     InKeyOrder},
    {"the same rows shuffled, on demand", "about 3,600 rows/s", 3600, false, 0, Shuffled},
    {"the same rows shuffled, 10,000 WCU", "over 6,000 rows/s", 6000, true, 0, Provisioned},
    {"partitions of a table with 10,000 WCU", "10 or more", 10, true, 0, ProvisionedPartitions},
    {"a hot item collection's first split, in minutes", "about 8", 8, false, 1, FirstCutMinutes},
    {"what this split adds", "1,000 units/s", 1000, false, 0, UnitsOfFirstCut},
    {"splits in two hours along a rising sort key", "never", 0, false, 0, CutsOfRising},
    {"splits in two hours along a falling sort key", "never", 0, false, 0, CutsOfFalling},
    {"splits in two hours for one item", "never", 0, false, 0, CutsOfOneItem},
    {"splits in two hours with a local index", "never", 0, false, 0, CutsWithLocalIndex},
};

}  // namespace

std::span<const CalibratedFigure> CalibratedFigures() { return kFigures; }

double ModelledMedian(const CalibratedFigure& figure, std::int64_t partition_write_units) {
  std::vector<double> all;
  for (const std::uint64_t seed : kCalibrationSeeds) {
    all.push_back(figure.modelled({seed, partition_write_units}));
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

double DifferenceOf(const CalibratedFigure& figure, double modelled) {
  return figure.published == 0 ? modelled : modelled / figure.published - 1;
}

bool IsCalibrated(const CalibratedFigure& figure, double modelled) {
  const double difference = DifferenceOf(figure, modelled);
  return figure.is_least ? difference >= 0 : std::abs(difference) <= kCalibrationTolerance;
}

double BulkLoadRate(const BulkLoad& load, std::uint64_t seed) {
  Random random(seed);
  SimulatedRows rows;
  MakeRowsInKeyOrder({}, random, &rows);
  if (load.is_shuffled) Shuffle(rows.positions, random);
  ResourceSettings settings{.on_demand = load.provisioned_write_units == 0};
  if (!settings.on_demand) settings.provisioned = {1, load.provisioned_write_units};
  PartitionParameters parameters;
  parameters.burst_ms = load.burst_ms;
  SimulatedTable table(parameters, SampleKey(), seed, settings);
  return LoadRows(table, rows.positions, {.count = load.workers}, random);
}

double OneKeyWriteRate(std::uint64_t seed, std::size_t from_s, std::size_t to_s) {
  const auto for_ms = static_cast<std::int64_t>(to_s) * 1000;
  return UnitsOfOneKey(kWrite, seed, for_ms).PerSecond(from_s, to_s);
}

HotCollectionCourse CourseOfHotCollection(const CalibrationRun& run, double offered,
                                          std::int64_t minutes) {
  SimulatedTable table = MakeLongLoadedTable(run, false);
  SortKeySource keys(SortKeyOrder::kRandom, run.seed);
  const double served = static_cast<double>(run.partition_write_units);
  OfferSteadily(table,
                {.requests_per_second = static_cast<std::int64_t>(offered * served),
                 .end_ms = minutes * 60'000},
                [&] { return keys.Next(); });
  HotCollectionCourse course{.cut_times_ms = table.HeatCutTimes(), .units_by_minute = {}};
  for (std::int64_t minute = 0; minute < minutes; ++minute) {
    const auto begin_s = static_cast<std::size_t>(minute * 60);
    course.units_by_minute.push_back(table.served().PerSecond(begin_s, begin_s + 60) * 1000 /
                                     served);
  }
  return course;
}

RaisedPartitions PartitionsAfterRaise(std::int64_t write_units, std::int64_t raised_write_units) {
  SimulatedTable table = MakeTable(1, {.provisioned = {1, write_units}});
  const std::size_t before = table.resource().partitions();
  table.resource().SetSettings({.provisioned = {1, raised_write_units}});
  return {before, table.resource().partitions()};
}

}  // namespace hashrange::test
