#include "lab/run/explanation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/request/item_template.h"
#include "lab/plan/unit_estimate.h"
#include "lab/run/call_runner.h"
#include "lab/run/item_owners.h"
#include "lab/run/lab_call_maker.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "lab/run/request_sender.h"
#include "lab/run/table_fill.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kMostInstancesFilled = 10'000;
constexpr double kLeastRoots = 20;  // so that there is something to choose from
constexpr int kCalls = 100;         // of each pattern
constexpr std::int64_t kUsBetweenCalls = 1'000'000;

// The units of several calls.
class UnitSample {
 public:
  void Add(double units) {
    least_ = calls_ == 0 ? units : std::min(least_, units);
    greatest_ = std::max(greatest_, units);
    sum_ += units;
    ++calls_;
  }
  UnitSpread Spread(bool is_computed, double data_share = 1) const {
    return {.is_computed = is_computed && calls_ > 0,
            .calls = calls_,
            .least = least_,
            .mean = calls_ == 0 ? 0 : sum_ / static_cast<double>(calls_),
            .greatest = greatest_,
            .data_share = is_computed ? 1 : data_share};
  }

 private:
  std::uint64_t calls_ = 0;
  double least_ = 0;
  double greatest_ = 0;
  double sum_ = 0;
};

// Explains the patterns of one layout. The plan is that of all data; calls are made on a small
// fill.
class LayoutExplainer {
 public:
  // `file` has this share of the instances that `whole`, which is modelled, asks for.
  LayoutExplainer(const FileModel& whole, const LabFile& file, int layout, double data_share,
                  const ExplainOptions& options)
      : whole_(whole),
        file_(file),
        layout_(layout),
        data_share_(data_share),
        stop_(options.stop),
        database_(file, file.layouts[static_cast<std::size_t>(layout)], nullptr,
                  options.max_memory_bytes),
        population_(file, 1, options.stop) {}

  // Returns nothing when it was stopped.
  Result<std::optional<ExplainedLayout>> Explain() {
    HR_ASSIGN(plan_, PlanLayout(whole_, LayoutOf()));
    HR_ASSIGN(LayoutGrowth growth, GrowthOfLayout(whole_, LayoutOf()));
    HR_RETURN_IF_ERROR(database_.MakeTables(plan_, 1));
    TableFill fill(database_, plan_, population_);
    HR_ASSIGN(const bool is_filled, fill.Run(stop_, [](double) {}));
    if (!is_filled) return std::optional<ExplainedLayout>();
    ExplainedLayout explained;
    explained.name = LayoutOf().name;
    explained.findings = plan_.findings;
    explained.growth = std::move(growth);
    HR_RETURN_IF_ERROR(FindCollisions(fill.items(), explained));
    // What is computed comes first, as it changes nothing.
    for (std::size_t i = 0; i < file_.patterns.size(); ++i) {
      if (IsStopped()) return std::optional<ExplainedLayout>();
      explained.patterns.push_back({.name = file_.patterns[i].name, .plan = plan_.patterns[i]});
      Compute(i, explained.patterns.back());
    }
    for (std::size_t i = 0; i < file_.patterns.size(); ++i) {
      if (IsStopped()) return std::optional<ExplainedLayout>();
      if (explained.patterns[i].read_units.is_computed) continue;
      HR_RETURN_IF_ERROR(Measure(i, explained.patterns[i]));
    }
    return std::optional(std::move(explained));
  }

 private:
  bool IsStopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  const LabLayout& LayoutOf() const { return file_.layouts[static_cast<std::size_t>(layout_)]; }

  Status FindCollisions(std::uint64_t items_put, ExplainedLayout& explained) {
    HR_ASSIGN(const std::uint64_t stored, database_.CountItems());
    if (stored >= items_put) return {};
    ItemOwners owners(LayoutOf(), plan_, population_);
    explained.collisions = owners.Fill(stop_);
    std::ranges::move(FindCollidingItems(explained.collisions),
                      std::back_inserter(explained.findings));
    return {};
  }

  // Computes the units of a few calls, unless the units of one of them cannot be computed.
  void Compute(std::size_t pattern, ExplainedPattern& explained) {
    const PlannerInput input = {file_, LayoutOf()};
    const PatternPlan& plan = plan_.patterns[pattern];
    const CallShape& shape = plan_.shapes[pattern];
    LabCallMaker maker(file_, population_);
    MadeCall made;
    UnitSample reads;
    UnitSample writes;
    UnitSample vectors;
    for (int call = 0; call < kCalls && !plan.steps.empty(); ++call) {
      const std::map<int, double> hot;
      const CallOrder order = {.pattern = static_cast<int>(pattern),
                               .form = plan.form,
                               .shape = shape,
                               .number = static_cast<std::uint64_t>(call),
                               .now_epoch_ms = file_.start_epoch_ms,
                               .hot = hot};
      if (!maker.Make(order, made)) continue;
      const std::optional<CallUnits> units =
          UnitsOfCall(input, plan_, plan, population_, made.call);
      maker.Discard(shape, made.call);
      if (!units) return;
      reads.Add(units->read_units);
      writes.Add(units->write_units);
      vectors.Add(units->vector_write_bytes);
    }
    explained.read_units = reads.Spread(true);
    explained.write_units = writes.Spread(true);
    explained.vector_write_bytes = vectors.Spread(true);
  }

