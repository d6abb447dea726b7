#include "lab/run/lab_run.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/stable_sort.h"
#include "base/threads.h"
#include "base/workers.h"
#include "lab/language/data/unique_values.h"
#include "lab/run/layout_run.h"
#include "lab/run/requests_file.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

// Calls `job` once for each number below `jobs`, on at most `threads` threads, and returns when all
// calls have returned. Numbers are begun in ascending order. 0 threads: as many as the machine has.
void RunJobs(std::size_t jobs, int threads, const std::function<void(std::size_t)>& job) {
  const auto wanted = static_cast<std::size_t>(threads > 0 ? threads : ThreadsOfMachine());
  std::atomic<std::size_t> next{0};
  RunOnThreads(static_cast<int>(std::min(wanted, jobs)), [&](int) {
    for (std::size_t number = next++; number < jobs; number = next++) job(number);
  });
}

// A layout at a scale.
struct RunJob {
  int layout = 0;
  std::uint64_t scale = 1;
};

std::string NamesOfLayouts(const LabFile& file) {
  std::string names;
  for (const LabLayout& layout : file.layouts) {
    names.append(names.empty() ? "" : ", ").append(layout.name);
  }
  return names;
}

// Returns the numbers of the layouts that are to be run, in the file's order.
Result<std::vector<int>> ChosenLayouts(const LabFile& file, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool is_known = std::ranges::any_of(
        file.layouts, [&](const LabLayout& layout) { return layout.name == name; });
    if (is_known) continue;
    return ValidationError("There is no layout \"" + name + "\"; the file has " +
                           NamesOfLayouts(file) + ".");
  }
  std::vector<int> chosen;
  for (std::size_t i = 0; i < file.layouts.size(); ++i) {
    const bool is_chosen =
        names.empty() || std::ranges::find(names, file.layouts[i].name) != names.end();
    if (is_chosen) chosen.push_back(static_cast<int>(i));
  }
  return chosen;
}

std::vector<RunJob> JobsOf(const std::vector<int>& layouts, std::vector<std::uint64_t> scales) {
  StableSort(scales);
  scales.erase(std::unique(scales.begin(), scales.end()), scales.end());
  std::vector<RunJob> jobs;
  for (const int layout : layouts) {
    for (const std::uint64_t scale : scales) jobs.push_back({layout, scale});
  }
  return jobs;
}

// How much of several jobs is done. Thread-safe.
class JobProgress {
 public:
  JobProgress(std::size_t jobs, const std::function<void(double)>& report)
      : done_(jobs), report_(report) {}

  void Set(std::size_t job, double done) {
    if (!report_) return;
    const MutexLock lock(mutex_);
    done_[job] = done;
    report_(std::accumulate(done_.begin(), done_.end(), 0.0) / static_cast<double>(done_.size()));
  }

 private:
  Mutex mutex_;
  std::vector<double> done_;
  const std::function<void(double)>& report_;
};

}  // namespace

Result<LabResult> RunLab(const LabFile& file, const LabRunOptions& options) {
  HR_ASSIGN(const std::vector<int> layouts, ChosenLayouts(file, options.only_layouts));
  HR_RETURN_IF_ERROR(CheckCallCount(file, options.thin));
  const std::vector<RunJob> jobs = JobsOf(layouts, options.scales);
  if (!jobs.empty()) HR_RETURN_IF_ERROR(CheckUniqueValues(file, jobs.back().scale, options.stop));
  std::unique_ptr<RequestsFile> log;
  if (!options.requests_file.empty()) {
    HR_ASSIGN(log, RequestsFile::Open(options.requests_file));
  }
  JobProgress progress(jobs.size(), options.progress);
  std::vector<std::optional<Result<LayoutRun>>> runs(jobs.size());
  // The requests stand in the file in the order of the layouts.
  const int threads = log ? 1 : options.threads;
  RunJobs(jobs.size(), threads, [&](std::size_t number) {
    const RunJob& job = jobs[number];
    if (log) log->BeginLayout(file.layouts[static_cast<std::size_t>(job.layout)].name);
    runs[number] =
        RunLayout(file, {.layout = job.layout,
                         .scale = job.scale,
                         .options = options,
                         .log = log.get(),
                         .progress = [&, number](double done) { progress.Set(number, done); }});
  });
  if (log) HR_RETURN_IF_ERROR(log->Close());
  LabResult result;
  result.thin = options.thin;
  for (auto& run : runs) {
    HR_ASSIGN(LayoutRun done, std::move(*run));
    result.runs.push_back(std::move(done));
  }
  return result;
}

double CallsOfTraffic(const LabFile& file) {
  double calls_per_second = 0;
  for (const LabPattern& pattern : file.patterns) {
    if (pattern.calls_per_second > 0) calls_per_second += pattern.calls_per_second;
  }
  return calls_per_second * TrafficFactor(file.traffic).whole_area_s();
}

Status CheckCallCount(const LabFile& file, std::uint64_t thin) {
  constexpr double kMostCallsOfThinnedRun = kMostCallsOfRun * kGreatestThin;
  const double all = CallsOfTraffic(file);
  const double calls = all / static_cast<double>(thin);
  if (calls <= kMostCallsOfRun) return {};
  const std::string bound =
      " calls in each layout, and a run makes " + NumberText(kMostCallsOfRun) + " at most; ";
  if (!(all <= kMostCallsOfThinnedRun)) {
    return ValidationError("the traffic has more than " + NumberText(kMostCallsOfThinnedRun) +
                           bound + "make the phases of `traffic` shorter, or its rates lower");
  }
  // As the option is written: without commas.
  const std::string enough =
      std::to_string(static_cast<std::uint64_t>(std::ceil(all / kMostCallsOfRun)));
  return ValidationError("the traffic would make " + NumberText(calls) + bound +
                         "make the phases of `traffic` shorter, or run with --thin " + enough +
                         ", which makes one of " + enough + " calls");
}

}  // namespace hashrange
