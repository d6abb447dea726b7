// DescribeGlobalTable (docs/service/17-global-tables-and-account.md, section A).
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status DescribeGlobalTable(Context&, const RequestObject& json, JsonWriter&) {
  return GlobalTableNotFound(json);
}

}  // namespace hashrange
