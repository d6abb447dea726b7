#include "measure/cost/cost.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/pattern_sums.h"

namespace hashrange {
namespace {

// What a what-if changed is a model.
std::string MethodOf(const Measurement& measurement, std::string_view of_counts = kMethodMeasured) {
  return std::string(measurement.changes.empty() ? of_counts : kMethodModelled);
}

// --- The plans of a month: quantities, priced through the bands of a price list ---

// A plan under construction. Bands count the quantity of the whole account, so lines are priced
// together: each line pays its share of the amount of all lines with its usage type.
class PlanBuilder {
 public:
  PlanBuilder(std::string name, const PriceList& prices) : prices_(prices) {
    plan_.name = std::move(name);
  }

  void Add(CostLine line, Charge charge, bool infrequent_access) {
    if (line.quantity == 0) return;
    const std::string_view usage_type = UsageTypeOf(charge, infrequent_access);
    quantities_[usage_type] += line.quantity;
    usage_types_.push_back(usage_type);
    plan_.lines.push_back(std::move(line));
  }

  void AddUnitsAboveCapacity(double units) { plan_.units_above_capacity += units; }

  CostPlan Finish() {
    for (std::size_t i = 0; i < plan_.lines.size(); ++i) {
      CostLine& line = plan_.lines[i];
      const double all = quantities_[usage_types_[i]];
      line.usd = AmountUsd(prices_, usage_types_[i], all) * line.quantity / all;
      plan_.usd += line.usd;
    }
    return std::move(plan_);
  }

