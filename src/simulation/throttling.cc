#include "simulation/throttling.h"

#include <memory>
#include <utility>

#include "wire/error_body.h"

namespace hashrange {
namespace {

std::string ArnOf(const ThrottlingReason& reason, const ThrottledAccess& access) {
  if (!reason.is_index || !access.index) return access.table.arn;
  return access.table.arn + "/index/" + access.index->schema.name;
}

}  // namespace

ErrorCode ThrottlingErrorCode(const ThrottlingReason& reason, const ThrottledAccess& access) {
  const bool is_index_write = reason.is_index && reason.is_write;
  switch (reason.limit) {
    case ThrottlingLimit::kProvisioned:
      break;
    case ThrottlingLimit::kKeyRange:
      if (is_index_write || access.table.settings.on_demand ||
          access.operation == "BatchWriteItem") {
        return ErrorCode::kThrottlingException;
      }
      break;
    case ThrottlingLimit::kMaxOnDemand:
      return ErrorCode::kThrottlingException;
    case ThrottlingLimit::kAccount:
      return is_index_write ? ErrorCode::kThrottlingException : ErrorCode::kRequestLimitExceeded;
  }
  return ErrorCode::kProvisionedThroughputExceededException;
}

std::string_view ThrottlingText(ErrorCode code, const ThrottlingReason& reason) {
  if (code == ErrorCode::kProvisionedThroughputExceededException) {
    return reason.is_index
               ? "The level of configured provisioned throughput for one or more global secondary "
                 "indexes of the table was exceeded. Consider increasing your provisioning level "
                 "for the under-provisioned global secondary indexes with the UpdateTable API"
               : "The level of configured provisioned throughput for the table was exceeded. "
                 "Consider increasing your provisioning level with the UpdateTable API.";
  }
  if (code == ErrorCode::kRequestLimitExceeded) {
    return "Throughput exceeds the current throughput limit for your account. To request a limit "
           "increase, contact AWS Support at https://aws.amazon.com/support.";
  }
  if (reason.limit == ThrottlingLimit::kMaxOnDemand) {
    return "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
  }
  if (reason.is_index && reason.is_write) {
    return "Throughput exceeds the current capacity for one or more global secondary indexes. "
           "DynamoDB is automatically scaling your index so please try again shortly.";
  }
  return "Throughput exceeds the current capacity of your table or index. DynamoDB is "
         "automatically "
         "scaling your table or index so please try again shortly. If exceptions persist, check if "
         "you have a hot key: "
         "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
         "bp-partition-key-design.html";
}

Error ThrottlingError(const ThrottlingReason& reason, const ThrottledAccess& access,
                      std::optional<ErrorCode> code) {
  const ErrorCode carrier = code.value_or(ThrottlingErrorCode(reason, access));
  auto details = std::make_shared<ThrottlingDetails>();
  details->reasons.push_back({ThrottlingReasonName(reason), ArnOf(reason, access)});
  return Error{carrier, std::string(ThrottlingText(carrier, reason)), std::move(details)};
}

}  // namespace hashrange
