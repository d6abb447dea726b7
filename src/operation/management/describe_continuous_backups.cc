// DescribeContinuousBackups (docs/service/16-backup-export-import.md, section B).
#include "operation/call/operations.h"
#include "operation/management/continuous_backups.h"

namespace hashrange {

Status DescribeContinuousBackups(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, FindTableToBackUp(context, *json.String("TableName")));
  WriteContinuousBackupsAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