  // Makes a few calls, one after another.
  Status Measure(std::size_t pattern, ExplainedPattern& explained) {
    if (plan_.patterns[pattern].steps.empty()) return {};
    EventQueue events;
    std::vector<PatternRun> counts = FreshPatternRuns(file_, 1);
    DatabaseSender sender(database_.database(), file_.start_epoch_ms);
    CallRunner runner({.sender = sender,
                       .file = file_,
                       .plan = plan_,
                       .population = population_,
                       .events = events,
                       .patterns = counts});
    UnitSample reads;
    UnitSample writes;
    UnitSample searched;
    UnitSample vectors;
    for (int call = 0; call < kCalls; ++call) {
      counts[pattern].read_units = {};
      counts[pattern].write_units = {};
      counts[pattern].searched_bytes = counts[pattern].vector_write_bytes = 0;
      runner.Start(static_cast<int>(pattern),
                   {.time_us = call * kUsBetweenCalls, .number = static_cast<std::uint64_t>(call)},
                   {});
      while (!events.empty()) runner.Continue(events.Take());
      if (!runner.refusal().empty()) return ValidationError(runner.refusal());
      if (counts[pattern].read_units.count() == 0) continue;  // it did not succeed
      reads.Add(counts[pattern].read_units.sum());
      writes.Add(counts[pattern].write_units.sum());
      searched.Add(counts[pattern].searched_bytes);
      vectors.Add(counts[pattern].vector_write_bytes);
    }
    explained.read_units = reads.Spread(false, data_share_);
    explained.write_units = writes.Spread(false, data_share_);
    explained.searched_bytes = searched.Spread(false, data_share_);
    explained.vector_write_bytes = vectors.Spread(false, data_share_);
    return {};
  }

  const FileModel& whole_;
  const LabFile& file_;
  const int layout_;
  const double data_share_;
  const std::atomic<bool>* const stop_;
  LayoutDatabase database_;
  Population population_;
  LayoutPlan plan_ = {};
};

}  // namespace

Result<std::vector<ExplainedLayout>> ExplainLab(const LabFile& file,
                                                const ExplainOptions& options) {
  const LabFile small = WithFewerInstances(file, kMostInstancesFilled);
  const double instances = AllInstancesOf(small);
  if (instances > options.max_instances) {
    return ValidationError("an explanation fills a part of the data, and that part has about " +
                           NumberText(instances) + " instances, which may be at most " +
                           NumberText(options.max_instances) +
                           "; give the entities that have a parent a smaller \"count\"");
  }
  const double data_share = instances / AllInstancesOf(file);
  const FileModel whole(file);
  const std::vector<std::string>& wanted = options.only_layouts;
  std::vector<ExplainedLayout> layouts;
  for (std::size_t i = 0; i < small.layouts.size(); ++i) {
    const bool is_wanted = wanted.empty() || std::ranges::count(wanted, small.layouts[i].name) > 0;
    if (!is_wanted) continue;
    HR_ASSIGN(std::optional<ExplainedLayout> explained,
              LayoutExplainer(whole, small, static_cast<int>(i), data_share, options).Explain());
    if (!explained) break;
    layouts.push_back(*std::move(explained));
  }
  return layouts;
}

double AllInstancesOf(const LabFile& file) {
  double sum = 0;
  for (std::size_t i = 0; i < file.entities.size(); ++i) {
    sum += InstancesOf(file, static_cast<int>(i));
  }
  return sum;
}

LabFile WithFewerInstances(const LabFile& file, double most_instances) {
  LabFile fewer = file;
  // Entities that already have few instances keep them, so this takes several steps.
  constexpr int kMostSteps = 20;
  for (int step = 0; step < kMostSteps; ++step) {
    const double instances = AllInstancesOf(fewer);
    if (instances <= most_instances) break;
    for (LabEntity& entity : fewer.entities) {
      if (entity.parent != kLabNone) continue;
      const double count = MeanOf(entity.count);
      entity.count = {.first = std::max(std::min(count, kLeastRoots),
                                        std::floor(count * most_instances / instances))};
    }
  }
  return fewer;
}

}  // namespace hashrange
