#include "measure/report/report_figures.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/stable_sort.h"
#include "measure/cost/compare.h"
#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/pattern_names.h"

namespace hashrange {
namespace {

constexpr double kMillion = 1e6;

double PerCall(double units, std::uint64_t calls) {
  return calls == 0 ? 0 : units / static_cast<double>(calls);
}

void AddUnits(const std::vector<ResourceUnits>& units, double& read, double& write) {
  for (const ResourceUnits& part : units) {
    read += part.read_units;
    write += part.write_units;
  }
}

const PatternPrice* FindCost(const ReportInput& input, const std::string& pattern) {
  const auto at = std::ranges::find(input.pattern_costs, pattern, &PatternPrice::id);
  return at == input.pattern_costs.end() ? nullptr : &*at;
}

MixFigures MixOf(const ReportInput& input) {
  const Measurement& measurement = input.measurement;
  MixFigures mix;
  double usd = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    mix.calls += pattern.calls;
    mix.requests += pattern.requests;
    mix.errors += SumOf(pattern.errors);
    mix.throttled += SumOf(pattern.throttles);
    AddUnits(pattern.units, mix.read_units, mix.write_units);
    mix.failed_read_units += pattern.failed_read_units;
    mix.failed_write_units += pattern.failed_write_units;
    if (const PatternPrice* cost = FindCost(input, pattern.id)) {
      usd += cost->usd_per_million * static_cast<double>(pattern.calls);
    }
  }
  mix.errors += SumOf(measurement.other_errors);
  mix.usd_per_million_calls = PerCall(usd, mix.calls);
  for (const TableMeasure& table : measurement.tables) {
    mix.items += static_cast<std::uint64_t>(table.items);
    mix.table_bytes += static_cast<double>(table.size_bytes);
    mix.index_bytes += static_cast<double>(table.vector_index_bytes);
    for (const IndexMeasure& index : table.indexes) {
      mix.index_bytes += static_cast<double>(index.size_bytes);
    }
  }
  mix.covered_ms = measurement.ended_epoch_ms - measurement.began_epoch_ms;
  for (const ReportedCostLine& line : input.month.lines) mix.month_usd += line.usd;
  return mix;
}

// Adds the price of a million calls of a pattern, which makes `share` of the calls.
void AddCost(const PatternPrice& cost, double share, PatternFigures* figures) {
  figures->usd_per_million += cost.usd_per_million * share;
  for (const ResourcePrice& each : cost.resources) {
    auto at = std::ranges::find_if(figures->resource_costs, [&](const ResourcePrice& sum) {
      return sum.table == each.table && sum.index == each.index;
    });
    if (at == figures->resource_costs.end()) {
      at = figures->resource_costs.insert(at, {.table = each.table, .index = each.index});
    }
    at->read_usd_per_million += each.read_usd_per_million * share;
    at->write_usd_per_million += each.write_usd_per_million * share;
  }
}

PatternFigures PatternFiguresOf(const ReportInput& input, const NamedPattern& named) {
  const PatternMeasure& pattern = named.sum;
  PatternFigures figures{.pattern = &pattern, .ids = named.ids, .label = TitleOf(pattern)};
  double read = 0;
  double write = 0;
  AddUnits(pattern.units, read, write);
  figures.read_units_a_call = PerCall(read, pattern.calls);
  figures.write_units_a_call = PerCall(write, pattern.calls);
  figures.vector_bytes_searched_a_call = PerCall(pattern.vector_bytes_searched, pattern.calls);
  figures.vector_bytes_written_a_call = PerCall(pattern.vector_bytes_written, pattern.calls);
  for (const PatternMeasure& part : input.measurement.patterns) {
    if (std::ranges::find(named.ids, part.id) == named.ids.end()) continue;
    const PatternPrice* const cost = FindCost(input, part.id);
    const double share =
        named.ids.size() == 1 ? 1 : PerCall(static_cast<double>(part.calls), pattern.calls);
    if (cost != nullptr) AddCost(*cost, share, &figures);
  }
  if (pattern.call.items_returned.sum() > 0) {
    figures.examined_per_returned =
        pattern.call.items_examined.sum() / pattern.call.items_returned.sum();
  }
  return figures;
}

double TotalUsd(const PatternFigures& figures) {
  return figures.usd_per_million * static_cast<double>(figures.pattern->calls) / kMillion;
}

std::vector<PatternFigures> AllPatterns(const ReportInput& input,
                                        const std::vector<NamedPattern>& named,
                                        std::uint64_t calls) {
  std::vector<PatternFigures> all;
  double usd = 0;
  for (const NamedPattern& pattern : named) {
    all.push_back(PatternFiguresOf(input, pattern));
    usd += TotalUsd(all.back());
  }
  for (PatternFigures& figures : all) {
    figures.share_of_cost = usd > 0 ? TotalUsd(figures) / usd : 0;
    figures.usd_of_mix = PerCall(TotalUsd(figures) * kMillion, calls);
  }
  StableSort(all, [](const PatternFigures& a, const PatternFigures& b) {
    if (TotalUsd(a) != TotalUsd(b)) return TotalUsd(a) > TotalUsd(b);
    return a.pattern->calls > b.pattern->calls;
  });
  return all;
}

double HottestKeyShare(const ResourceMeasure& resource) {
  constexpr double kLeastUnits = 100;  // the share of a key of fewer units is chance
  double share = 0;
  const auto add = [&](const TopKeys& top, double units) {
    if (units >= kLeastUnits && !top.keys.empty()) {
      share = std::max(share, std::min(1.0, top.keys.front().units / units));
    }
  };
  add(resource.read_keys, resource.read_units);
  add(resource.written_keys, resource.write_units);
  return share;
}

ResourceFigures ResourceFiguresOf(const Measurement& measurement, const std::string& table,
                                  const std::string& index, std::uint64_t calls) {
  ResourceFigures figures{.table = table,
                          .index = index,
                          .label = ResourceLabel(table, index),
                          .measure = FindResourceMeasure(measurement, table, index)};
  if (figures.measure == nullptr) return figures;
  figures.read_units = figures.measure->read_units;
  figures.write_units = figures.measure->write_units;
  figures.read_units_a_call = PerCall(figures.read_units, calls);
  figures.write_units_a_call = PerCall(figures.write_units, calls);
  figures.hottest_key_share = HottestKeyShare(*figures.measure);
  return figures;
}

std::vector<ResourceFigures> AllResources(const Measurement& measurement, std::uint64_t calls) {
  std::vector<ResourceFigures> all;
  for (const TableMeasure& table : measurement.tables) {
    all.push_back(ResourceFiguresOf(measurement, table.name, {}, calls));
    all.back().items = static_cast<std::uint64_t>(table.items);
    all.back().size_bytes = static_cast<double>(table.size_bytes);
    all.back().is_deleted = table.is_deleted;
    for (const IndexMeasure& index : table.indexes) {
      all.push_back(ResourceFiguresOf(measurement, table.name, index.name, calls));
      all.back().items = static_cast<std::uint64_t>(index.items);
      all.back().size_bytes = static_cast<double>(index.size_bytes);
      all.back().is_deleted = index.is_deleted;
    }
  }
  return all;
}

using FiguresById = std::map<std::string_view, const PatternFigures*>;

ComparedFigures ComparedFiguresOf(const NamedPattern& pattern, const FiguresById& figures) {
  ComparedFigures sum{.calls = pattern.sum.calls, .units = pattern.sum.units};
  const PatternFigures& same = *figures.at(pattern.ids.front());
  sum.usd_of_mix = same.usd_of_mix;
  sum.share_of_cost = same.share_of_cost;
  sum.read_units_a_call = same.read_units_a_call;
  sum.write_units_a_call = same.write_units_a_call;
  sum.usd_per_million = same.usd_per_million;
  return sum;
}

ComparedPattern ComparedPatternOf(const AlignedPattern& row,
                                  const std::vector<FiguresById>& figures) {
  ComparedPattern compared{.label = row.title};
  for (std::size_t side = 0; side < row.sides.size(); ++side) {
    auto& cell = compared.figures.emplace_back();
    if (row.sides[side]) cell = ComparedFiguresOf(*row.sides[side], figures[side]);
  }
  return compared;
}

// The number of the row of each pattern of one measurement, by the pattern's id.
using RowsById = std::map<std::string_view, std::size_t>;

RowsById RowsOf(const std::vector<AlignedPattern>& rows, std::size_t side) {
  RowsById row_of;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows[row].sides[side]) continue;
    for (const std::string& id : rows[row].sides[side]->ids) row_of.emplace(id, row);
  }
  return row_of;
}

