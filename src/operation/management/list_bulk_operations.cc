// ListBulkOperations (docs/service/16-backup-export-import.md, section E): there are no
// bulk operations.
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status ListBulkOperations(Context&, const RequestObject& json, JsonWriter& answer) {
  HR_RETURN_IF_ERROR(CheckNoPageToken(json));
  WriteEmptyList("BulkOperationsSummaryList", answer);
  return {};
}

}  // namespace hashrange
