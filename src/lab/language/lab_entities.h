// The part `entities` of a lab file. Used by one thread.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reads the entities into `reading.file`.
void ReadEntities(const LabNode& node, LabReading& reading);

}  // namespace hashrange