 private:
  const PriceList& prices_;
  CostPlan plan_;
  std::vector<std::string_view> usage_types_;  // of each line
  std::map<std::string_view, double> quantities_;
};

double HoursOf(const ThroughputLoad& load) {
  double minutes = 0;
  for (const LoadStretch& stretch : load.stretches) minutes += stretch.minutes;
  return minutes / 60;
}

// What lines of reads and of writes have in common.
struct LineKind {
  std::string_view method;
  const char* unit;
  Charge reads;
  Charge writes;
};

void AddLines(PlanBuilder& plan, const ThroughputLoad& load, const LineKind& kind, double reads,
              double writes) {
  const auto line = [&](const char* what, double quantity) {
    return CostLine{.what = what,
                    .table = load.table,
                    .index = load.index,
                    .method = std::string(kind.method),
                    .quantity = quantity,
                    .unit = kind.unit};
  };
  plan.Add(line("reads", reads), kind.reads, load.infrequent_access);
  plan.Add(line("writes", writes), kind.writes, load.infrequent_access);
}

void AddOnDemand(PlanBuilder& plan, const ThroughputLoad& load, double month_hours,
                 std::string_view method) {
  const double months = month_hours / HoursOf(load);
  AddLines(plan, load, {method, "units", Charge::kReadRequest, Charge::kWriteRequest},
           load.read_units * months, load.write_units * months);
}

// Adds what the vector indexes of a table charge, which is the same under each plan.
void AddVectors(PlanBuilder& plan, const ThroughputLoad& load, const PriceList& prices,
                std::string_view method) {
  const auto add = [&](const char* what, double bytes, Charge charge) {
    if (bytes == 0) return;
    plan.Add({.what = what,
              .table = load.table,
              .method = std::string(method),
              .quantity = bytes * prices.month_hours / HoursOf(load) / prices.gigabyte_bytes,
              .unit = "GB"},
             charge, load.infrequent_access);
  };
  add("vector searches", load.vector_bytes_searched, Charge::kVectorSearch);
  add("vector writes", load.vector_bytes_written, Charge::kVectorWrite);
}

constexpr LineKind kCapacity = {kMethodModelled, "unit-hours", Charge::kReadCapacity,
                                Charge::kWriteCapacity};

void AddAutoscaled(PlanBuilder& plan, const ThroughputLoad& load, double month_hours) {
  Autoscaling reads, writes;
  for (const LoadStretch& stretch : load.stretches) {
    reads.Add(stretch.read_units_per_second, stretch.minutes);
    writes.Add(stretch.write_units_per_second, stretch.minutes);
  }
  const double months = month_hours / reads.hours();
  AddLines(plan, load, kCapacity, reads.capacity_hours() * months,
           writes.capacity_hours() * months);
  plan.AddUnitsAboveCapacity((reads.units_above_capacity() + writes.units_above_capacity()) *
                             months);
}

// Adds the capacity that the table or index declares, all month long.
void AddDeclared(PlanBuilder& plan, const ThroughputLoad& load, double month_hours) {
  AddLines(plan, load, kCapacity, load.provisioned_read_units * month_hours,
           load.provisioned_write_units * month_hours);
  double hours = 0, units_above = 0;
  for (const LoadStretch& stretch : load.stretches) {
    const double reads = stretch.read_units_per_second - load.provisioned_read_units;
    const double writes = stretch.write_units_per_second - load.provisioned_write_units;
    units_above += (std::max(0.0, reads) + std::max(0.0, writes)) * stretch.minutes * 60;
    hours += stretch.minutes / 60;
  }
  if (hours > 0) plan.AddUnitsAboveCapacity(units_above * month_hours / hours);
}

// Fills the three plans of `month`, which repeats the loads for the hours of a month. `method` says
// how the quantities on demand came about.
void FillPlans(std::span<const ThroughputLoad> loads, const PriceList& prices,
               std::string_view method, MonthCost& month) {
  const double hours = prices.month_hours;
  PlanBuilder on_demand("on demand", prices);
  PlanBuilder provisioned("provisioned with autoscaling", prices);
  PlanBuilder as_declared("as declared", prices);
  // A table with vector indexes cannot be provisioned.
  const auto has_vectors = [&](const std::string& table) {
    return std::ranges::any_of(loads, [&](const ThroughputLoad& load) {
      return load.table == table && load.vector_bytes_searched + load.vector_bytes_written > 0;
    });
  };
  for (const ThroughputLoad& load : loads) {
    AddOnDemand(on_demand, load, hours, method);
    if (has_vectors(load.table)) {
      AddOnDemand(provisioned, load, hours, method);
    } else {
      AddAutoscaled(provisioned, load, hours);
    }
    for (PlanBuilder* const plan : {&on_demand, &provisioned, &as_declared}) {
      AddVectors(*plan, load, prices, method);
    }
    if (load.on_demand) {
      AddOnDemand(as_declared, load, hours, method);
    } else {
      AddDeclared(as_declared, load, hours);
    }
  }
  month.on_demand = on_demand.Finish();
  month.provisioned = provisioned.Finish();
  month.as_declared = as_declared.Finish();
}

// Returns a month of what the tables and indexes hold.
CostPlan StoragePlan(const Measurement& measurement, const PriceList& prices) {
  PlanBuilder plan("storage", prices);
  for (const TableMeasure& table : measurement.tables) {
    const bool infrequent = IsInfrequentAccess(table);
    const auto add = [&](const std::string& index, std::int64_t items, std::int64_t size_bytes) {
      CostLine line{.what = "storage", .table = table.name, .index = index};
      line.method = MethodOf(measurement);
      line.quantity = BilledBytes(static_cast<double>(items), static_cast<double>(size_bytes)) /
                      prices.gigabyte_bytes;
      line.unit = "GB";
      plan.Add(std::move(line), Charge::kStorage, infrequent);
    };
    add("", table.items, table.size_bytes);
    for (const IndexMeasure& index : table.indexes) add(index.name, index.items, index.size_bytes);
    plan.Add({.what = "vector storage",
              .table = table.name,
              .method = MethodOf(measurement),
              .quantity = static_cast<double>(table.vector_index_bytes) / prices.gigabyte_bytes,
              .unit = "GB"},
             Charge::kStorage, infrequent);
  }
  return plan.Finish();
}

// Returns a month of GetRecords calls, of `hours` measured hours.
CostPlan StreamPlan(const Measurement& measurement, const PriceList& prices, double hours) {
  PlanBuilder plan("streams", prices);
  for (const TableMeasure& table : measurement.tables) {
    CostLine line{.what = "stream reads", .table = table.name};
    line.method = std::string(kMethodExtrapolated);
    line.quantity = static_cast<double>(table.stream_reads) * prices.month_hours / hours;
    line.unit = "GetRecords calls";
    plan.Add(std::move(line), Charge::kStreamRead, false);
  }
  return plan.Finish();
}

constexpr double kMillionCalls = 1e6;
constexpr double kMsPerMinute = 60'000;
constexpr double kMsPerHour = 3'600'000;

// --- On demand ---

// The prices of units of a table and its indexes, on demand.
struct UnitRates {
  double read_usd = 0;
  double write_usd = 0;
  double vector_search_usd = 0;  // a byte
  double vector_write_usd = 0;
};
UnitRates UnitRatesOf(const Measurement& measurement, const PriceList& prices,
                      std::string_view table) {
  const TableMeasure* const found = FindTable(measurement, table);
  const bool infrequent = found && IsInfrequentAccess(*found);
  return {UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, infrequent)),
          UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, infrequent)),
          UnitUsd(prices, UsageTypeOf(Charge::kVectorSearch, infrequent)) / prices.gigabyte_bytes,
          UnitUsd(prices, UsageTypeOf(Charge::kVectorWrite, infrequent)) / prices.gigabyte_bytes};
}

