#include "lab/run/scan_weight.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lab/language/data/population.h"
#include "lab/run/call_runner.h"
#include "lab/run/request_sender.h"
#include "lab/run/traffic_arrivals.h"

namespace hashrange {
namespace {

// A read unit takes the engine about as long as a request does by itself, so this is counted: one
// for each request and one for each unit.
constexpr double kMuch = 50;            // a call that needs more is one of those that are weighed
constexpr double kShareOfRun = 0.25;    // what all of these may add to the others
constexpr double kLeastWork = 200'000;  // or at least so much in the whole run
constexpr int kMostCalls = 8;
constexpr double kEnoughWork = 2000;

// Returns the plan without what writes.
LayoutPlan ReadsOf(const LayoutPlan& plan) {
  LayoutPlan reads = plan;
  for (PatternPlan& pattern : reads.patterns) {
    std::erase_if(pattern.steps,
                  [](const PlanStep& step) { return !IsReadOperation(step.request.operation); });
  }
  return reads;
}

// Makes a few calls of each pattern, and returns how much each of its calls needs.
class WorkOfCalls {
 public:
  explicit WorkOfCalls(const WeighedLayout& layout)
      : layout_(layout),
        plan_(ReadsOf(layout.plan)),
        population_(layout.file, layout.scale, layout.stop),
        patterns_(layout.file.patterns.size()),
        sender_(layout.database.database(), layout.file.start_epoch_ms),
        runner_({.sender = sender_,
                 .file = layout.file,
                 .plan = plan_,
                 .population = population_,
                 .events = events_,
                 .patterns = patterns_,
                 .stop = layout.stop}) {}

  bool IsStopped() const {
    return layout_.stop != nullptr && layout_.stop->load(std::memory_order_relaxed);
  }

  double Of(std::size_t pattern) {
    if (plan_.patterns[pattern].steps.empty()) return 1;
    const PatternRun& counts = patterns_[pattern];
    double work = 0;
    for (int call = 0; call < kMostCalls && work < kEnoughWork && !IsStopped(); ++call) {
      runner_.Start(static_cast<int>(pattern), {.number = static_cast<std::uint64_t>(call)}, {});
      while (!events_.empty() && !IsStopped()) runner_.Continue(events_.Take());
      work = static_cast<double>(counts.requests) + counts.read_units.sum();
    }
    return counts.calls == 0 ? 1 : work / static_cast<double>(counts.calls);
  }

 private:
  const WeighedLayout& layout_;
  const LayoutPlan plan_;
  Population population_;
  std::vector<PatternRun> patterns_;
  EventQueue events_ = {};
  DatabaseSender sender_;
  CallRunner runner_;
};

}  // namespace

void WeighPatterns(const WeighedLayout& layout, std::vector<PatternRun>& patterns) {
  const LabFile& file = layout.file;
  const double seconds = TrafficFactor(file.traffic).whole_area_s();
  WorkOfCalls calls(layout);
  std::vector<double> work(patterns.size());  // of the whole run
  double light_work = 0;
  std::size_t heavy_patterns = 0;
  std::vector<bool> is_heavy(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!(file.patterns[i].calls_per_second > 0)) continue;
    const double of_call = calls.Of(i);
    work[i] = of_call * file.patterns[i].calls_per_second * seconds / patterns[i].weight;
    is_heavy[i] = of_call > kMuch;
    heavy_patterns += is_heavy[i] ? 1 : 0;
    if (!is_heavy[i]) light_work += work[i];
  }
  if (heavy_patterns == 0 || calls.IsStopped()) return;
  const double allowed =
      std::max(kLeastWork, kShareOfRun * light_work) / static_cast<double>(heavy_patterns);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (is_heavy[i]) patterns[i].weight *= std::max(1.0, std::ceil(work[i] / allowed));
  }
}

}  // namespace hashrange
