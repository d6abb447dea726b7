#include "lab/forecast/layout_forecast.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>

#include "lab/language/lab_facts.h"
#include "lab/plan/cost/file_model.h"
#include "lab/plan/cost/layout_model.h"
#include "lab/plan/layout_plan.h"
#include "lab/plan/request/item_template.h"
#include "measure/call_rates.h"
#include "measure/cost/cost.h"
#include "measure/measurement.h"
#include "measure/partition_load.h"

namespace hashrange {
namespace {

// --- The month: a measurement of one expected call of each pattern ---

std::string IndexName(const LabLayout& layout, LabKey key) {
  const LabIndex* const index = IndexOf(layout, key);
  return index == nullptr ? "" : index->name;
}

ResourceUnits& UnitsAt(std::vector<ResourceUnits>& units, const LabLayout& layout, LabKey key) {
  const std::string& table = TableOf(layout, key).name;
  const std::string index = IndexName(layout, key);
  for (ResourceUnits& one : units) {
    if (one.table == table && one.index == index) return one;
  }
  return units.emplace_back(ResourceUnits{.table = table, .index = index});
}

// What a key stores when the traffic ends.
struct StoredItems {
  double items = 0;
  double bytes = 0;
};

// `Created` is what calls have created by the average one, which half of the others follow.
double InstancesAtEnd(const FileModel& model, int entity) {
  return std::max(0.0, model.Initial(entity) + 2 * model.Created(entity));
}

StoredItems StoredIn(const LayoutModel& model, LabKey key) {
  const LabLayout& layout = model.layout();
  StoredItems stored;
  for (const LabItem& item : layout.items) {
    const bool is_in_table = item.table == key.table;
    const auto has = [&](const std::string& name) { return KeyOfItem(item, name) != nullptr; };
    const bool has_keys = std::ranges::all_of(HashOf(layout, key), has) &&
                          std::ranges::all_of(RangeOf(layout, key), has);
    if (!is_in_table || !has_keys) continue;
    const double items =
        InstancesAtEnd(model.file_model(), item.entity) * model.ShareInKey(item, key, {});
    stored.items += items;
    stored.bytes += items * model.Bytes(item, key, SizeOfItem::kWritten).Mean();
  }
  return stored;
}

std::int64_t Whole(double number) {
  constexpr double kMost = 9e15;
  return static_cast<std::int64_t>(std::clamp(number, 0.0, kMost));
}

TableMeasure TableOfModel(const LayoutModel& model, int number) {
  const LabFile& file = model.file_model().file();
  const LabTable& table = TableOf(model.layout(), {.table = number});
  const StoredItems stored = StoredIn(model, {.table = number});
  TableMeasure measure{
      .name = table.name,
      .on_demand = table.throughput.on_demand,
      .table_class = table.is_infrequent_access ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD",
      .provisioned_read_units = table.throughput.read_units,
      .provisioned_write_units = table.throughput.write_units,
      .items = Whole(stored.items),
      .size_bytes = Whole(stored.bytes),
      .partition_limits = LimitsOf(file.partitions)};
  double vector_bytes = 0;
  for (const LabItem& item : model.layout().items) {
    if (item.table != number) continue;
    vector_bytes += InstancesAtEnd(model.file_model(), item.entity) * model.VectorIndexBytes(item);
  }
  measure.vector_index_bytes = Whole(vector_bytes);
  for (std::size_t i = 0; i < table.indexes.size(); ++i) {
    const LabIndex& index = table.indexes[i];
    const StoredItems entries = StoredIn(model, {.table = number, .index = static_cast<int>(i)});
    measure.indexes.push_back({.name = index.name,
                               .is_local = index.is_local,
                               .provisioned_read_units = index.throughput.read_units,
                               .provisioned_write_units = index.throughput.write_units,
                               .items = Whole(entries.items),
                               .size_bytes = Whole(entries.bytes)});
  }
  return measure;
}

const LabPattern& AskedForm(const LabFile& file, const PatternPlan& plan) {
  return PatternForm(file, plan.form == kLabNone ? plan.pattern : plan.form);
}

double RateOf(const LabFile& file, const PatternPlan& plan) {
  return std::max(0.0, file.patterns[static_cast<std::size_t>(plan.pattern)].calls_per_second);
}

// Returns one call of each pattern that is expected to take units, as if it had been measured.
Measurement ExpectedMeasurement(const LayoutModel& model, const LayoutPlan& plan) {
  const LabLayout& layout = model.layout();
  const LabFile& file = model.file_model().file();
  Measurement measurement;
  for (int i = 0; i < static_cast<int>(layout.tables.size()); ++i) {
    measurement.tables.push_back(TableOfModel(model, i));
  }
  std::vector<ResourceUnits> all;
  for (const PatternPlan& one : plan.patterns) {
    if (!one.cost.IsKnown()) continue;
    const std::string& name = file.patterns[static_cast<std::size_t>(one.pattern)].name;
    PatternMeasure measure{.id = name, .name = name, .calls = 1, .requests = 1};
    for (const KeyCost& cost : one.cost.keys) {
      for (ResourceUnits* const units :
           {&UnitsAt(measure.units, layout, cost.key), &UnitsAt(all, layout, cost.key)}) {
        (cost.is_write ? units->write_units : units->read_units) += cost.units;
      }
    }
    // The bytes of vectors are those of the pattern's main table.
    measure.vector_bytes_searched = one.cost.SearchedBytes();
    measure.vector_bytes_written = one.cost.VectorWriteBytes();
    for (const VectorCost& vectors : one.cost.vectors) {
      UnitsAt(measure.units, layout, {.table = vectors.table});
    }
    measurement.patterns.push_back(std::move(measure));
  }
  for (const ResourceUnits& units : all) {
    measurement.resources.push_back({.table = units.table,
                                     .index = units.index,
                                     .read_units = units.read_units,
                                     .write_units = units.write_units});
  }
  return measurement;
}

std::vector<CallRate> RatesOf(const LabFile& file, const Measurement& measurement) {
  std::vector<CallRate> rates;
  for (const LabPattern& pattern : file.patterns) {
    const bool has_calls =
        std::ranges::count(measurement.patterns, pattern.name, &PatternMeasure::name) > 0;
    if (pattern.calls_per_second > 0 && has_calls) {
      rates.push_back({pattern.name, pattern.calls_per_second});
    }
  }
  return rates;
}

// --- The first limit ---

// Returns what each text begins with that the template makes.
std::string_view Beginning(std::string_view text) { return text.substr(0, text.find('{')); }

}  // namespace

bool MayBeOneKey(std::string_view one, std::string_view other) {
  const bool is_whole = one.find('{') == one.npos && other.find('{') == other.npos;
  if (is_whole) return one == other;
  one = Beginning(one);
  other = Beginning(other);
  const std::size_t both = std::min(one.size(), other.size());
  return one.substr(0, both) == other.substr(0, both);
}

namespace {

// What the declared rates ask of the key that a template's hottest value may be, and what it gets.
struct LoadOfKey {
  double units = 0;
  double strong_units = 0;
  double limit = 0;

