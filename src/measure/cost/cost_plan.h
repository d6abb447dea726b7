// The plans of a month: quantities of each table and index, priced through the bands of a price
// list. Used by cost.cc only. Pure functions; any thread.
#pragma once

#include <span>
#include <string_view>

#include "measure/cost/cost.h"
#include "measure/cost/throughput_load.h"

namespace hashrange {

// Fills the three plans of `month`, which repeats the loads for the hours of a month. `method` is
// that of the quantities on demand.
void FillPlans(std::span<const ThroughputLoad> loads, const PriceList& prices,
               std::string_view method, MonthCost& month);

// Returns a month of what the tables and indexes hold.
CostPlan StoragePlan(const Measurement& measurement, const PriceList& prices);

// Returns a month of GetRecords calls, of `hours` measured hours.
CostPlan StreamPlan(const Measurement& measurement, const PriceList& prices, double hours);

}  // namespace hashrange
