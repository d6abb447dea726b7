#include "lab/report/lab_figures.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/stable_sort.h"
#include "lab/report/lab_growth.h"
#include "lab/report/lab_sentences.h"
#include "lab/run/run_figures.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/call_rates.h"
#include "measure/cost/assessment.h"
#include "measure/report/report_figures.h"
#include "measure/report/report_input.h"

namespace hashrange {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kMillion = 1e6;

double Share(double part, double whole) { return whole > 0 ? part / whole : 0; }

UnitsOfCalls UnitsOf(const Distribution& units) {
  return {units.mean(), units.Percentile(0.99), units.max()};
}

std::uint64_t SucceededCalls(const PatternRun& run) {
  return std::max(run.read_units.count(), run.write_units.count());
}

// --- Patterns ---

// Returns what the calls of the pattern cost for a month at the declared rate.
std::optional<double> MonthOfPattern(const std::string& name, const Assessment& assessment,
                                     const std::vector<CallRate>& rates, double month_hours) {
  const auto rate = std::ranges::find(rates, name, &CallRate::pattern);
  if (rate == rates.end()) return std::nullopt;
  double calls = 0;
  double usd = 0;
  for (const PatternPrice& price : assessment.costs.patterns) {
    if (price.name != name) continue;
    calls += price.calls;
    usd += price.usd_per_million * price.calls;
  }
  if (calls == 0) return std::nullopt;
  return rate->calls_per_second * month_hours * kSecondsPerHour * usd / calls / kMillion;
}

LabPatternFigures PatternOf(const std::string& name, const PatternPlan* plan,
                            const PatternRun* run) {
  LabPatternFigures figures{.name = name, .plan = plan, .run = run};
  if (run == nullptr) return figures;
  figures.succeeded = SucceededCalls(*run);
  figures.read_units = UnitsOf(run->read_units);
  figures.write_units = UnitsOf(run->write_units);
  const auto succeeded = static_cast<double>(figures.succeeded);
  figures.searched_bytes = Share(run->searched_bytes, succeeded);
  figures.vector_write_bytes = Share(run->vector_write_bytes, succeeded);
  const auto calls = static_cast<double>(run->calls);
  const auto requests = static_cast<double>(run->requests);
  figures.requests_a_call = Share(requests, calls);
  figures.requests_p99 = run->call_requests.Percentile(0.99);
  figures.throttled_share = Share(static_cast<double>(run->throttled), requests);
  figures.failed_share = Share(static_cast<double>(run->failed), calls);
  const auto judged = static_cast<double>(run->judged);
  figures.wrong.least = Share(static_cast<double>(run->wrong), judged);
  figures.wrong.most = Share(static_cast<double>(run->wrong + run->doubtful), judged);
  figures.wrong.is_known = judged > 0;
  return figures;
}

// --- A layout ---

int SeverityRank(const std::string& severity) {
  if (severity == "severe") return 0;
  return severity == "warning" ? 1 : 2;
}

// Puts the findings of the plan before the findings of the measurement that are as severe.
void AddPlanFindings(const std::vector<PlanFinding>& added,
                     std::vector<ReportedFinding>& findings) {
  std::vector<ReportedFinding> all;
  for (const PlanFinding& finding : added) {
    all.push_back({.rule = finding.rule,
                   .severity = finding.severity,
                   .what = finding.what,
                   .where = finding.where,
                   .evidence = finding.evidence,
                   .advice = finding.advice});
  }
  std::ranges::move(findings, std::back_inserter(all));
  StableSort(all, {},
             [](const ReportedFinding& finding) { return SeverityRank(finding.severity); });
  findings = std::move(all);
}

std::optional<LabMonth> MonthOf(const Costs& costs) {
  const std::optional<double> usd = DeclaredMonthUsd(costs);
  if (!usd) return std::nullopt;
  LabMonth month{.usd = *usd, .storage_usd = costs.storage.usd};
  month.on_demand_usd = costs.month.on_demand.usd + month.storage_usd;
  month.units_above_capacity = costs.month.as_declared.units_above_capacity;
  if (!std::isfinite(month.on_demand_usd)) return std::nullopt;
  return month;
}

std::optional<LabCollection> LargestCollection(const Measurement& measurement) {
  std::optional<LabCollection> largest;
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.collections.largest.empty()) continue;
    const KeyCount& key = resource.collections.largest.front();
    if (largest && key.units <= largest->size_bytes) continue;
    largest = {resource.table, resource.index, key.key, key.units};
  }
  return largest;
}

