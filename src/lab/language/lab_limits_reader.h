// The part `limits` of a lab file. Used by one thread.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reads the limits into `reading.file`, whose patterns and layouts were read.
void ReadLimits(const LabNode& node, LabReading& reading);

}  // namespace hashrange
