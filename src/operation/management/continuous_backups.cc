#include "operation/management/continuous_backups.h"

#include <algorithm>

#include "operation/call/error_texts.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kLatestBeforeNowMs = 300'000;

// Nobody can restore the table to a time before recovery was enabled.
void WriteWindow(const PointInTimeRecovery& recovery, std::int64_t now_ms, JsonWriter& answer) {
  const auto since = [&](std::int64_t before_now_ms) {
    return std::max(recovery.enabled_epoch_ms, now_ms - before_now_ms);
  };
  answer.IntegerMember("RecoveryPeriodInDays", recovery.period_days);
  answer.TimestampMember("EarliestRestorableDateTime", since(recovery.period_days * kDayMs));
  answer.TimestampMember("LatestRestorableDateTime", since(kLatestBeforeNowMs));
}

}  // namespace

Result<TableRef> FindTableToBackUp(const Context& context, std::string_view name_or_arn) {
  HR_RETURN_IF_ERROR(CheckArn(context, name_or_arn));
  if (TableRef table = FindSettled(context, TableNameOf(name_or_arn))) return table;
  return Error{ErrorCode::kTableNotFoundException, Concatenated({"Table not found: ", name_or_arn}),
               nullptr};
}

void WriteContinuousBackupsAnswer(const Context& context, const TableVersion& table,
                                  JsonWriter& answer) {
  const bool has_backups = table.status() != ResourceStatus::kCreating;
  const auto& recovery = table.settings.recovery;
  answer.BeginObject();
  answer.BeginObject("ContinuousBackupsDescription");
  answer.StringMember("ContinuousBackupsStatus", has_backups ? "ENABLED" : "DISABLED");
  answer.BeginObject("PointInTimeRecoveryDescription");
  answer.StringMember("PointInTimeRecoveryStatus", recovery ? "ENABLED" : "DISABLED");
  if (recovery) WriteWindow(*recovery, context.NowEpochMs(), answer);
  answer.EndObject();
  answer.EndObject();
  answer.EndObject();
}

}  // namespace hashrange