std::string CountOrNone(std::size_t count, const std::string& one, const std::string& several) {
  return count == 0 ? "no " + one : CountedText(static_cast<double>(count), one, several);
}

}  // namespace

std::string ResourceLabel(const std::string& table, const std::string& index) {
  return index.empty() ? table : table + " / " + index;
}

std::string ItemsText(const ResourceFigures& resource) {
  return resource.is_deleted ? "deleted" : CountText(resource.items);
}

std::string SizeText(const ResourceFigures& resource) {
  return resource.is_deleted ? "deleted" : BytesText(resource.size_bytes);
}

std::string MonthText(const ReportedMonth& month) {
  if (month.plans.empty()) return "A month: " + month.basis;
  std::string text = "A month, " + month.basis + ": ";
  for (const ReportedPlan& plan : month.plans) {
    text +=
        (&plan == &month.plans.front() ? "" : "; ") + plan.name + " US$ " + AmountText(plan.usd);
    if (plan.is_modelled) text += " (modelled)";
    if (plan.units_above_capacity <= 0) continue;
    text += ", with less capacity than the load needs: " +
            CountedText(plan.units_above_capacity, "unit") + " a month above it";
  }
  return text;
}

void AddToCounts(const std::vector<NamedCount>& counts, std::vector<NamedCount>& sums) {
  for (const NamedCount& each : counts) {
    const auto same = std::ranges::find(sums, each.name, &NamedCount::name);
    if (same == sums.end()) {
      sums.push_back(each);
    } else {
      same->count += each.count;
    }
  }
}

