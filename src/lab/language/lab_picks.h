// How a pattern picks the instances that its calls are about: `pick: zipf`, `pick: {where: {status:
// OPEN}}`. Pure functions, but for what they report to `reading`.
#pragma once

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// `entity` is the one that the pattern is about; conditions may be about it or about one of its
// ancestors.
LabPick ReadPick(const LabNode& node, int entity, LabReading& reading);

}  // namespace hashrange
