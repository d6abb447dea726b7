// Runs a lab file, and prints for each layout how many simulated requests a second it made, with
// the meter and the partition model; then the engine's own rate: the same requests, rendered
// before, on a database that neither measures nor models anything.
//
//   lab_rate lab/examples/shop.yaml [SCALE [trials]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "hashrange/database.h"
#include "lab/language/lab_reader.h"
#include "lab/run/lab_run.h"

namespace hashrange {
namespace {

double SecondsOf(const Stopwatch& watch) {
  return std::chrono::duration<double>(watch.elapsed()).count();
}

void PrintPattern(const PatternRun& pattern) {
  const double calls = pattern.calls == 0 ? 1 : static_cast<double>(pattern.calls);
  std::printf("  %-24s", pattern.name.c_str());
  std::printf(" weight %.0f, %.0f calls, %.0f failed, %.0f conditions, %.0f skipped",
              pattern.weight, static_cast<double>(pattern.calls),
              static_cast<double>(pattern.failed), static_cast<double>(pattern.conditions),
              static_cast<double>(pattern.skipped));
  std::printf(", %.2f requests, %.2f items, %.2f r, %.2f w %s\n",
              static_cast<double>(pattern.requests) / calls,
              static_cast<double>(pattern.items) / calls, pattern.read_units.mean(),
              pattern.write_units.mean(), pattern.error.c_str());
}

void PrintRun(const LayoutRun& run) {
  const auto items = static_cast<double>(run.items_loaded);
  const auto requests = static_cast<double>(run.requests);
  std::printf("%s: %.0f items in %.2f s (%.0f/s), %.0f requests in %.2f s (%.0f/s)\n",
              run.layout.c_str(), items, run.load_seconds, items / run.load_seconds, requests,
              run.run_seconds, requests / run.run_seconds);
  for (const PatternRun& pattern : run.patterns) PrintPattern(pattern);
  for (const LimitTrial& trial : run.trials) {
    std::printf("  at %.4g times the declared rates, %.3g %% are throttled%s\n", trial.multiple,
                100 * trial.throttled, trial.is_thinned ? " (thinned)" : "");
  }
}

// Returns the text between two texts that stand in a line of the file of requests.
std::string Between(std::string_view line, std::string_view before, std::string_view after) {
  const std::size_t begin = line.find(before) + before.size();
  return std::string(line.substr(begin, line.find(after, begin) - begin));
}

struct RecordedRequest {
  std::string operation;
  std::string input;
  bool is_setup = false;
};

// Reads the requests of the next layout from the file. `line` is the first of them, and becomes the
// first of the layout after it, or empty.
std::vector<RecordedRequest> ReadLayout(std::ifstream& file, std::string& line) {
  std::vector<RecordedRequest> requests;
  const std::string layout = Between(line, R"({"layout":")", R"(","pattern":)");
  do {
    if (Between(line, R"({"layout":")", R"(","pattern":)") != layout) return requests;
    const std::size_t begin = line.find(R"("input":)") + 8;
    const std::size_t end = line.rfind(R"(,"status":)");
    requests.push_back({.operation = Between(line, R"("operation":")", "\""),
                        .input = line.substr(begin, end - begin),
                        .is_setup = line.find(R"("pattern":"")") != line.npos});
  } while (std::getline(file, line));
  line.clear();
  return requests;
}

void ReplayLayout(const std::vector<RecordedRequest>& requests) {
  Database database;
  std::string answer;
  double made = 0;
  Stopwatch watch;
  for (const RecordedRequest& request : requests) {
    database.Call(request.operation, request.input, answer);
    if (request.is_setup) {
      watch = {};
    } else {
      ++made;
    }
  }
  const double seconds = SecondsOf(watch);
  std::printf("  the engine alone: %.0f requests in %.2f s (%.0f/s)\n", made, seconds,
              made / seconds);
}

int RunAndReplay(const LabFile& file, LabRunOptions options) {
  const auto result = RunLab(file, options);
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.error().message.c_str());
    return 1;
  }
  // A second run writes the requests, which takes time.
  options.requests_file = std::filesystem::temp_directory_path() / "lab_rate_requests.jsonl";
  const auto recorded = RunLab(file, options);
  if (!recorded.ok()) return 1;
  std::ifstream requests(options.requests_file);
  std::string line;
  std::getline(requests, line);
  for (const LayoutRun& run : result->runs) {
    PrintRun(run);
    ReplayLayout(ReadLayout(requests, line));
  }
  std::filesystem::remove(options.requests_file);
  return 0;
}

}  // namespace
}  // namespace hashrange

int main(int argc, char** argv) {
  using namespace hashrange;
  if (argc < 2) {
    std::puts("lab_rate FILE [SCALE [trials]]");
    return 2;
  }
  std::ifstream in(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto file = ReadLabFile(text, argv[1]);
  if (!file.ok()) {
    std::fprintf(stderr, "%s\n", file.error().message.c_str());
    return 1;
  }
  LabRunOptions options;
  options.threads = 1;
  if (argc > 2) options.scales = {std::strtoull(argv[2], nullptr, 10)};
  options.confirms_first_limit = argc > 3;
  return RunAndReplay(*file, options);
}
