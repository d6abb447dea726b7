#include "lab/propose/pattern_evaluator.h"

#include <algorithm>
#include <utility>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/planner.h"
#include "lab/plan/request/lab_call.h"
#include "measure/cost/price_list.h"

namespace hashrange {
namespace {

bool HasScan(const PatternPlan& plan) {
  return std::ranges::any_of(plan.steps,
                             [](const PlanStep& step) { return step.request.operation == "Scan"; });
}

}  // namespace

bool ScansOthers(const PatternPlan& plan, TableStyle style) {
  if (!HasScan(plan) || plan.scan_beats_keys) return false;
  // In a table of its own, all that is read is asked for. In one table, it is not.
  return !IsNative(style) || !plan.scans_only_asked;
}

int HeadroomLevels::LevelOf(double headroom) const {
  constexpr double kLeast = 3;
  constexpr double kRounding = 1 + 1e-6;
  headroom *= kRounding;
  if (headroom >= asked) return 3;
  if (headroom >= kLeast) return 2;
  return headroom >= 1 ? 1 : 0;
}

double PatternValue::Usd() const {
  double sum = 0;
  for (const OfChoice& one : choices) sum += one.Usd();
  return sum;
}

PatternEvaluator::PatternEvaluator(const LayoutForecaster& forecaster, const AccessSpace& space,
                                   std::vector<int> left_out, const CallBurdens& burdens)
    : forecaster_(forecaster),
      space_(space),
      left_out_(std::move(left_out)),
      burdens_(burdens),
      used_paths_(space.entities.size(), ~std::uint64_t{0}),
      scratch_(space) {
  const PriceList& prices = BuiltInPrices();
  const double seconds = prices.month_hours * 3600;
  read_usd_ = seconds * UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, false));
  write_usd_ = seconds * UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, false));
}

void PatternEvaluator::SetUsedPaths(int entity, std::uint64_t paths) {
  used_paths_[static_cast<std::size_t>(entity)] = paths;
  shared_spaces_.clear();
}

const AccessSpace& PatternEvaluator::SpaceWith(Shared shared, int pattern) {
  if (shared == Shared::kNothing) return space_;
  const int number = shared == Shared::kAll ? kLabNone : pattern;
  auto at = shared_spaces_.find(number);
  if (at == shared_spaces_.end()) {
    at = shared_spaces_.emplace(number, WithSharedNames(file(), space_, used_paths_, number)).first;
  }
  return at->second;
}

std::uint64_t PatternEvaluator::ExposedTo(int entity, Shared shared, int pattern) {
  const std::vector<AccessPath>& own = SpaceAt(space_, entity).paths;
  const std::vector<AccessPath>& more = SpaceAt(SpaceWith(shared, pattern), entity).paths;
  std::uint64_t exposed = 0;
  for (std::size_t path = 0; path < own.size(); ++path) {
    if (more[path].attributes != own[path].attributes) exposed |= std::uint64_t{1} << path;
  }
  return exposed;
}

PatternValue PatternEvaluator::Evaluate(int pattern, std::span<const EntityChoice> choices,
                                        TableStyle style, Asks asks, Shared shared) {
  return EvaluateIn(SpaceWith(shared, pattern), pattern, choices, style, asks);
}

PatternValue PatternEvaluator::EvaluateWith(int pattern, std::span<const EntityChoice> choices,
                                            TableStyle style, std::span<const MoreProjected> more) {
  const auto attributes = [](AccessSpace& space, const MoreProjected& one) -> auto& {
    return space.entities[static_cast<std::size_t>(one.entity)].paths[one.path].attributes;
  };
  for (const MoreProjected& one : more) {
    attributes(scratch_, one).push_back(one.attribute);
  }
  PatternValue value = EvaluateIn(scratch_, pattern, choices, style, Asks::kCost);
  for (const MoreProjected& one : more) attributes(scratch_, one).pop_back();
  return value;
}

PatternValue PatternEvaluator::EvaluateIn(const AccessSpace& space, int pattern,
                                          std::span<const EntityChoice> choices, TableStyle style,
                                          Asks asks) {
  const LabFile& all = file();
  const LabLayout layout = LayoutOf(all, space, choices, style, "all");
  const LayoutModel model(forecaster_.model(), layout);
  PatternValue value;
  value.choices.resize(choices.size());
  ++plans_;
  Result<PatternPlan> plan = PlanPattern(model, pattern);
  if (!plan.ok() || !plan->impossible.empty()) {
    value.is_possible = false;
    return value;
  }
  value.has_scan = HasScan(*plan);
  value.is_scan = ScansOthers(*plan, style);
  const double rate = PatternForm(all, pattern).calls_per_second;
  if (rate <= 0) return value;
  // Which choice each table belongs to, and which of the choice's tables it is.
  std::vector<std::pair<std::size_t, int>> owners(layout.tables.size());
  if (style != TableStyle::kOneTable) {
    std::vector<int> counts(choices.size());
    for (std::size_t table = 0; table < layout.tables.size(); ++table) {
      const auto item = std::ranges::find(layout.items, static_cast<int>(table), &LabItem::table);
      const auto choice = std::ranges::find(choices, item->entity, &EntityChoice::entity);
      const auto place = static_cast<std::size_t>(choice - choices.begin());
      owners[table] = {place, counts[place]++};
    }
  }
  const auto owner = [&](const LabKey& key) { return owners[static_cast<std::size_t>(key.table)]; };
  for (const KeyCost& cost : plan->cost.keys) {
    PatternValue::OfChoice& one = value.choices[owner(cost.key).first];
    (cost.is_write ? one.write_usd : one.read_usd) +=
        rate * cost.units * (cost.is_write ? write_usd_ : read_usd_);
  }
  value.choices.front().read_usd += BurdenUsd(layout, *plan);
  if (asks == Asks::kCost) return value;
  const LayoutModel moment(forecaster_.moment(), layout);
  ++plans_;
  const Result<PatternPlan> of_moment = PlanPattern(moment, pattern);
  if (!of_moment.ok()) return value;
  std::vector<TemplateLoad> loads;
  AddLoadsOf(all, layout, *of_moment, loads);
  for (TemplateLoad& load : loads) {
    const auto [place, table] = owner(load.key);
    load.key.table = table;
    value.choices[place].loads.push_back(std::move(load));
  }
  return value;
}

