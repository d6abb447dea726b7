#include "measure/cost/cost.h"

#include <cstdint>
#include <utility>

#include "measure/cost/cost_plan.h"
#include "measure/cost/throughput_load.h"
#include "measure/measured_tables.h"
#include "measure/named_patterns.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr double kMillion = 1e6;
constexpr double kMsPerMinute = 60'000;
constexpr double kMsPerHour = 3'600'000;

bool IsInfrequentAccess(const Measurement& measurement, std::string_view table) {
  const TableMeasure* const found = FindTable(measurement, table);
  return found && found->table_class == "STANDARD_INFREQUENT_ACCESS";
}

// The prices of units of a table and its indexes, on demand.
struct UnitRates {
  double read_usd = 0;
  double write_usd = 0;
};
UnitRates UnitRatesOf(const Measurement& measurement, const PriceList& prices,
                      std::string_view table) {
  const bool infrequent = IsInfrequentAccess(measurement, table);
  return {UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, infrequent)),
          UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, infrequent))};
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
    FillPlans(MeasuredLoads(measurement), input.prices,
              measurement.changes.empty() ? kMethodExtrapolated : kMethodModelled, month);
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
  price.method = std::string(measurement.changes.empty() ? kMethodMeasured : kMethodModelled);
  price.calls = CallsOf(pattern);
  if (price.calls == 0) return price;
  for (const ResourceUnits& units : pattern.units) {
    ResourcePrice resource{.table = units.table, .index = units.index};
    resource.read_units_a_call = units.read_units / price.calls;
    resource.write_units_a_call = units.write_units / price.calls;
    const UnitRates rates = UnitRatesOf(measurement, prices, units.table);
    resource.read_usd_per_million = kMillion * resource.read_units_a_call * rates.read_usd;
    resource.write_usd_per_million = kMillion * resource.write_units_a_call * rates.write_usd;
    price.usd_per_million += resource.read_usd_per_million + resource.write_usd_per_million;
    price.resources.push_back(std::move(resource));
  }
  const UnitRates rates = UnitRatesOf(measurement, prices, MainTableOf(pattern));
  price.failed_usd_per_million =
      kMillion *
      (pattern.failed_read_units * rates.read_usd + pattern.failed_write_units * rates.write_usd) /
      price.calls;
  price.usd_per_million += price.failed_usd_per_million;
  return price;
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

double UsdOfTable(const CostPlan& plan, std::string_view table) {
  double usd = 0;
  for (const CostLine& line : plan.lines) {
    if (line.table == table) usd += line.usd;
  }
  return usd;
}

}  // namespace hashrange
