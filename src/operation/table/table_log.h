// Table log: a line in the log, at level info, for each table that a call creates, changes or
// deletes. Any thread.
#pragma once

#include <string_view>

#include "engine/table_version.h"

namespace hashrange {

// Logs "table app created for 000000000000/us-east-1", where `what_happened` is "created".
void LogTable(const TableVersion& table, std::string_view what_happened);

}  // namespace hashrange
