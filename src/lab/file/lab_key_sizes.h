// The check that the values of key templates are not longer than the service allows. Pure function,
// but for what it reports to `reading`.
#pragma once

#include "lab/file/lab_file.h"
#include "lab/file/lab_reading.h"

namespace hashrange {

// Reports a template of a key of the layout whose values are always too long. Where only some
// values are, the fill finds that.
void CheckKeySizes(const LabLayout& layout, LabReading& reading);

}  // namespace hashrange
