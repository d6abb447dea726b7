// What a run at an endpoint of AWS costs: estimated before it from the modelled run, and counted in
// it by the units that the endpoint reports. DynamoDB charges writes whose condition fails and
// transactions that are cancelled, too, without a report (docs/service/08-capacity.md):
// each counts as a call of its pattern in the modelled run. Prices are in the
// built-in list (measure/cost/price_list.h); storage for the length of a run is negligible and is
// not counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lab/endpoint/endpoint_replies.h"
#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// What units cost in one layout. Where all of its tables provision their throughput, the capacity
// is charged by the hour, and a unit costs nothing more; otherwise each unit is counted as one on
// demand, which is too much for tables that provision it.
struct LayoutPrices {
  double read_unit_usd = 0;
  double write_unit_usd = 0;
  double capacity_hour_usd = 0;  // of all that the layout provisions
};

LayoutPrices PricesOf(const LabLayout& layout);

// Which part of the traffic a run makes.
struct EndpointTraffic {
  double rate = 1;             // a share of the declared rates
  std::int64_t length_ms = 0;  // 0: all of the traffic

  // Returns how long the traffic of the file is then.
  double Seconds(const LabFile& file) const;
};

struct RunCost {
  double fill_write_units = 0;
  double read_units = 0;  // of the traffic
  double write_units = 0;
  double usd = 0;
  // Patterns whose units are not known, since no call of the modelled run succeeded.
  std::vector<std::string> unknown = {};
};

// Returns what the run of one layout will cost. `modelled` is its modelled run, `fill_write_units`
// what the twin took for the fill.
RunCost EstimateRun(const LabFile& file, const LayoutRun& modelled, double fill_write_units,
                    const EndpointTraffic& traffic);

// Returns one sentence about the cost of a layout.
std::string RunCostText(const std::string& layout, const RunCost& cost);

// The amount that a run may cost, and what it has cost. Used by one thread at a time.
class SpendCount {
 public:
  explicit SpendCount(std::optional<double> most_usd) : most_usd_(most_usd) {}

  // From now on, units belong to the layout whose tables are about to be made. Its capacity of
  // an hour is counted at once.
  void BeginLayout(const LayoutPrices& prices, Instant now);
  // Counts the capacity of each further hour that has begun.
  void CountHours(Instant now);
  // The tables of the layout are removed.
  void EndLayout(Instant now);
  void Add(bool reads, double units) {
    usd_ += units * (reads ? prices_.read_unit_usd : prices_.write_unit_usd);
  }
  double usd() const { return usd_; }
  // Returns whether what was spent, and `more_usd`, exceeds the amount.
  bool IsExceeded(double more_usd = 0) const { return most_usd_ && usd_ + more_usd > *most_usd_; }
  // Returns why a run is given up.
  std::string ExceededText(double more_usd = 0) const;

 private:
  const std::optional<double> most_usd_;
  LayoutPrices prices_ = {};
  double usd_ = 0;
  Instant next_hour_ = {};  // whose capacity is not counted yet
};

}  // namespace hashrange
