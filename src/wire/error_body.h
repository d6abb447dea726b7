// Error bodies: {"__type":"<namespace>#<Name>","message":"…", …}.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_buffer.h"

namespace hashrange {

// "Item" of a ConditionalCheckFailedException, as JSON.
struct ItemDetails : ErrorDetails {
  explicit ItemDetails(std::string json) : item_json(std::move(json)) {}
  std::string item_json;
};

struct CancellationReason {
  std::string code = "None";
  std::string message;    // empty: absent
  std::string item_json;  // empty: absent
};
struct CancellationDetails : ErrorDetails {
  std::vector<CancellationReason> reasons;
};

// "Transaction cancelled, please refer cancellation reasons for specific reasons [None, …]"
Error TransactionCanceled(std::vector<CancellationReason> reasons);

// Appends the body of the answer.
void WriteErrorBody(const Error& error, OutputBuffer& out);

}  // namespace hashrange
