// CreateGlobalTable (docs/service/17-global-tables-and-account.md, section A).
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status CreateGlobalTable(Context&, const RequestObject&, JsonWriter&) {
  return LegacyGlobalTablesRefused();
}

}  // namespace hashrange
