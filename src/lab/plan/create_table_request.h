// The requests that make the tables of a layout, as JSON. Pure functions; any thread.
#pragma once

#include <string>

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the input of CreateTable.
std::string CreateTableRequest(const LabTable& table);
// Returns the input of UpdateTimeToLive. Precondition: the table has a ttl_attribute.
std::string UpdateTimeToLiveRequest(const LabTable& table);

}  // namespace hashrange