std::vector<NamedCount> CallersOf(const Measurement& measurement) {
  std::vector<NamedCount> callers;
  for (const PatternMeasure& pattern : measurement.patterns) AddToCounts(pattern.callers, callers);
  StableSort(callers, std::ranges::greater(), &NamedCount::count);
  return callers;
}

std::uint64_t SumOf(const std::vector<NamedCount>& counts) {
  std::uint64_t sum = 0;
  for (const NamedCount& count : counts) sum += count.count;
  return sum;
}

std::size_t FindingsOf(const ReportInput& input, const std::string& severity) {
  return static_cast<std::size_t>(
      std::ranges::count(input.findings, severity, &ReportedFinding::severity));
}

std::string FindingCountsText(const ReportInput& input) {
  return CountOrNone(FindingsOf(input, "severe"), "severe", "severe") + ", " +
         CountOrNone(FindingsOf(input, "warning"), "warning", "warnings") + ", " +
         CountOrNone(FindingsOf(input, "hint"), "hint", "hints");
}

std::vector<ReportView> ViewsOf(std::span<const ReportInput> inputs) {
  std::vector<ReportView> views;
  for (const ReportInput& input : inputs) {
    ReportView view{.input = &input, .title = input.title, .is_one_of_several = inputs.size() > 1};
    if (view.title.empty()) view.title = input.measurement.name;
    if (view.title.empty()) view.title = "measurement " + std::to_string(views.size() + 1);
    view.mix = MixOf(input);
    view.named =
        std::make_shared<const std::vector<NamedPattern>>(PatternsByName(input.measurement));
    view.patterns = AllPatterns(input, *view.named, view.mix.calls);
    view.resources = AllResources(input.measurement, view.mix.calls);
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<ComparedPattern> ComparePatterns(std::span<const ReportView> views) {
  std::vector<const Measurement*> measurements;
  std::vector<FiguresById> figures;
  for (const ReportView& view : views) {
    measurements.push_back(&view.measurement());
    FiguresById& by_id = figures.emplace_back();
    for (const PatternFigures& each : view.patterns) by_id.emplace(each.ids.front(), &each);
  }
  const std::vector<AlignedPattern> rows = AlignPatterns(measurements);
  std::vector<bool> is_added(rows.size());
  std::vector<ComparedPattern> compared;
  for (std::size_t side = 0; side < views.size(); ++side) {
    const RowsById row_of = RowsOf(rows, side);
    for (const PatternFigures& each : views[side].patterns) {
      const std::size_t row = row_of.at(each.ids.front());
      if (!is_added[row]) compared.push_back(ComparedPatternOf(rows[row], figures));
      is_added[row] = true;
    }
  }
  return compared;
}

}  // namespace hashrange