namespace {

// Returns how many requests of a read are made at the same time as the first.
double RequestsBeside(const PatternPlan& plan) {
  double requests = 0;
  for (const PlanStep& step : plan.steps) {
    const bool is_beside = step.kind == PlanStep::Kind::kRequest && step.each == kLabNone;
    if (is_beside) requests += step.shards;
  }
  return std::max(0.0, requests - 1);
}

// Returns the read units of a call for so many of its items.
double UnitsOf(const PatternCost& cost, double items) {
  return items > 0 ? cost.ReadUnits() * items / cost.items : 0;
}

}  // namespace

double PatternEvaluator::BurdenUsd(const LabLayout& layout, const PatternPlan& plan) const {
  const LabPattern& pattern = PatternForm(file(), plan.pattern);
  const bool is_filtered = plan.service == PlanService::kFiltered;
  const bool is_sorted = !is_filtered && plan.sorts_at_client;
  const bool is_looked_up = !pattern.writes.empty() && plan.service == PlanService::kLookedUp;
  const double further = std::max(0.0, plan.cost.requests - 1);
  const double beside = pattern.writes.empty() ? std::min(further, RequestsBeside(plan)) : 0;
  double units =
      beside * burdens_.units_of_request_beside +
      (further - beside) * (is_looked_up ? burdens_.units_of_look_up : burdens_.units_of_request);
  units = std::min(
      units, burdens_.most_usd_of_requests / std::max(1e-9, pattern.calls_per_second * read_usd_));
  if (is_sorted) {
    const double left_out =
        pattern.limit > 0 ? plan.cost.items - static_cast<double>(pattern.limit) : 0;
    units += burdens_.units_of_sort + burdens_.times_left_out * UnitsOf(plan.cost, left_out);
  }
  if (is_filtered) {
    const double filtered = UnitsOf(plan.cost, plan.cost.unasked_items);
    double counted = burdens_.times_filtered * filtered;
    if (burdens_.later != nullptr) {
      constexpr double kMonths = 36;
      const LayoutModel model(burdens_.later->model(), layout);
      const Result<PatternPlan> later = PlanPattern(model, plan.pattern);
      if (later.ok()) {
        const double in_a_month = UnitsOf(later->cost, later->cost.unasked_items);
        counted = std::min(burdens_.times_filtered * std::max(filtered, in_a_month),
                           kMonths * std::max(0.0, in_a_month - filtered));
      }
    }
    units += counted;
  }
  const double usd = pattern.calls_per_second * units * read_usd_;
  if (!pattern.writes.empty()) return usd;
  return usd + std::min(1.0, further - beside) * burdens_.usd_of_wait +
         std::min(1.0, beside) * burdens_.usd_of_request_beside;
}

double PatternEvaluator::BurdenUsd(const LabLayout& layout) const {
  const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), layout);
  double usd = 0;
  if (!plan.ok()) return usd;
  for (const PatternPlan& one : plan->patterns) usd += BurdenUsd(layout, one);
  return usd;
}

double PatternEvaluator::DearestUsd(const LabLayout& layout) const {
  const Result<LayoutPlan> plan = PlanLayout(forecaster_.model(), layout);
  double dearest = 0;
  if (!plan.ok()) return dearest;
  for (const PatternPlan& one : plan->patterns) {
    const double usd = PatternForm(file(), one.pattern).calls_per_second *
                       (one.cost.ReadUnits() * read_usd_ + one.cost.WriteUnits() * write_usd_);
    dearest = std::max(dearest, usd);
  }
  return dearest;
}

double PatternEvaluator::StoredBytes(const EntityChoice& choice, TableStyle style) const {
  if (choice.table_key == kLeftOut) return 0;
  const LabLayout layout = LayoutOf(file(), space_, std::span(&choice, 1), style, "all");
  return StoredBytesAtEnd(LayoutModel(forecaster_.model(), layout));
}

namespace {

EntityChoice CompanionOf(const AccessSpace& space, int entity, int pattern) {
  EntityChoice choice = {.entity = entity};
  const std::vector<AccessPath>& paths = SpaceAt(space, entity).paths;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i].form != AccessPath::Form::kGlobalIndex ||
        std::ranges::count(paths[i].patterns, pattern) == 0)
      continue;
    const bool is_there = [&] {
      for (std::size_t j = 0; j < i; ++j) {
        if (choice.HasPath(j) && paths[j].key == paths[i].key) return true;
      }
      return false;
    }();
    if (!is_there) choice.paths |= std::uint64_t{1} << i;
  }
  return choice;
}

}  // namespace

std::vector<EntityChoice> PatternEvaluator::WithCompanions(int pattern,
                                                           const EntityChoice& choice) const {
  std::vector<EntityChoice> choices = {choice};
  for (const int other : space_.entities_of_pattern[static_cast<std::size_t>(pattern)]) {
    if (other == choice.entity) continue;
    choices.push_back(IsLeftOut(other) ? EntityChoice{.entity = other, .table_key = kLeftOut}
                                       : CompanionOf(space_, other, pattern));
  }
  return choices;
}

}  // namespace hashrange