  double Multiple() const { return limit / units; }
};

LoadOfKey LoadAt(const PartitionLimits& limits, const std::vector<TemplateLoad>& loads,
                 const TemplateLoad& load) {
  LoadOfKey sum;
  for (const TemplateLoad& other : loads) {
    const bool is_there = other.key == load.key && other.is_write == load.is_write;
    if (!is_there || !MayBeOneKey(other.text, load.text)) continue;
    sum.units += other.units;
    sum.strong_units += other.strong_units;
  }
  sum.limit = load.is_write ? limits.write_units
                            : PartitionReadUnitsOf(limits, sum.strong_units / sum.units);
  return sum;
}

LimitRow LimitOfKey(const PartitionLimits& limits, const LabLayout& layout,
                    const std::vector<TemplateLoad>& loads, const TemplateLoad& load) {
  const LoadOfKey sum = LoadAt(limits, loads, load);
  constexpr PartitionLimits kUsual;
  const double PartitionLimits::*const of_partition =
      load.is_write ? &PartitionLimits::write_units : &PartitionLimits::read_units;
  const bool is_usual = limits.*of_partition == kUsual.*of_partition;
  return {.table = TableOf(layout, load.key).name,
          .index = IndexName(layout, load.key),
          .what = "key",
          .key = HashOf(layout, load.key).front() + "=" + load.text,
          .direction = load.is_write ? "write" : "read",
          .limit = sum.limit,
          .is_eventually_consistent = !load.is_write && sum.strong_units == 0,
          .multiple_of_declared = sum.Multiple(),
          .unusual_partition_units = is_usual ? 0 : limits.*of_partition};
}

// Returns the row without what is of the mix, which no measurement has given.
LimitRow WithoutMix(const LimitRow& row) {
  return {.table = row.table,
          .index = row.index,
          .what = row.what,
          .direction = row.direction,
          .limit = row.limit,
          .multiple_of_declared = row.multiple_of_declared};
}

std::optional<LimitRow> FirstOf(const std::vector<LimitRow>& rows) {
  std::optional<LimitRow> first;
  for (const LimitRow& row : rows) {
    const bool is_known = row.multiple_of_declared > 0 && std::isfinite(row.multiple_of_declared);
    if (!is_known) continue;
    if (!first || row.multiple_of_declared < first->multiple_of_declared) first = row;
  }
  return first;
}

// A key's load is one of a moment, in which one period of time is written and what is hot is hot.
// So its model has a minute of traffic, in which hot is what is so in any phase.
LabFile MomentOf(const LabFile& file) {
  constexpr std::int64_t kMomentMs = 60'000;
  LabFile moment = file;
  LabPhase phase = {.length_ms = kMomentMs};
  for (const LabPhase& one : file.traffic) {
    for (const auto& [entity, share] : one.hot) {
      phase.hot[entity] = std::max(phase.hot[entity], share);
    }
  }
  moment.traffic = {phase};
  return moment;
}

}  // namespace

void AddLoad(const TemplateLoad& more, std::vector<TemplateLoad>& loads) {
  if (more.units <= 0) return;
  for (TemplateLoad& load : loads) {
    if (load.key != more.key || load.is_write != more.is_write || load.text != more.text) continue;
    load.units += more.units;
    load.strong_units += more.strong_units;
    return;
  }
  loads.push_back(more);
}

void AddLoadsOf(const LabFile& file, const LabLayout& layout, const PatternPlan& plan,
                std::vector<TemplateLoad>& loads) {
  const LabPattern& asked = AskedForm(file, plan);
  const bool is_strong = asked.is_consistent || asked.is_transaction.value_or(false);
  for (const KeyHeat& heat : plan.cost.heats) {
    LabKey key = heat.key;
    const LabIndex* const index = IndexOf(layout, key);
    if (index != nullptr && index->is_local) key.index = kLabNone;
    const double units = heat.units * RateOf(file, plan);
    AddLoad({key, heat.is_write, heat.text, units, is_strong ? units : 0}, loads);
  }
}

double HeadroomOfLoads(const PartitionLimits& limits, const std::vector<TemplateLoad>& loads) {
  double least = std::numeric_limits<double>::infinity();
  for (const TemplateLoad& load : loads) {
    least = std::min(least, LoadAt(limits, loads, load).Multiple());
  }
  return least;
}

double StoredBytesAtEnd(const LayoutModel& model) {
  double bytes = 0;
  for (const LabKey key : KeysOf(model.layout())) bytes += StoredIn(model, key).bytes;
  return bytes;
}

LayoutForecaster::LayoutForecaster(const LabFile& file, FileAge age)
    : moment_file_(MomentOf(file)), model_(file, std::move(age)), moment_(moment_file_) {}

Result<LayoutForecast> LayoutForecaster::Forecast(const LabLayout& layout) const {
  const LabFile& file = model_.file();
  HR_ASSIGN(const LayoutPlan plan, PlanLayout(model_, layout));
  HR_ASSIGN(const LayoutPlan of_moment, PlanLayout(moment_, layout));
  LayoutForecast forecast{.layout = layout.name};
  for (const PatternPlan& one : plan.patterns) {
    if (RateOf(file, one) <= 0 || one.cost.IsKnown()) continue;
    const std::string& name = file.patterns[static_cast<std::size_t>(one.pattern)].name;
    (one.impossible.empty() ? forecast.unknown : forecast.impossible).push_back(name);
  }
  const Measurement expected = ExpectedMeasurement(LayoutModel(model_, layout), plan);
  const std::vector<CallRate> rates = RatesOf(file, expected);
  forecast.month_usd = DeclaredMonthUsd(ComputeCosts(expected, {.rates = rates}));
  std::vector<LimitRow> rows;
  for (const LimitRow& row : FirstLimits(expected, rates)) rows.push_back(WithoutMix(row));
  std::vector<TemplateLoad> loads;
  for (const PatternPlan& one : of_moment.patterns) AddLoadsOf(file, layout, one, loads);
  const PartitionLimits limits = LimitsOf(file.partitions);
  for (const TemplateLoad& load : loads) rows.push_back(LimitOfKey(limits, layout, loads, load));
  forecast.first_limit = FirstOf(rows);
  forecast.key_headroom = HeadroomOfLoads(limits, loads);
  return forecast;
}

Result<std::vector<LayoutForecast>> ForecastLayouts(const LabFile& file,
                                                    const std::vector<std::string>& only_layouts,
                                                    const std::atomic<bool>* stop) {
  const LayoutForecaster forecaster(file);
  std::vector<LayoutForecast> forecasts;
  for (const LabLayout& layout : file.layouts) {
    if (!only_layouts.empty() && std::ranges::count(only_layouts, layout.name) == 0) continue;
    if (stop != nullptr && *stop) break;
    HR_ASSIGN(LayoutForecast forecast, forecaster.Forecast(layout));
    forecasts.push_back(std::move(forecast));
  }
  return forecasts;
}

}  // namespace hashrange
