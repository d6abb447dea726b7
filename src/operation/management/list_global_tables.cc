// ListGlobalTables (docs/service/17-global-tables-and-account.md, section A).
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status ListGlobalTables(Context&, const RequestObject&, JsonWriter& answer) {
  WriteEmptyList("GlobalTables", answer);
  return {};
}

}  // namespace hashrange
