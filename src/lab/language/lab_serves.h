// `serve:` of a layout: requests in DynamoDB's own JSON. Pure functions, but for what they report
// to `reading`.
#pragma once

#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the requests of each pattern that the map names.
std::vector<LabServe> ReadServes(const LabNode& node, LabReading& reading);

}  // namespace hashrange
