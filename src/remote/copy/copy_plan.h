// CopyPlan: which tables a copy has, and what it will cost, before anything is written. What would
// go wrong later is found here as far as possible: a table that is not there, one that is there
// already, costs that nobody has allowed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "measure/cost/price_list.h"
#include "remote/copy/copy_run.h"
#include "remote/copy/copy_state.h"
#include "remote/copy/endpoint_tables.h"
#include "remote/copy/patient_call.h"

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
  double vector_write_usd = 0;  // of a byte
};
CopyUnitPrices CopyUnitPricesOf(const EndpointTable& table, const PriceList& prices);

// What a copy takes: the units that it reads and writes, and what AWS charges for them. Before a
// copy this is an estimate by what DescribeTable counts.
struct CopyCost {
  double read_units = 0;       // at the source
  double write_units = 0;      // at the destination
  double verifying_units = 0;  // reads at the destination
  double vector_bytes = 0;     // written to vector indexes of the destination
  double usd = 0;
};

struct CopyCostTerms {
  bool pays_source = false;
  bool pays_destination = false;
  bool verifies = true;
  const PriceList& prices;
};

// Returns about what the copy of these tables takes: of the items of the source, at the prices of
// each side. A write takes the units of each index of the destination, too, and the bytes of each
// vector index, as if each item were in each index, and whole in each vector index.
CopyCost EstimateCopy(std::span<const PlannedTable> tables, const CopyCostTerms& terms);

// Returns "the copy takes about 25 read units at https://there, 100 write units and, to verify it,
// 25 read units at http://here: US$ 0.0085 at the prices of us-east-1". `from` and `to` name the
// sides.
std::string CopyCostText(const CopyCost& cost, const CopyCostTerms& terms, const std::string& from,
                         const std::string& to);

struct CopyPlan {
  CopyState state;
  std::vector<PlannedTable> tables;  // in the order of the state's tables
};

// Returns the plan of a new copy. `to` is null for a folder.
// Errors: ValidationException  a table of the request is not at the source, two tables would get
//                              one name, a table exists at the destination, or its key differs;
//                              as the calls
Result<CopyPlan> PlanCopy(const CopyRequest& request, const PatientCaller& from,
                          const PatientCaller* to);

// Returns the plan of a copy that is continued, for what an earlier run has left as `state`.
// Errors: ValidationException  the request is of another copy, or a table is no longer there
Result<CopyPlan> PlanContinuation(const CopyRequest& request, CopyState state,
                                  const PatientCaller& from, const PatientCaller* to);

// Tells the user what the copy costs, where it costs anything.
// Errors: ValidationException  the user has not allowed that much
Status CheckCost(const CopyRequest& request, const CopyPlan& plan);

// Returns how sentences name the destination.
std::string DestinationName(const CopyRequest& request);

}  // namespace hashrange
