#include "operation/kinesis/kinesis_destinations.h"

#include <algorithm>

#include "operation/management/setting_change.h"

namespace hashrange {

DestinationStatus StatusNow(const Context& context, const KinesisDestination& destination) {
  const std::int64_t settled_ms = destination.changed_epoch_ms + context.transition_ms;
  if (context.NowEpochMs() < settled_ms) return destination.change;
  // A server that kept the table had a folder for records, and this one has none.
  if (destination.settled == DestinationStatus::kActive && !context.kinesis) {
    return DestinationStatus::kEnableFailed;
  }
  return destination.settled;
}

bool IsLive(DestinationStatus status) {
  return status != DestinationStatus::kDisabled && status != DestinationStatus::kEnableFailed;
}

std::string_view DestinationStatusName(DestinationStatus status) {
  static constexpr std::string_view kNames[] = {"ENABLING", "ACTIVE",        "DISABLING",
                                                "DISABLED", "ENABLE_FAILED", "UPDATING"};
  return kNames[static_cast<int>(status)];
}

std::string_view PrecisionName(TimePrecision precision) {
  return precision == TimePrecision::kMillisecond ? "MILLISECOND" : "MICROSECOND";
}

std::optional<TimePrecision> ReadPrecision(const RequestObject& request,
                                           std::string_view configuration) {
  const auto object = request.Object(configuration);
  const auto name = object ? object->String("ApproximateCreationDateTimePrecision") : std::nullopt;
  if (!name) return std::nullopt;
  return *name == PrecisionName(TimePrecision::kMicrosecond) ? TimePrecision::kMicrosecond
                                                             : TimePrecision::kMillisecond;
}

const KinesisDestination* FindDestination(const TableVersion& table, std::string_view stream_arn) {
  const auto& destinations = table.settings.destinations;
  const auto found = std::ranges::find(destinations, stream_arn, &KinesisDestination::stream_arn);
  return found == destinations.end() ? nullptr : &*found;
}

Error NotInValidState(std::string_view detail) {
  return ValidationError(
      std::string("Table is not in a valid state to enable Kinesis Streaming Destination: ")
          .append(detail));
}

bool PublishDestinations(const Context& context, const TableRef& table,
                         const std::vector<KinesisDestination>& destinations) {
  const auto edit = [&destinations](TableVersion* version) {
    version->settings.destinations = destinations;
  };
  return PublishEdit(context, table, edit).get() != nullptr;
}

void WriteDestinationAnswer(const DestinationAnswer& given, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("TableName", given.table_name);
  answer.StringMember("StreamArn", given.destination.stream_arn);
  answer.StringMember("DestinationStatus", DestinationStatusName(given.destination.change));
  if (!given.configuration.empty()) {
    answer.BeginObject(given.configuration);
    answer.StringMember("ApproximateCreationDateTimePrecision",
                        PrecisionName(given.destination.precision));
    answer.EndObject();
  }
  answer.EndObject();
}

}  // namespace hashrange
