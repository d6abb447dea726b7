// DescribeKinesisStreamingDestination (docs/service/17-global-tables-and-account.md, section B).
#include "operation/call/operations.h"
#include "operation/kinesis/kinesis_destinations.h"
#include "operation/kinesis/kinesis_sink.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

// Returns DestinationStatusDescription; empty: there is none. The service has no text for records
// that are lost, because it tries again for 24 hours.
std::string DescriptionOf(const Context& context, const KinesisDestination& destination,
                          DestinationStatus status) {
  if (status == DestinationStatus::kEnableFailed) {
    return "User does not have a permission to use kinesis stream";
  }
  return context.kinesis ? context.kinesis->ProblemOf(destination.stream_arn) : std::string();
}

void WriteDestination(const Context& context, const KinesisDestination& destination,
                      JsonWriter& answer) {
  const DestinationStatus status = StatusNow(context, destination);
  answer.BeginObject();
  answer.StringMember("StreamArn", destination.stream_arn);
  answer.StringMember("DestinationStatus", DestinationStatusName(status));
  const std::string description = DescriptionOf(context, destination, status);
  if (!description.empty()) answer.StringMember("DestinationStatusDescription", description);
  answer.StringMember("ApproximateCreationDateTimePrecision", PrecisionName(destination.precision));
  answer.EndObject();
}

}  // namespace

Status DescribeKinesisStreamingDestination(Context& context, const RequestObject& json,
                                           JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, FindTableToManage(context, *json.String("TableName")));
  answer.BeginObject();
  answer.StringMember("TableName", table->name);
  answer.BeginArray("KinesisDataStreamDestinations");
  for (const KinesisDestination& each : table->settings.destinations) {
    WriteDestination(context, each, answer);
  }
  answer.EndArray();
  answer.EndObject();
  return {};
}

}  // namespace hashrange
