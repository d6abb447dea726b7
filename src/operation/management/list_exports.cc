// ListExports (docs/service/16-backup-export-import.md, section C): there are no exports.
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status ListExports(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_RETURN_IF_ERROR(CheckTableArnToList(context, json));
  HR_RETURN_IF_ERROR(CheckNoPageToken(json));
  WriteEmptyList("ExportSummaries", answer);
  return {};
}

}  // namespace hashrange
