// On demand or provisioned: what a month of a layout costs under both, over the day of the traffic.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/lab_file.h"
#include "measure/cost/throughput_load.h"
#include "measure/report/report_section.h"
#include "wire/json_writer.h"

namespace hashrange {

inline constexpr std::string_view kBillingHeading = "On demand, or provisioned";
// The units of a load are those of an hour.
inline constexpr double kLoadSeconds = 3600;

// A month of 730 hours, storage included, each table and index on its own.
struct BillingFigures {
  double on_demand_usd = 0;
  double provisioned_usd = 0;  // with target tracking at 70 %
  // Of a month: units above the capacity while target tracking lags; they are throttled.
  double units_above_capacity = 0;
  // The traffic of the file lasts a day or more, and repeats; otherwise the rates are even.
  bool has_day = false;
  double mean_factor = 1;      // of the declared rates, on average
  double greatest_factor = 1;  // in a minute

  bool IsProvisionedCheaper() const { return provisioned_usd < on_demand_usd; }
};

// Returns the figures of loads at the declared rates, whose units are those of an hour.
BillingFigures BillingOf(const LabFile& file, std::vector<ThroughputLoad> loads,
                         double storage_usd);

struct LayoutBilling {
  std::string name = {};
  BillingFigures billing = {};
};
// Returns a table of the layouts, and what it rests on.
ReportParts BillingParts(const LabFile& file, const std::vector<LayoutBilling>& layouts);

// Writes the member "billing"; null where there is none.
void WriteBillingMember(const std::optional<BillingFigures>& billing, JsonWriter& writer);

}  // namespace hashrange
