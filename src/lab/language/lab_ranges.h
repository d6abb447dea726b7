// The reader of `range` of an access pattern. Pure function, but for what it reports to `reading`.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the bounds of an attribute of the entity, which is the first that the pattern asks for.
LabRange ReadRange(const LabNode& node, int entity, LabReading& reading);

}  // namespace hashrange
