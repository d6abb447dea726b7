// Binds requests to their operations' shapes; and the texts that many of the combined messages
// share.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

#include "wire/binder.h"
#include "wire/parsed.h"

namespace hashrange::test {

// Returns the error message of binding a request to the shape of its operation, or "ok".
inline std::string BindMessage(std::string_view operation, const std::string& body) {
  Parsed json(body);
  const Status status = BindRequest(*FindOperationShape(operation), *json);
  if (status.ok()) return "ok";
  EXPECT_EQ(status.error().code, ErrorCode::kValidationException) << body;
  return status.error().message;
}

struct BoundCase {
  const char* operation;
  std::string body;
  std::string message;
};

inline void ExpectAll(std::span<const BoundCase> cases) {
  for (const BoundCase& c : cases) EXPECT_EQ(BindMessage(c.operation, c.body), c.message) << c.body;
}

inline const std::string kOne = "1 validation error detected: ";
inline const std::string kTwo = "2 validation errors detected: ";
inline const std::string kFailed = " failed to satisfy constraint: ";
inline const std::string kBadCapacity =
    "Value 'INVALID' at 'returnConsumedCapacity'" + kFailed +
    "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
inline const std::string kBadMetrics = "Value 'INVALID' at 'returnItemCollectionMetrics'" +
                                       kFailed + "Member must satisfy enum value set: [SIZE, NONE]";
inline const std::string kBadReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, "
    "ALL_NEW, UPDATE_NEW, NONE]";
inline const std::string kBadOperator =
    "Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]";
inline const std::string kEmptyTableName =
    kOne + "Value at 'TableName'" + kFailed + "Member must have length greater than or equal to 1";
inline const std::string kNameKeys =
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member "
    "must have length greater than or equal to 3, Member must satisfy regular expression pattern: "
    "[a-zA-Z0-9_.-]+]";
inline const std::string kPattern =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

}  // namespace hashrange::test
