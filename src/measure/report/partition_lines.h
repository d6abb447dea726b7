// What the text report says of maps of partitions. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "measure/measurement.h"
#include "measure/report/text_table.h"

namespace hashrange {

// One table or index. Its texts are as they came from the traffic.
struct PartitionLines {
  std::string summary = {};
  TextTable table = {};  // the hottest partitions, in the order of keys
  // What is left out of the table, each split, and why hot partitions were not cut.
  std::vector<std::string> lines = {};
};

// Returns the first maps of the measurement; the last of them says how many are left out.
std::vector<PartitionLines> PartitionLinesOf(const Measurement& measurement);

}  // namespace hashrange
