#include "remote/copy/copy_cost.h"

#include <algorithm>
#include <cmath>

#include "measure/number_text.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr double kReadUnitBytes = 4096;

double WriteUnitsOf(const PlannedTable& table) {
  const EndpointTable& source = table.source;
  if (source.items == 0) return 0;
  const auto average = static_cast<std::size_t>(source.size_bytes / source.items);
  return static_cast<double>(source.items) * static_cast<double>(WriteUnits(average)) *
         static_cast<double>(1 + table.destination.indexes) * table.share_left;
}

std::string UnitsText(double units, std::string_view kind) {
  return NumberText(units) + " " + std::string(kind) + (units == 1 ? " unit" : " units");
}

}  // namespace

CopyUnitPrices CopyUnitPricesOf(const EndpointTable& table, const PriceList& prices) {
  if (!table.is_on_demand) return {};
  const bool is_rare = table.is_infrequent_access;
  return {UnitUsd(prices, UsageTypeOf(Charge::kReadRequest, is_rare)),
          UnitUsd(prices, UsageTypeOf(Charge::kWriteRequest, is_rare))};
}

CopyCost EstimateCopy(std::span<const PlannedTable> tables, const CopyCostTerms& terms) {
  CopyCost cost;
  for (const PlannedTable& table : tables) {
    const CopyUnitPrices there = CopyUnitPricesOf(table.destination, terms.prices);
    const double units = std::ceil(static_cast<double>(table.source.size_bytes) / kReadUnitBytes);
    const double reads = std::ceil(units * table.share_left);
    const double writes = std::ceil(WriteUnitsOf(table));
    const double verifying = terms.verifies ? units : 0;
    cost.read_units += reads;
    cost.write_units += writes;
    cost.verifying_units += verifying;
    if (terms.pays_source) {
      cost.usd += reads * CopyUnitPricesOf(table.source, terms.prices).read_usd;
    }
    if (terms.pays_destination) {
      cost.usd += writes * there.write_usd + verifying * there.read_usd;
    }
  }
  return cost;
}

std::string CopyCostText(const CopyCost& cost, const CopyCostTerms& terms, const std::string& from,
                         const std::string& to) {
  std::string text = "the copy takes about ";
  if (terms.pays_source) text += UnitsText(cost.read_units, "read") + " at " + from;
  if (terms.pays_destination) {
    if (terms.pays_source) text += ", ";
    text += UnitsText(cost.write_units, "write");
    if (terms.verifies) {
      text += " and, to verify it, " + UnitsText(cost.verifying_units, "read");
    }
    text += " at " + to;
  }
  return text + ": " + UsdText(cost.usd) + " at the prices of " + terms.prices.region;
}

}  // namespace hashrange
