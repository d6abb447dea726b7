// Prints what the partition model gives beside what was published about the service's partitions,
// as Markdown, and then what the figures depend on. All time is simulated, and each run has a seed,
// so that the program prints the same each time. It exits with 1 if a figure is too far from the
// published one.
//
//   partition_calibration            about two minutes
//   partition_calibration --quick    only the figures; the long runs have smaller partitions
#include "simulation/partitions/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

namespace hashrange::test {
namespace {

double Median(std::vector<double> figures) {
  std::ranges::sort(figures);
  return figures[figures.size() / 2];
}

// Returns how many figures are too far from the published ones.
int PrintFigures(std::int64_t partition_write_units) {
  int failures = 0;
  std::puts("| what | published | modelled (median of five seeds) | difference |");
  std::puts("|---|---|---|---|");
  for (const CalibratedFigure& figure : CalibratedFigures()) {
    const double modelled = ModelledMedian(figure, partition_write_units);
    const bool is_calibrated = IsCalibrated(figure, modelled);
    failures += is_calibrated ? 0 : 1;
    std::printf("| %s | %s | %.*f | ", figure.what, figure.published_text, figure.decimals,
                modelled);
    if (figure.published == 0 && is_calibrated) {
      std::puts("none |");
      continue;
    }
    // Adding 0 makes 0 of −0.
    const double percent = std::round(1000 * DifferenceOf(figure, modelled)) / 10 + 0.0;
    std::printf("%+.1f %%%s%s |\n", percent, figure.is_least ? " (published as the least)" : "",
                is_calibrated ? "" : ", too far");
  }
  return failures;
}

void PrintRates(const BulkLoad& load) {
  std::vector<double> rates;
  for (const std::uint64_t seed : kCalibrationSeeds) rates.push_back(BulkLoadRate(load, seed));
  const auto [least, greatest] = std::ranges::minmax(rates);
  std::printf("| %.0f (%.0f to %.0f) ", Median(rates), least, greatest);
}

void PrintWorkers() {
  std::puts(
      "\nRows a second, by the number of workers (median of five seeds, least and greatest):\n");
  std::puts("| workers | in key order | shuffled | shuffled, 10,000 WCU |");
  std::puts("|---|---|---|---|");
  for (const std::size_t workers : {8, 12, 16}) {
    std::printf("| %zu ", workers);
    PrintRates({.workers = workers});
    PrintRates({.is_shuffled = true, .workers = workers});
    PrintRates({.is_shuffled = true, .provisioned_write_units = 10'000, .workers = workers});
    std::puts("|");
  }
}

void PrintBursts() {
  std::puts("\nRows a second, by how long a partition saves its units (12 workers):\n");
  std::puts("| saved for | in key order | shuffled |");
  std::puts("|---|---|---|");
  for (const int burst_ms : {100, 250, 500, 1000, 2000}) {
    std::printf("| %d ms ", burst_ms);
    PrintRates({.burst_ms = burst_ms});
    PrintRates({.is_shuffled = true, .burst_ms = burst_ms});
    std::puts("|");
  }
}

void PrintSecondMinute() {
  std::printf("\nOne partition key, the second minute: %.0f writes/s.\n",
              OneKeyWriteRate(1, 65, 125));
}

void PrintCourse() {
  std::puts("\nA hot item collection, 5,000 writes/s offered for an hour:");
  for (const std::uint64_t seed : kCalibrationSeeds) {
    const HotCollectionCourse course = CourseOfHotCollection({.seed = seed}, 5, 60);
    std::printf("seed %d: splits after", static_cast<int>(seed));
    for (const std::int64_t time_ms : course.cut_times_ms) {
      std::printf(" %.1f", static_cast<double>(time_ms) / 60'000);
    }
    std::printf(" minutes; units/s in the minutes");
    for (std::size_t minute = 4; minute < course.units_by_minute.size(); minute += 5) {
      std::printf(" %zu: %.0f", minute + 1, course.units_by_minute[minute]);
    }
    std::puts("");
  }
}

void PrintRaised() {
  const RaisedPartitions partitions = PartitionsAfterRaise(3200, 6000);
  std::printf(
      "\n3,200 WCU: %zu partitions; raised to 6,000 WCU: %zu (published: 4 and 8, because "
      "the service then cut each partition in two; the newer formula is "
      "ceil(RCU/3000 + WCU/1000), here with 1 RCU).\n",
      partitions.before, partitions.after);
}

}  // namespace
}  // namespace hashrange::test

int main(int argc, char** argv) {
  using namespace hashrange::test;
  const bool is_quick = argc > 1 && std::string_view(argv[1]) == "--quick";
  const int failures = PrintFigures(is_quick ? 20 : 1000);
  PrintRaised();
  if (is_quick) return failures == 0 ? 0 : 1;
  PrintWorkers();
  PrintBursts();
  PrintSecondMinute();
  PrintCourse();
  return failures == 0 ? 0 : 1;
}
