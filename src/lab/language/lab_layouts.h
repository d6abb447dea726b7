// The part `layouts` of a lab file. Used by one thread.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reads the layouts into `reading.file`, whose entities and patterns were read.
void ReadLayouts(const LabNode& node, LabReading& reading);

}  // namespace hashrange
