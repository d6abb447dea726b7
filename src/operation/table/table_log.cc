#include "operation/table/table_log.h"

#include <string>

#include "base/log.h"

namespace hashrange {

void LogTable(const TableVersion& table, std::string_view what_happened) {
  if (!IsLogged(LogLevel::kInfo)) return;
  std::string line = "table ";
  line.append(table.name).append(" ").append(what_happened).append(" for ");
  line.append(table.account_id);
  // Shared tables belong to no Region.
  if (!table.region.empty()) line.append("/").append(table.region);
  Log(LogLevel::kInfo, line);
}

}  // namespace hashrange
