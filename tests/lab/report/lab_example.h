// A lab of a small shop and its result, made up: "one key" has all customers under one partition
// key of its index, "sharded" has them under eight, and keeps order lines inside of the order.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_result.h"

namespace hashrange {

// The patterns are "customer" (400/s), "newest customers" (5/s), "orders of a product" (20/s),
// "sign up" (20/s) and "rename", which has no rate.
LabFile ShopLab();

// One run of each layout for 10 minutes, with trials.
LabResult ShopLabResult();

// The same with runs at scale 10, at which "orders of a product" of "sharded" takes ten times as
// much.
LabResult ShopLabAtTwoScales();

// The same as ShopLabResult, and what the calls did at an endpoint: "one key" was run to its end,
// "sharded, lines inside" was given up.
LabResult ShopLabAtEndpoint();

// A file and a result whose names and texts are as hostile as a file can make them.
LabFile HostileLab();
LabResult HostileLabResult();

// What `lab explain` has of the shop.
std::vector<ExplainedLayout> ShopExplanation();

}  // namespace hashrange
