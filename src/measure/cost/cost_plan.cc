#include "measure/cost/cost_plan.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "measure/cost/autoscaling.h"
#include "measure/measured_tables.h"

namespace hashrange {
namespace {

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

CostLine LineOf(const ThroughputLoad& load, const char* what, std::string_view method) {
  return {.what = what, .table = load.table, .index = load.index, .method = std::string(method)};
}

void AddOnDemand(PlanBuilder& plan, const ThroughputLoad& load, double month_hours,
                 std::string_view method) {
  const double months = month_hours / HoursOf(load);
  CostLine reads = LineOf(load, "reads", method);
  reads.quantity = load.read_units * months;
  reads.unit = "units";
  CostLine writes = LineOf(load, "writes", method);
  writes.quantity = load.write_units * months;
  writes.unit = "units";
  plan.Add(std::move(reads), Charge::kReadRequest, load.infrequent_access);
  plan.Add(std::move(writes), Charge::kWriteRequest, load.infrequent_access);
}

void AddCapacity(PlanBuilder& plan, const ThroughputLoad& load, double read_hours,
                 double write_hours) {
  CostLine reads = LineOf(load, "reads", kMethodModelled);
  reads.quantity = read_hours;
  reads.unit = "unit-hours";
  CostLine writes = LineOf(load, "writes", kMethodModelled);
  writes.quantity = write_hours;
  writes.unit = "unit-hours";
  plan.Add(std::move(reads), Charge::kReadCapacity, load.infrequent_access);
  plan.Add(std::move(writes), Charge::kWriteCapacity, load.infrequent_access);
}

void AddAutoscaled(PlanBuilder& plan, const ThroughputLoad& load, double month_hours) {
  Autoscaling reads, writes;
  for (const LoadStretch& stretch : load.stretches) {
    reads.Add(stretch.read_units_per_second, stretch.minutes);
    writes.Add(stretch.write_units_per_second, stretch.minutes);
  }
  const double months = month_hours / reads.hours();
  AddCapacity(plan, load, reads.capacity_hours() * months, writes.capacity_hours() * months);
  plan.AddUnitsAboveCapacity((reads.units_above_capacity() + writes.units_above_capacity()) *
                             months);
}

// Adds the capacity that the table or index declares, all month long.
void AddDeclared(PlanBuilder& plan, const ThroughputLoad& load, double month_hours) {
  AddCapacity(plan, load, load.provisioned_read_units * month_hours,
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

}  // namespace

void FillPlans(std::span<const ThroughputLoad> loads, const PriceList& prices,
               std::string_view method, MonthCost& month) {
  const double hours = prices.month_hours;
  PlanBuilder on_demand("on demand", prices);
  PlanBuilder provisioned("provisioned with autoscaling", prices);
  PlanBuilder as_declared("as declared", prices);
  for (const ThroughputLoad& load : loads) {
    AddOnDemand(on_demand, load, hours, method);
    AddAutoscaled(provisioned, load, hours);
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

CostPlan StoragePlan(const Measurement& measurement, const PriceList& prices) {
  PlanBuilder plan("storage", prices);
  // What a what-if changed is a model.
  const std::string_view method = measurement.changes.empty() ? kMethodMeasured : kMethodModelled;
  for (const TableMeasure& table : measurement.tables) {
    const bool infrequent = table.table_class == "STANDARD_INFREQUENT_ACCESS";
    const auto add = [&](const std::string& index, std::int64_t items, std::int64_t size_bytes) {
      CostLine line{.what = "storage", .table = table.name, .index = index};
      line.method = std::string(method);
      line.quantity = BilledBytes(static_cast<double>(items), static_cast<double>(size_bytes)) /
                      prices.gigabyte_bytes;
      line.unit = "GB";
      plan.Add(std::move(line), Charge::kStorage, infrequent);
    };
    add("", table.items, table.size_bytes);
    for (const IndexMeasure& index : table.indexes) add(index.name, index.items, index.size_bytes);
  }
  return plan.Finish();
}

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

}  // namespace hashrange
