// A lab file with fewer instances, for fills that only show what calls take. Pure functions.
#pragma once

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns how many instances of all entities the file asks for, on average.
double AllInstancesOf(const LabFile& file);

// Returns the file with so few instances of the entities without a parent that there are about
// `most_instances` of all together. Children of one parent are as many as before.
LabFile WithFewerInstances(const LabFile& file, double most_instances);

}  // namespace hashrange
