// UpdateKinesisStreamingDestination (docs/service/17-global-tables-and-account.md, section B).
#include "operation/call/operations.h"
#include "operation/kinesis/kinesis_destinations.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::string_view kUpdateConfiguration = "UpdateKinesisStreamingConfiguration";

struct UpdateDestinationRequest {
  std::string_view table_name;
  std::string_view stream_arn;
  TimePrecision precision;
};

Result<UpdateDestinationRequest> ReadUpdateDestinationRequest(const RequestObject& request) {
  const auto precision = ReadPrecision(request, kUpdateConfiguration);
  if (!precision) {
    return ValidationError(
        "Streaming destination cannot be updated with given parameters: "
        "UpdateKinesisStreamingConfiguration cannot be null or contain only null values");
  }
  return UpdateDestinationRequest{*request.String("TableName"), *request.String("StreamArn"),
                                  *precision};
}

// `found`: null: the table never had the destination.
Status CheckUpdate(const Context& context, const UpdateDestinationRequest& request,
                   const TableVersion& table, const KinesisDestination* found) {
  if (!found || StatusNow(context, *found) != DestinationStatus::kActive) {
    return NotInValidState(
        "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. "
        "TableName: " +
        table.name + ", kdsArn: " + std::string(request.stream_arn));
  }
  if (found->precision != request.precision) return {};
  return ValidationError("Invalid Request: Precision is already set to the desired value of " +
                         std::string(PrecisionName(request.precision)) + " for tableId: " +
                         table.table_id + ", kdsArn: " + std::string(request.stream_arn));
}

// Tries again when another change was published first.
Result<DestinationAnswer> RunUpdateKinesisStreamingDestination(
    Context& context, const UpdateDestinationRequest& request) {
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckNotCreatingOrDeleting(*table));
    const KinesisDestination* const found = FindDestination(*table, request.stream_arn);
    HR_RETURN_IF_ERROR(CheckUpdate(context, request, *table, found));
    auto list = table->settings.destinations;
    KinesisDestination& updated =
        list[static_cast<std::size_t>(found - table->settings.destinations.data())];
    updated.precision = request.precision;
    updated.change = DestinationStatus::kUpdating;
    updated.changed_epoch_ms = context.NowEpochMs();
    if (!PublishDestinations(context, table, list)) continue;
    return DestinationAnswer{table->name, updated, kUpdateConfiguration};
  }
}

}  // namespace

Status UpdateKinesisStreamingDestination(Context& context, const RequestObject& json,
                                         JsonWriter& answer) {
  HR_ASSIGN(const UpdateDestinationRequest request, ReadUpdateDestinationRequest(json));
  HR_ASSIGN(const DestinationAnswer given, RunUpdateKinesisStreamingDestination(context, request));
  WriteDestinationAnswer(given, answer);
  return {};
}

}  // namespace hashrange
