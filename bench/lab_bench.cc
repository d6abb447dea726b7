// Runs a lab file and prints how many simulated requests a second each layout made, with the meter
// and the partition model, beside the engine's own rate for the same requests.
//
//   lab_bench lab/examples/shop.yaml [scale]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "hashrange/database.h"
#include "lab/file/lab_reader.h"
#include "lab/run/lab_run.h"

int main(int argc, char** argv) {
  using namespace hashrange;
  if (argc < 2) return 2;
  std::ifstream in(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto file = ReadLabFile(text, argv[1]);
  if (!file.ok()) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return 1;
  }
  LabRunOptions options;
  if (argc > 2) options.scales = {std::strtoull(argv[2], nullptr, 10)};
  if (argc > 3) options.confirms_first_limit = std::string(argv[3]) == "trials";
  options.threads = 1;
  const auto result = RunLab(*file, options);
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  for (const LayoutRun& run : result->runs) {
    std::printf("%s: %llu items in %.2f s (%.0f/s), %llu requests in %.2f s (%.0f/s)\n",
                run.layout.c_str(), static_cast<unsigned long long>(run.items_loaded),
                run.load_seconds, static_cast<double>(run.items_loaded) / run.load_seconds,
                static_cast<unsigned long long>(run.requests), run.run_seconds,
                static_cast<double>(run.requests) / run.run_seconds);
    for (const PatternRun& pattern : run.patterns) {
      std::printf(
          "  %-24s weight %4.0f calls %7llu failed %5llu conditions %5llu skipped %4llu requests "
          "%7llu throttled %6llu items/call %6.2f read %7.2f write %6.2f %s\n",
          pattern.name.c_str(), pattern.weight, static_cast<unsigned long long>(pattern.calls),
          static_cast<unsigned long long>(pattern.failed),
          static_cast<unsigned long long>(pattern.conditions),
          static_cast<unsigned long long>(pattern.skipped),
          static_cast<unsigned long long>(pattern.requests),
          static_cast<unsigned long long>(pattern.throttled),
          pattern.calls == 0
              ? 0.0
              : static_cast<double>(pattern.items) / static_cast<double>(pattern.calls),
          pattern.read_units.mean(), pattern.write_units.mean(), pattern.error.c_str());
    }
    for (const LimitTrial& trial : run.trials) {
      std::printf("  trial at %.3f: %.4f throttled%s\n", trial.multiple, trial.throttled,
                  trial.is_thinned ? ", thinned" : "");
    }
  }
  return 0;
}
