// Error bodies: {"__type":"<namespace>#<Name>","message":"…", …}. Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/memory/output_buffer.h"

namespace hashrange {

// The member "Item" of a ConditionalCheckFailedException: the stored item as JSON.
struct ItemDetails : ErrorDetails {
  explicit ItemDetails(std::string json) : item_json(std::move(json)) {}
  std::string item_json;
};

// Why one action of a transaction was refused: an element of the member "CancellationReasons" of a
// TransactionCanceledException. An action that was not refused has the code "None".
struct CancellationReason {
  std::string code = "None";
  std::string message;    // empty: the reason has no member "Message"
  std::string item_json;  // empty: the reason has no member "Item"
};
struct CancellationDetails : ErrorDetails {
  std::vector<CancellationReason> reasons;
};

// Why a request was throttled: "ThrottlingReasons" of a ProvisionedThroughputExceededException or
// RequestLimitExceeded, "throttlingReasons" of a ThrottlingException
// (docs/service/20-partition-model.md, section 3).
struct ThrottlingDetails : ErrorDetails {
  struct Reason {
    std::string reason;    // "TableWriteKeyRangeThroughputExceeded"
    std::string resource;  // the ARN of the table or index
  };
  std::vector<Reason> reasons;
};

// Returns the error "Transaction cancelled, please refer cancellation reasons for specific reasons
// [None, …]"
Error TransactionCanceled(std::vector<CancellationReason> reasons);

// Appends the body of the answer. The body of ServiceUnavailable is an HTML page, not JSON: the
// proxy in front of the service's hosts answers it.
void WriteErrorBody(const Error& error, OutputBuffer& out);

}  // namespace hashrange
