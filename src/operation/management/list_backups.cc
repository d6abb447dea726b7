// ListBackups (docs/service/16-backup-export-import.md, section A): there are no backups. A table
// that does not exist has none either.
#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

// Returns whether the text is like arn:aws:dynamodb:<region>:<account>:table/<T>/backup/<id>.
bool IsBackupArn(std::string_view arn) {
  const std::string_view below = TableNameOf(arn);
  return below != arn && below.find("/backup/") != std::string_view::npos;
}

Status CheckListBackups(const Context& context, const RequestObject& request) {
  if (const auto table = request.String("TableName")) {
    HR_RETURN_IF_ERROR(CheckArn(context, *table));
  }
  const auto lower = request.Double("TimeRangeLowerBound");
  const auto upper = request.Double("TimeRangeUpperBound");
  if (lower && upper && *lower > *upper) {
    return InvalidParameters("Time range lower bound must be less than or equal to upper bound");
  }
  const auto start = request.String("ExclusiveStartBackupArn");
  return start && !IsBackupArn(*start) ? Status(ValidationError("Invalid Backup ARN")) : Status();
}

}  // namespace

Status ListBackups(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_RETURN_IF_ERROR(CheckListBackups(context, json));
  WriteEmptyList("BackupSummaries", answer);
  return {};
}

}  // namespace hashrange