// --- The month ---

// Returns how long the measurement took, as a person says it: "4 minutes", "3.2 hours".
std::string LengthText(double ms) {
  if (ms < 2 * kMsPerMinute) return CountedText(ms / 1000, "second");
  if (ms < 2 * kMsPerHour) return CountedText(ms / kMsPerMinute, "minute");
  return CountedText(ms / kMsPerHour, "hour");
}

MonthCost ComputeMonth(const Measurement& measurement, const CostInput& input,
                       const PatternRates& rates) {
  const auto length_ms =
      static_cast<double>(measurement.ended_epoch_ms - measurement.began_epoch_ms);
  MonthCost month;
  if (rates.total > 0) {
    month.basis = MonthBasis::kDeclared;
    month.sentence = "from the declared rates";
    FillPlans(DeclaredLoads(measurement, rates), input.prices, kMethodModelled, month);
  } else if (length_ms >= kMsPerHour) {
    month.basis = MonthBasis::kExtrapolated;
    month.sentence = "extrapolated from " + LengthText(length_ms);
    FillPlans(MeasuredLoads(measurement), input.prices, MethodOf(measurement, kMethodExtrapolated),
              month);
    month.streams = StreamPlan(measurement, input.prices, length_ms / kMsPerHour);
  } else {
    month.sentence = "not computed: the measurement covers " + LengthText(length_ms) +
                     "; declare rates, or measure an hour of the server's clock";
  }
  return month;
}

// --- What the reader has to know ---

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

void AddMonthAssumptions(const MonthCost& month, const PatternRates& rates,
                         std::vector<std::string>& sentences) {
  if (!rates.without_calls.empty()) {
    sentences.push_back(
        "Rates are declared for patterns without calls in the measurement, and are "
        "left out: " +
        Joined(rates.without_calls) + ".");
  }
  if (month.basis == MonthBasis::kNone) return;
  if (month.basis == MonthBasis::kDeclared) {
    sentences.push_back(
        "The month has the declared rates at every hour, and the units a call that "
        "were measured; GetRecords calls of streams are left out.");
    if (!rates.without_rate.empty()) {
      sentences.push_back("Patterns without a declared rate are left out of the month: " +
                          Joined(rates.without_rate) + ".");
    }
  } else {
    sentences.push_back("The month repeats the measured time, which is taken as typical.");
  }
  sentences.push_back(
      "Provisioned capacity is modelled, for each table and global index: at least 1 unit, 70 % "
      "use, more after 2 minutes above that, less after 15 minutes below 50 %; loads are means of "
      "a minute or longer, so shorter peaks do not show.");
}

