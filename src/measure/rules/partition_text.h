// What sentences and reports say of a partition of a PartitionMap alike: where it is, and why it
// was not cut. Keys are as they came from the traffic. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "simulation/partitions/partition_map.h"

namespace hashrange {

// The hashes of a partition as shares of all hashes, from 0 to 1.
struct HashShares {
  double begin = 0;
  double end = 0;
};
HashShares HashSharesOf(const PartitionMeasure& partition);

// Returns "25 % to 50 %" of all hashes; where an item collection is cut, with the key there: "31.2
// % (PK=ORDERS, SK=ORDER#500) to 50 %".
std::string PartitionRangeText(const PartitionMeasure& partition);
// Returns the first half of the same: "25 %".
std::string PartitionBeginText(const PartitionMeasure& partition);

// Why the model leaves a hot partition in one piece.
struct UncutCause {
  std::string_view uncut;   // PartitionMeasure::uncut
  std::string_view why;     // the end of a sentence: "It was not cut: …"
  std::string_view advice;  // a sentence
};
// Returns the cause of that name; null when there is none.
const UncutCause* FindUncutCause(std::string_view uncut);

// Returns why the partition was not cut: "its sort keys rise or fall"; a name that is not known as
// it is, and the empty text for none.
std::string UncutText(const PartitionMeasure& partition);

// Returns "a partition serves 500 read and 10 write units here"; the text has only what differs
// from the service's 3,000 and 1,000 units a second, and is empty where nothing does.
std::string UnusualUnitsText(const PartitionMap& map);

}  // namespace hashrange