void AddShares(const LayoutRun& run, LabLayoutFigures& figures) {
  double calls = 0, failed = 0, requests = 0, throttled = 0;
  for (const PatternRun& pattern : run.patterns) {
    const double weight = std::isfinite(pattern.weight) ? std::max(pattern.weight, 1.0) : 1;
    calls += weight * static_cast<double>(pattern.calls);
    failed += weight * static_cast<double>(pattern.failed);
    requests += weight * static_cast<double>(pattern.requests);
    throttled += weight * static_cast<double>(pattern.throttled);
  }
  figures.requests = static_cast<std::uint64_t>(requests);
  figures.throttled_share = Share(throttled, requests);
  figures.failed_share = Share(failed, calls);
  figures.throttle_place = MostThrottled(run.patterns, run.measurement);
}

// Weighs the patterns by their calls.
void AddWrongShare(LabLayoutFigures& figures) {
  double judged = 0, wrong = 0, most_wrong = 0;
  for (const LabPatternFigures& pattern : figures.patterns) {
    if (pattern.run == nullptr || pattern.run->judged == 0) continue;
    const double calls = pattern.run->weight * static_cast<double>(pattern.run->calls);
    judged += calls;
    wrong += calls * pattern.wrong.least;
    most_wrong += calls * pattern.wrong.most;
  }
  figures.wrong = {Share(wrong, judged), Share(most_wrong, judged), judged > 0};
}

LabLayoutFigures LayoutOf(const LabFile& file, const LayoutRun& run) {
  LabLayoutFigures figures{.run = &run, .name = run.layout};
  AssessmentOptions options;
  options.rates = MeteredRates(run);
  Assessment assessment = Assess(run.measurement, options);
  // Those of partitions are of the new tables of the run, and no part of the first limit.
  std::erase_if(assessment.limits, [](const LimitRow& row) { return row.what == "partition"; });
  figures.input = MakeReportInput(assessment);
  figures.input.title = run.layout;
  AddPlanFindings(run.plan.findings, figures.input.findings);
  if (auto computed = FirstDeclaredLimit(run, assessment.limits)) {
    figures.first_limit = TriedLimit(run, std::move(*computed), assessment.limits);
  }
  figures.key_limit = figures.first_limit && IsOfKeys(figures.first_limit->row)
                          ? figures.first_limit
                          : FirstDeclaredLimit(run, assessment.limits, LimitsCounted::kOfKeys);
  figures.month = MonthOf(assessment.costs);
  figures.month_basis = figures.month ? assessment.costs.month.sentence
                                      : "not computed: no call of a pattern with a rate succeeded";
  if (figures.month) {
    const Measurement& named = assessment.measurement;
    figures.billing = BillingOf(file, DeclaredLoads(named, RatesOfPatterns(named, options.rates)),
                                figures.month->storage_usd);
  }
  figures.largest_collection = LargestCollection(run.measurement);
  AddShares(run, figures);
  if (const auto grown = GrownLayoutOf(file, run.layout, run.growth)) {
    figures.outgrown = OutgrownSentences(*grown);
  }
  figures.greatest_factor = TrafficFactor(file.traffic).greatest();
  for (const TableMeasure& table : run.measurement.tables) {
    figures.indexes += table.indexes.size();
    figures.table_bytes += static_cast<double>(table.size_bytes);
    figures.index_bytes += static_cast<double>(table.vector_index_bytes);
    for (const IndexMeasure& index : table.indexes) {
      figures.index_bytes += static_cast<double>(index.size_bytes);
    }
  }
  for (std::size_t at = 0; at < file.patterns.size(); ++at) {
    const std::string& name = file.patterns[at].name;
    const PatternPlan* const plan =
        at < run.plan.patterns.size() ? &run.plan.patterns[at] : nullptr;
    figures.patterns.push_back(PatternOf(name, plan, FindPatternRun(run, name)));
    if (figures.patterns.back().HasOnlyFailures()) continue;
    figures.patterns.back().month_usd =
        MonthOfPattern(name, assessment, options.rates, options.prices.month_hours);
  }
  AddWrongShare(figures);
  return figures;
}

