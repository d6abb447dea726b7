// The Kinesis streaming destinations of a table
// (docs/service/17-global-tables-and-account.md, section B), for the four operations on them.
//
//   ENABLING ──▶ ACTIVE ⇄ UPDATING         a destination whose records are written
//      │           └──▶ DISABLING ──▶ DISABLED
//      └──▶ ENABLE_FAILED                  no server writes records for that stream
//
// ENABLING, UPDATING and DISABLING last for Context::transition_ms, and are in the answer of the
// operation in any case. A status is worked out from the time of the last change, so that nothing
// has to end a transition. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// Returns the status as of now.
DestinationStatus StatusNow(const Context& context, const KinesisDestination& destination);

// Returns whether the status is one of ENABLING, ACTIVE, UPDATING and DISABLING.
bool IsLive(DestinationStatus status);

// Returns DestinationStatus and ApproximateCreationDateTimePrecision as the API names them.
std::string_view DestinationStatusName(DestinationStatus status);
std::string_view PrecisionName(TimePrecision precision);

// Returns the member ApproximateCreationDateTimePrecision of a configuration in the request;
// nullopt: there is no such configuration, or it has no such member.
std::optional<TimePrecision> ReadPrecision(const RequestObject& request,
                                           std::string_view configuration);

// Returns the destination of that ARN in the list, or null.
const KinesisDestination* FindDestination(const TableVersion& table, std::string_view stream_arn);

// Returns "Table is not in a valid state to enable Kinesis Streaming Destination: <detail>".
Error NotInValidState(std::string_view detail);

// Gives the table another list of destinations. Returns false when another change of the table was
// first.
bool PublishDestinations(const Context& context, const TableRef& table,
                         const std::vector<KinesisDestination>& destinations);

// An answer to Enable, Disable or Update.
struct DestinationAnswer {
  std::string table_name;
  KinesisDestination destination;
  std::string_view configuration = {};  // the member with the precision; empty: there is none
};
void WriteDestinationAnswer(const DestinationAnswer& given, JsonWriter& answer);

}  // namespace hashrange
