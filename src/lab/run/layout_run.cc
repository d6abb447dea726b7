#include "lab/run/layout_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "lab/language/data/population.h"
#include "lab/run/event_loop.h"
#include "lab/run/item_owners.h"
#include "lab/run/layout_database.h"
#include "lab/run/limit_trials.h"
#include "lab/run/scan_weight.h"
#include "lab/run/table_fill.h"

namespace hashrange {
namespace {

// How the progress of a run is divided; trials of the first limit are the rest.
constexpr double kFilled = 0.3;
constexpr double kRun = 0.8;

const LabLayout& LayoutAt(const LabFile& file, int layout) {
  return file.layouts[static_cast<std::size_t>(layout)];
}

double SecondsOf(const Stopwatch& watch) {
  return std::chrono::duration<double>(watch.elapsed()).count();
}

// The stages of the run of one layout.
class LayoutRunner {
 public:
  LayoutRunner(const LabFile& file, const LayoutOrder& order)
      : file_(file),
        order_(order),
        database_(file, LayoutAt(file, order.layout), order.log, order.options.max_memory_bytes),
        population_(file, order.scale, order.options.stop) {}

  Result<LayoutRun> Run() {
    run_.layout = LayoutAt(file_, order_.layout).name;
    run_.scale = order_.scale;
    run_.patterns = FreshPatternRuns(file_, order_.options.thin);
    HR_RETURN_IF_ERROR(population_.Check());
    const FileModel model(file_);
    HR_ASSIGN(run_.plan, PlanLayout(model, LayoutAt(file_, order_.layout)));
    HR_ASSIGN(run_.growth, GrowthOfLayout(model, LayoutAt(file_, order_.layout)));
    HR_RETURN_IF_ERROR(database_.MakeTables(run_.plan, order_.options.thin));
    HR_ASSIGN(const bool is_filled, Fill());
    if (is_filled) {
      HR_RETURN_IF_ERROR(FindCollisions());
      WeighPatterns({database_, file_, run_.plan, order_.scale, order_.options.stop},
                    run_.patterns);
      if (MakesTrials()) database_.SaveTables();
      HR_RETURN_IF_ERROR(RunTraffic());
    } else {
      run_.is_partial = true;
    }
    HR_RETURN_IF_ERROR(TryFirstLimit());
    Report(1);
    return std::move(run_);
  }

 private:
  // A trial needs tables that were not thinned, and is no part of a file of requests.
  bool MakesTrials() const { return NoTrialBecause().empty(); }

  std::string NoTrialBecause() const {
    if (run_.is_partial) return "the run was interrupted";
    if (!order_.options.confirms_first_limit) return "no trial was asked for";
    if (order_.options.thin > 1) return "no trial follows a run that is thinned";
    return order_.log != nullptr ? "no trial is made while requests are written to a file" : "";
  }

  Status TryFirstLimit() {
    run_.no_trial_because = NoTrialBecause();
    if (!MakesTrials()) return {};
    const bool is_first = database_.layout().name == file_.layouts.front().name;
    const double most_work = is_first ? kMostTrialWork : order_.options.trial_work_of_others;
    const TrialParts parts = {
        database_,           file_,
        order_.options.thin, most_work,
        order_.options.stop, [&](double done) { Report(kRun + (1 - kRun) * done); }};
    HR_ASSIGN(LimitTrials done, RunLimitTrials(parts, run_));
    run_.trials = std::move(done.trials);
    run_.no_trial_because = std::move(done.none_because);
    return {};
  }

  void Report(double done) const {
    if (order_.progress) order_.progress(done);
  }

  Result<bool> Fill() {
    const Stopwatch watch;
    TableFill fill(database_, run_.plan, population_);
    auto is_filled = fill.Run(order_.options.stop, [&](double done) { Report(kFilled * done); });
    run_.items_loaded = fill.items();
    run_.load_seconds = SecondsOf(watch);
    return is_filled;
  }

  // The items that were put and are not there were replaced. Only then, or where traffic may
  // replace some, is it worth knowing which.
  Status FindCollisions() {
    HR_ASSIGN(const std::uint64_t stored, database_.CountItems());
    run_.items_replaced = run_.items_loaded - std::min(run_.items_loaded, stored);
    const LabLayout& layout = database_.layout();
    if (run_.items_replaced == 0 && !ItemOwners::MayShareKeys(file_, layout)) return {};
    owners_ = std::make_unique<ItemOwners>(layout, run_.plan, population_);
    run_.collisions = owners_->Fill(order_.options.stop);
    std::ranges::move(FindCollidingItems(run_.collisions), std::back_inserter(run_.plan.findings));
    return {};
  }

  Status RunTraffic() {
    database_.SetTime(file_.start_epoch_ms);  // the patterns were weighed by calls
    database_.ModelPartitions({.seed = file_.seed, .thin = order_.options.thin});
    database_.StartMeasurement();
    const Stopwatch watch;
    EventLoop loop({.database = database_,
                    .file = file_,
                    .plan = run_.plan,
                    .population = population_,
                    .patterns = run_.patterns,
                    .log = order_.log,
                    .stop = order_.options.stop,
                    .owners = owners_.get()},
                   {.phases = file_.traffic});
    HR_ASSIGN(const bool has_finished,
              loop.Run([&](double done) { Report(kFilled + (kRun - kFilled) * done); }));
    run_.run_seconds = SecondsOf(watch);
    run_.is_partial = !has_finished;
    run_.simulated_ms = loop.simulated_ms();
    for (const PatternRun& pattern : run_.patterns) run_.requests += pattern.requests;
    HR_ASSIGN(run_.measurement, database_.StopMeasurement());
    for (const TableMeasure& table : run_.measurement.tables) {
      run_.bytes_loaded += static_cast<std::uint64_t>(table.size_bytes_at_begin);
    }
    return {};
  }

  const LabFile& file_;
  const LayoutOrder& order_;
  LayoutDatabase database_;
  Population population_;
  LayoutRun run_ = {};
  std::unique_ptr<ItemOwners> owners_ = {};  // null: no two instances have the same key
};

}  // namespace

std::vector<PatternRun> FreshPatternRuns(const LabFile& file, std::uint64_t thin) {
  std::vector<PatternRun> runs;
  for (const LabPattern& pattern : file.patterns) {
    runs.push_back({.name = pattern.name,
                    .declared_calls_per_second = std::max(0.0, pattern.calls_per_second),
                    .weight = static_cast<double>(thin)});
  }
  return runs;
}

Result<LayoutRun> RunLayout(const LabFile& file, const LayoutOrder& order) {
  return LayoutRunner(file, order).Run();
}

}  // namespace hashrange