std::vector<std::string> AssumptionsOf(const Measurement& measurement, const PriceList& prices,
                                       const MonthCost& month, const PatternRates& rates) {
  std::vector<std::string> sentences = measurement.changes;
  sentences.push_back("Prices are those of " + prices.region + ", published " + prices.published +
                      (prices.source.empty() ? "" : " (" + prices.source + ")") + ".");
  sentences.push_back("A gigabyte has " + NumberText(prices.gigabyte_bytes) +
                      " bytes, a month has " + NumberText(prices.month_hours) + " hours.");
  sentences.push_back(
      "Prices per million calls are on-demand prices beyond any free tier; the units of failed "
      "calls are included, because they are charged.");
  sentences.push_back(
      "Storage is that of the end of the measurement, and 100 bytes for each item and index entry; "
      "the free tier is taken as unused by other tables.");
  AddMonthAssumptions(month, rates, sentences);
  sentences.push_back(
      "Left out are reserved capacity, savings plans, DAX, backups, point-in-time recovery, global "
      "tables, exports and imports, and data transfer.");
  return sentences;
}

}  // namespace

PatternPrice PriceOfPattern(const Measurement& measurement, const PatternMeasure& pattern,
                            const PriceList& prices) {
  PatternPrice price{.id = pattern.id, .name = pattern.name, .text = pattern.text};
  price.method = MethodOf(measurement);
  price.calls = CallsOf(pattern);
  if (price.calls == 0) return price;
  for (const ResourceUnits& units : pattern.units) {
    ResourcePrice resource{.table = units.table, .index = units.index};
    resource.read_units_a_call = units.read_units / price.calls;
    resource.write_units_a_call = units.write_units / price.calls;
    const UnitRates rates = UnitRatesOf(measurement, prices, units.table);
    resource.read_usd_per_million = kMillionCalls * resource.read_units_a_call * rates.read_usd;
    resource.write_usd_per_million = kMillionCalls * resource.write_units_a_call * rates.write_usd;
    price.usd_per_million += resource.read_usd_per_million + resource.write_usd_per_million;
    price.resources.push_back(std::move(resource));
  }
  const UnitRates rates = UnitRatesOf(measurement, prices, MainTableOf(pattern));
  price.failed_usd_per_million =
      kMillionCalls *
      (pattern.failed_read_units * rates.read_usd + pattern.failed_write_units * rates.write_usd) /
      price.calls;
  price.vector_usd_per_million = kMillionCalls *
                                 (pattern.vector_bytes_searched * rates.vector_search_usd +
                                  pattern.vector_bytes_written * rates.vector_write_usd) /
                                 price.calls;
  price.usd_per_million += price.failed_usd_per_million + price.vector_usd_per_million;
  return price;
}

MonthCost MonthOfLoads(std::span<const ThroughputLoad> loads, const PriceList& prices) {
  MonthCost month{.basis = MonthBasis::kDeclared};
  FillPlans(loads, prices, kMethodModelled, month);
  return month;
}

Costs ComputeCosts(const Measurement& measurement, const CostInput& input) {
  Costs costs;
  double calls = 0, usd = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const PatternPrice& price =
        costs.patterns.emplace_back(PriceOfPattern(measurement, pattern, input.prices));
    calls += price.calls;
    usd += price.usd_per_million * price.calls;
  }
  if (calls > 0) costs.usd_per_million = usd / calls;
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  costs.month = ComputeMonth(measurement, input, rates);
  costs.storage = StoragePlan(measurement, input.prices);
  costs.rates_without_calls = rates.without_calls;
  costs.assumptions = AssumptionsOf(measurement, input.prices, costs.month, rates);
  return costs;
}

std::optional<double> DeclaredMonthUsd(const Costs& costs) {
  if (costs.month.basis != MonthBasis::kDeclared) return std::nullopt;
  const double usd = costs.month.as_declared.usd + costs.storage.usd;
  return std::isfinite(usd) ? std::optional(usd) : std::nullopt;
}

double UsdOfTable(const CostPlan& plan, std::string_view table) {
  double usd = 0;
  for (const CostLine& line : plan.lines) {
    if (line.table == table) usd += line.usd;
  }
  return usd;
}

}  // namespace hashrange
