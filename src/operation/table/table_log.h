// Table log: a line of the log, at its info level, for each table that a call makes, changes or
// deletes.
#pragma once

#include <string_view>

#include "engine/table_version.h"

namespace hashrange {

// "table app created for 000000000000/us-east-1"
void LogTable(const TableVersion& table, std::string_view what_happened);

}  // namespace hashrange
