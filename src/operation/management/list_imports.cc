// ListImports (docs/service/16-backup-export-import.md, section D): there are no imports.
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status ListImports(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_RETURN_IF_ERROR(CheckTableArnToList(context, json));
  HR_RETURN_IF_ERROR(CheckNoPageToken(json));
  WriteEmptyList("ImportSummaryList", answer);
  return {};
}

}  // namespace hashrange
