// The part `access_patterns` of a lab file. Used by one thread.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reads the patterns into `reading.file`, whose entities were read.
void ReadPatterns(const LabNode& node, LabReading& reading);

// Returns the pattern of that name. Reports a name that is not known, and returns kLabNone then.
int FindPattern(LabName name, LabReading& reading);

}  // namespace hashrange
