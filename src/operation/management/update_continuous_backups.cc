// UpdateContinuousBackups (docs/service/16-backup-export-import.md, section B).
#include <string>

#include "operation/call/error_texts.h"
#include "operation/call/operations.h"
#include "operation/management/continuous_backups.h"
#include "operation/management/setting_change.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultPeriodDays = 35;

struct UpdateContinuousBackupsRequest {
  std::string_view table_name;
  bool enabled;
  std::optional<std::int64_t> period_days;
};

UpdateContinuousBackupsRequest ReadUpdateContinuousBackupsRequest(const RequestObject& request) {
  const RequestObject recovery = *request.Object("PointInTimeRecoverySpecification");
  return {*request.String("TableName"), *recovery.Boolean("PointInTimeRecoveryEnabled"),
          recovery.Integer("RecoveryPeriodInDays")};
}

// Returns the recovery that follows `before`. While recovery stays on, it keeps its beginning.
std::optional<PointInTimeRecovery> RecoveryAfter(const UpdateContinuousBackupsRequest& request,
                                                 const std::optional<PointInTimeRecovery>& before,
                                                 std::int64_t now_epoch_ms) {
  if (!request.enabled) return std::nullopt;
  return PointInTimeRecovery{request.period_days.value_or(kDefaultPeriodDays),
                             before ? before->enabled_epoch_ms : now_epoch_ms};
}

// The service answers so in the first seconds of a table, and clients try again.
Status CheckHasBackups(const TableVersion& table) {
  if (table.status() != ResourceStatus::kCreating) return {};
  return Error{ErrorCode::kContinuousBackupsUnavailableException,
               Concatenated({"Backups are being enabled for the table: ", table.name,
                             ". Please retry later"}),
               nullptr};
}

// Tries again when another change was published first.
Result<TableRef> RunUpdateContinuousBackups(Context& context,
                                            const UpdateContinuousBackupsRequest& request) {
  if (!request.enabled && request.period_days) {
    return ValidationError(
        "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time "
        "recovery.");
  }
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToBackUp(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckHasBackups(*table));
    const auto recovery = RecoveryAfter(request, table->settings.recovery, context.NowEpochMs());
    TableRef changed = PublishEdit(
        context, table, [&](TableVersion* version) { version->settings.recovery = recovery; });
    if (changed) return changed;
  }
}

}  // namespace

Status UpdateContinuousBackups(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const TableRef table,
            RunUpdateContinuousBackups(context, ReadUpdateContinuousBackupsRequest(json)));
  WriteContinuousBackupsAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
