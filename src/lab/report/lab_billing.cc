#include "lab/report/lab_billing.h"

#include <algorithm>
#include <cmath>

#include "lab/language/lab_facts.h"
#include "lab/run/traffic_arrivals.h"
#include "measure/cost/cost.h"
#include "measure/number_text.h"
#include "measure/report/json_report_members.h"

namespace hashrange {
namespace {

constexpr std::int64_t kMsPerDay = 86'400'000;

// Part of the traffic, in which the rates are a multiple of the declared ones.
struct FactorStretch {
  double minutes = 60;
  double factor = 1;
};

std::vector<FactorStretch> StretchesOfTraffic(const LabFile& file) {
  if (TrafficMs(file) < kMsPerDay) return {{}};
  constexpr double kMostStretches = 3000;
  constexpr double kSecondsPerMinute = 60;
  const TrafficFactor factor(file.traffic);
  const double all_s = factor.length_s();
  const double step_s = kSecondsPerMinute * std::ceil(all_s / kSecondsPerMinute / kMostStretches);
  std::vector<FactorStretch> stretches;
  for (double begin_s = 0; begin_s < all_s; begin_s += step_s) {
    const double end_s = std::min(all_s, begin_s + step_s);
    stretches.push_back({(end_s - begin_s) / kSecondsPerMinute,
                         (factor.AreaAt(end_s) - factor.AreaAt(begin_s)) / (end_s - begin_s)});
  }
  return stretches;
}

// Returns at which use of the capacity both cost the same, for reads; writes have the same ratio.
double UseOfEqualCost(const PriceList& prices) {
  return UnitUsd(prices, UsageTypeOf(Charge::kReadCapacity, false)) / kLoadSeconds /
         UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, false));
}

// Returns what the figures of all layouts rest on.
std::string BillingBasis(const LabFile& file) {
  std::string text =
      "With storage, after AWS's free tier. Target tracking is assumed to aim at 70 % use, to add "
      "capacity after 2 minutes above it, and to take some away after 15 minutes below 50 %, "
      "however often in a day. ";
  const BillingFigures even = BillingOf(file, {}, 0);
  if (even.has_day) {
    return text + "The traffic of the file repeats, at " + NumberText(even.mean_factor) +
           " × the declared rates on average and " + NumberText(even.greatest_factor) +
           " × at most.";
  }
  return text + "The traffic is shorter than a day, so rates are taken as even; provisioned is " +
         "cheaper where the mean use of its capacity is above " +
         PercentText(UseOfEqualCost(BuiltInPrices())) + ".";
}

}  // namespace

BillingFigures BillingOf(const LabFile& file, std::vector<ThroughputLoad> loads,
                         double storage_usd) {
  const std::vector<FactorStretch> stretches = StretchesOfTraffic(file);
  BillingFigures billing = {.has_day = TrafficMs(file) >= kMsPerDay, .greatest_factor = 0};
  double minutes = 0;
  double area = 0;
  for (const FactorStretch& one : stretches) {
    minutes += one.minutes;
    area += one.minutes * one.factor;
    billing.greatest_factor = std::max(billing.greatest_factor, one.factor);
  }
  billing.mean_factor = area / minutes;
  for (ThroughputLoad& load : loads) {
    const double reads = load.read_units / kLoadSeconds;
    const double writes = load.write_units / kLoadSeconds;
    load.vector_bytes_searched *= area * 60 / kLoadSeconds;
    load.vector_bytes_written *= area * 60 / kLoadSeconds;
    load.read_units = reads * area * 60;
    load.write_units = writes * area * 60;
    load.stretches.clear();
    for (const FactorStretch& one : stretches) {
      load.stretches.push_back({one.minutes, reads * one.factor, writes * one.factor});
    }
  }
  const MonthCost month = MonthOfLoads(loads, BuiltInPrices());
  billing.on_demand_usd = month.on_demand.usd + storage_usd;
  billing.provisioned_usd = month.provisioned.usd + storage_usd;
  billing.units_above_capacity = month.provisioned.units_above_capacity;
  return billing;
}

ReportParts BillingParts(const LabFile& file, const std::vector<LayoutBilling>& layouts) {
  if (layouts.empty()) return {};
  ReportTable table{.caption = "A month of each layout, US$",
                    .columns = {{"Layout", ColumnKind::kText, "US$ a month"},
                                {"On demand"},
                                {"Provisioned"},
                                {"Cheaper", ColumnKind::kText}}};
  ReportParts lags;
  for (const LayoutBilling& layout : layouts) {
    const BillingFigures& billing = layout.billing;
    table.rows.push_back({layout.name, AmountText(billing.on_demand_usd),
                          AmountText(billing.provisioned_usd),
                          billing.IsProvisionedCheaper() ? "provisioned" : "on demand"});
    if (billing.units_above_capacity <= 0) continue;
    lags.push_back(ReportParagraph{
        .text = layout.name + ": while target tracking lags behind the traffic, " +
                NumberText(billing.units_above_capacity) +
                " units a month are above the capacity, and throttle but for the burst.",
        .css_class = "note"});
  }
  ReportParts parts = {std::move(table)};
  AppendParts(std::move(lags), parts);
  parts.push_back(ReportParagraph{.text = BillingBasis(file), .css_class = "note"});
  return parts;
}

void WriteBillingMember(const std::optional<BillingFigures>& billing, JsonWriter& writer) {
  WriteObjectMember("billing", billing.has_value(), writer, [&] {
    WriteFigureMember("on_demand_usd", billing->on_demand_usd, writer);
    WriteFigureMember("provisioned_usd", billing->provisioned_usd, writer);
    WriteTextMember("cheaper", billing->IsProvisionedCheaper() ? "provisioned" : "on_demand",
                    writer);
    WriteFigureMember("units_above_capacity", billing->units_above_capacity, writer);
    writer.BoolMember("has_day", billing->has_day);
    WriteFigureMember("mean_factor", billing->mean_factor, writer);
    WriteFigureMember("greatest_factor", billing->greatest_factor, writer);
  });
}

}  // namespace hashrange
