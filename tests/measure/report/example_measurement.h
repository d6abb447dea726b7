// A measurement of four hours of a shop, made up, in two layouts: customers, orders, order lines
// and products in one table. In the first layout, all customers have one partition key in the index
// GSI1, so this key is hot; in the second they are spread over ten, and GSI1 holds keys only.
#pragma once

#include "measure/report/report_input.h"

namespace hashrange {

// The first layout, with findings, cost and limits as the rules would give them.
ReportInput ShopWithOneCustomerKey();

// The second layout under the same traffic.
ReportInput ShopWithTenCustomerKeys();

// A measurement with one of whatever a report counts.
ReportInput ShopWithOneOfEach();

// A measurement whose keys, names and texts are as hostile as a client can make them.
ReportInput HostileShop();

}  // namespace hashrange
