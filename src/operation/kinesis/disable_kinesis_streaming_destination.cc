// DisableKinesisStreamingDestination (docs/service/17-global-tables-and-account.md, section B).
#include "operation/call/operations.h"
#include "operation/kinesis/kinesis_destinations.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

// The shape of the request is that of Enable, but Disable has no configuration.
Status CheckNoConfiguration(const RequestObject& request) {
  if (!request.Object("EnableKinesisStreamingConfiguration")) return {};
  return NotInValidState(
      "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");
}

// Tries again when another change was published first.
Result<DestinationAnswer> RunDisableKinesisStreamingDestination(Context& context,
                                                                const RequestObject& request) {
  HR_RETURN_IF_ERROR(CheckNoConfiguration(request));
  const std::string_view stream_arn = *request.String("StreamArn");
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, *request.String("TableName")));
    HR_RETURN_IF_ERROR(CheckNotCreatingOrDeleting(*table));
    const KinesisDestination* const found = FindDestination(*table, stream_arn);
    if (!found || StatusNow(context, *found) != DestinationStatus::kActive) {
      return NotInValidState(
          "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
    }
    auto list = table->settings.destinations;
    KinesisDestination& disabled =
        list[static_cast<std::size_t>(found - table->settings.destinations.data())];
    disabled.settled = DestinationStatus::kDisabled;
    disabled.change = DestinationStatus::kDisabling;
    disabled.changed_epoch_ms = context.NowEpochMs();
    if (PublishDestinations(context, table, list)) return DestinationAnswer{table->name, disabled};
  }
}

}  // namespace

Status DisableKinesisStreamingDestination(Context& context, const RequestObject& json,
                                          JsonWriter& answer) {
  HR_ASSIGN(const DestinationAnswer given, RunDisableKinesisStreamingDestination(context, json));
  WriteDestinationAnswer(given, answer);
  return {};
}

}  // namespace hashrange
