// The text of an access pattern on one line, and its id. Pure functions; any thread.
//
//   Query shop/GSI1 where GSI1PK = CUST#{customer_id} and GSI1SK begins_with ORDER#, backward,
//   limit 20, filter status = ?, only order_id, total
#pragma once

#include <string>

#include "measure/measurement.h"

namespace hashrange {

// Returns the text of the pattern's operation and members.
std::string PatternText(const PatternMeasure& pattern);
// Returns the id of the pattern with this text and name: 12 hexadecimal digits.
std::string PatternId(const PatternMeasure& pattern);
// Returns "shop", or "shop/GSI1".
std::string ResourceText(const std::string& table, const std::string& index);

}  // namespace hashrange
