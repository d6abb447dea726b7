// The values that conditions ask for, against those that attributes can have. Used by one thread.
#pragma once

#include <vector>

#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Warns of conditions that ask for a value which the attribute's `choice` does not have and no
// pattern sets. All patterns were read.
void WarnOfMissingValues(const std::vector<LabCondition>& conditions, LabReading& reading);
// Warns of values that a write sets and the attribute's `choice` does not have.
void WarnOfOtherValues(const LabWrite& write, LabReading& reading);

}  // namespace hashrange
