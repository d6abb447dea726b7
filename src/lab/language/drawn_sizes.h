// How large the numbers of a distribution are, and how many instances there are of an entity,
// without a draw. Pure functions; any thread.
#pragma once

#include "lab/language/lab_file.h"

namespace hashrange {

// Return what is drawn on average, the least that is drawn (0 where that is not easily known), and
// the greatest number that is at all likely.
double MeanOf(const LabDistribution& distribution);
double LeastOf(const LabDistribution& distribution);
double GreatestOf(const LabDistribution& distribution);

// Returns how many instances of the entity the file asks for, on average.
double InstancesOf(const LabFile& file, int entity);

}  // namespace hashrange
