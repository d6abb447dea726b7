// What a copy takes: the units that it reads and writes, and what AWS charges for them. Before a
// copy this is an estimate by what DescribeTable counts. Pure functions.
#pragma once

#include <span>
#include <string>

#include "measure/cost/price_list.h"
#include "remote/copy/endpoint_tables.h"

namespace hashrange {

// One table of a copy.
struct PlannedTable {
  EndpointTable source = {};
  // What it is at the destination; before the copy creates it, what it will be: as at the source.
  EndpointTable destination = {};
  double share_left = 1;  // of the items, which are still to be copied
};

// US$ of a unit of a table. A unit of a table with provisioned throughput costs nothing: its
// capacity is charged by the hour, whether it is used or not.
struct CopyUnitPrices {
  double read_usd = 0;
  double write_usd = 0;
};
CopyUnitPrices CopyUnitPricesOf(const EndpointTable& table, const PriceList& prices);

struct CopyCost {
  double read_units = 0;       // at the source
  double write_units = 0;      // at the destination
  double verifying_units = 0;  // reads at the destination
  double usd = 0;
};

struct CopyCostTerms {
  bool pays_source = false;
  bool pays_destination = false;
  bool verifies = true;
  const PriceList& prices;
};

// Returns about what the copy of these tables takes: of the items of the source, at the prices of
// each side. A write takes the units of each index of the destination, too, as if each item were in
// each index.
CopyCost EstimateCopy(std::span<const PlannedTable> tables, const CopyCostTerms& terms);

// Returns "the copy takes about 25 read units at https://there, 100 write units and, to verify it,
// 25 read units at http://here: US$ 0.0085 at the prices of us-east-1". `from` and `to` name the
// sides.
std::string CopyCostText(const CopyCost& cost, const CopyCostTerms& terms, const std::string& from,
                         const std::string& to);

}  // namespace hashrange
