// The service's rules for the names of tables, indexes and key attributes
// (docs/service/03-tables-and-indexes.md, section 1). Pure functions, but for what they report to
// `reading`.
#pragma once

#include <string_view>

#include "lab/language/lab_names.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Reports a name that the service does not allow for tables and indexes. `what` is "a table".
void CheckServiceName(LabName name, std::string_view what, LabReading& reading);

// Reports a name that the service does not allow for attributes of keys.
void CheckKeyAttributeName(LabName name, LabReading& reading);

}  // namespace hashrange
