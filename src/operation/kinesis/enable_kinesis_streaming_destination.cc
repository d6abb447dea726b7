// EnableKinesisStreamingDestination (docs/service/17-global-tables-and-account.md, section B).
#include <algorithm>
#include <vector>

#include "operation/call/operations.h"
#include "operation/kinesis/kinesis_destinations.h"
#include "operation/kinesis/kinesis_record.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::string_view kEnableConfiguration = "EnableKinesisStreamingConfiguration";
// Destinations that are not live stay in the list. Of more, the oldest is removed, so that a table
// does not grow with every stream that it ever had.
constexpr std::size_t kMostDestinations = 50;

struct EnableRequest {
  std::string_view table_name;
  std::string_view stream_arn;
  std::optional<TimePrecision> precision;
};

EnableRequest ReadEnableRequest(const RequestObject& request) {
  return {*request.String("TableName"), *request.String("StreamArn"),
          ReadPrecision(request, kEnableConfiguration)};
}

Status CheckNoneIsLive(const Context& context, const TableVersion& table) {
  const auto is_live = [&context](const KinesisDestination& each) {
    return IsLive(StatusNow(context, each));
  };
  if (std::ranges::none_of(table.settings.destinations, is_live)) return {};
  return NotInValidState(
      "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE "
      "operation.");
}

KinesisDestination MakeDestination(const Context& context, const EnableRequest& request) {
  const bool is_written = context.kinesis && KinesisFileName(request.stream_arn);
  return {.stream_arn = std::string(request.stream_arn),
          .precision = request.precision.value_or(TimePrecision::kMillisecond),
          .settled = is_written ? DestinationStatus::kActive : DestinationStatus::kEnableFailed,
          .change = DestinationStatus::kEnabling,
          .changed_epoch_ms = context.NowEpochMs()};
}

// None of the others is live. One that was active while a server had a folder for records fails for
// good, so that only the new one is active.
std::vector<KinesisDestination> WithDestination(std::vector<KinesisDestination> list,
                                                const KinesisDestination& added) {
  for (KinesisDestination& each : list) {
    if (each.settled == DestinationStatus::kActive) each.settled = DestinationStatus::kEnableFailed;
  }
  const auto same = std::ranges::find(list, added.stream_arn, &KinesisDestination::stream_arn);
  if (same != list.end()) {
    *same = added;
    return list;
  }
  if (list.size() >= kMostDestinations) list.erase(list.begin());
  list.push_back(added);
  return list;
}

// Tries again when another change was published first.
Result<DestinationAnswer> RunEnableKinesisStreamingDestination(Context& context,
                                                               const EnableRequest& request) {
  HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckNotCreatingOrDeleting(*table));
    HR_RETURN_IF_ERROR(CheckNoneIsLive(context, *table));
    KinesisDestination added = MakeDestination(context, request);
    const auto list = WithDestination(table->settings.destinations, added);
    if (!PublishDestinations(context, table, list)) continue;
    return DestinationAnswer{table->name, std::move(added),
                             request.precision ? kEnableConfiguration : std::string_view()};
  }
}

}  // namespace

Status EnableKinesisStreamingDestination(Context& context, const RequestObject& json,
                                         JsonWriter& answer) {
  HR_ASSIGN(const DestinationAnswer given,
            RunEnableKinesisStreamingDestination(context, ReadEnableRequest(json)));
  WriteDestinationAnswer(given, answer);
  return {};
}

}  // namespace hashrange