// --- Scales ---

LabScaleFigures ScaleOf(const LabFile& file, const LayoutRun& run) {
  LabScaleFigures figures{.scale = run.scale};
  for (const LabPattern& pattern : file.patterns) {
    figures.patterns.push_back(PatternOf(pattern.name, nullptr, FindPatternRun(run, pattern.name)));
  }
  return figures;
}

std::vector<LabLayoutScales> ScalesOf(const LabFile& file, const LabResult& result) {
  std::vector<LabLayoutScales> all;
  bool has_several = false;
  for (const LayoutRun& run : result.runs) {
    auto found = std::ranges::find(all, run.layout, &LabLayoutScales::name);
    if (found == all.end()) found = all.insert(all.end(), {.name = run.layout});
    found->scales.push_back(ScaleOf(file, run));
    has_several = has_several || found->scales.size() > 1;
  }
  if (!has_several) all.clear();
  return all;
}

bool IsOtherSize(double now, double before) {
  constexpr double kLeastChange = 0.05;
  return now > before * (1 + kLeastChange) || now < before * (1 - kLeastChange);
}

}  // namespace

const PatternRun* FindPatternRun(const LayoutRun& run, const std::string& pattern) {
  const auto found = std::ranges::find(run.patterns, pattern, &PatternRun::name);
  return found == run.patterns.end() ? nullptr : &*found;
}

bool UnitsDifferByScale(const LabFigures& figures, std::size_t pattern) {
  for (const LabLayoutScales& layout : figures.scales) {
    const LabPatternFigures& first = layout.scales.front().patterns[pattern];
    for (const LabScaleFigures& scale : layout.scales) {
      const LabPatternFigures& other = scale.patterns[pattern];
      if ((other.succeeded > 0) != (first.succeeded > 0)) return true;
      if (IsOtherSize(other.read_units.mean, first.read_units.mean) ||
          IsOtherSize(other.write_units.mean, first.write_units.mean)) {
        return true;
      }
    }
  }
  return false;
}

std::size_t LabLayoutFigures::FindingCount(const std::string& severity) const {
  return FindingsOf(input, severity);
}

bool LabLayoutFigures::HasWholeMonth() const {
  return month && std::ranges::none_of(patterns, &LabPatternFigures::HasUnknownCost);
}

bool LabLayoutFigures::HasTableOnDemand() const {
  return std::ranges::any_of(run->measurement.tables, &TableMeasure::on_demand);
}

LabFigures MakeLabFigures(const LabFile& file, const LabResult& result) {
  LabFigures figures;
  for (const LayoutRun& run : result.runs) {
    if (std::ranges::count(figures.layouts, run.layout, &LabLayoutFigures::name) > 0) continue;
    figures.layouts.push_back(LayoutOf(file, run));
    figures.layouts.back().thin = result.thin;
  }
  figures.scales = ScalesOf(file, result);
  figures.notes = LabNotes(file, result, figures);
  return figures;
}

}  // namespace hashrange
