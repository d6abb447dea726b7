// The parts `traffic` and `client` of a lab file. Used by one thread.
#pragma once

#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the phases of the traffic.
std::vector<LabPhase> ReadTraffic(const LabNode& node, LabReading& reading);
// Returns what is simulated where the file does not say it: ten minutes at the declared rates.
std::vector<LabPhase> UsualTraffic();

LabClient ReadClient(const LabNode& node, LabReading& reading);

}  // namespace hashrange
