// Binds requests to their operations' shapes; and the texts that many of the combined messages
// share.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
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

// Returns "2 validation errors detected: …; …".
inline std::string Errors(std::initializer_list<std::string> errors) {
  std::string text = std::to_string(errors.size()) +
                     (errors.size() == 1 ? " validation error" : " validation errors") +
                     " detected: ";
  for (const std::string& error : errors) text += (&error == errors.begin() ? "" : "; ") + error;
  return text;
}

// The errors of one member: with its value, with its name alone, and of a member that is absent.
inline const std::string kFailed = " failed to satisfy constraint: ";
inline std::string Refused(std::string_view value, std::string_view path,
                           const std::string& constraint) {
  return "Value '" + std::string(value) + "' at '" + std::string(path) + "'" + kFailed + constraint;
}
inline std::string RefusedAt(const std::string& path, const std::string& constraint) {
  return "Value at '" + path + "'" + kFailed + constraint;
}
inline std::string Absent(const std::string& path) {
  return "Value null at '" + path + "'" + kFailed + "Member must not be null";
}

// The constraints. Those of lengths end with Long.
inline std::string AtLeastLong(int least) {
  return "Member must have length greater than or equal to " + std::to_string(least);
}
inline std::string AtMostLong(int most) {
  return "Member must have length less than or equal to " + std::to_string(most);
}
inline std::string AtLeast(int least) {
  return "Member must have value greater than or equal to " + std::to_string(least);
}
inline std::string AtMost(int most) {
  return "Member must have value less than or equal to " + std::to_string(most);
}
inline std::string OneOf(const std::string& values) {
  return "Member must satisfy enum value set: [" + values + "]";
}
inline const std::string kPattern =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
inline const std::string kNameKeys = "Map keys must satisfy constraint: [" + AtMostLong(255) +
                                     ", " + AtLeastLong(3) + ", " + kPattern + "]";

inline const std::string kBadCapacity =
    Refused("INVALID", "returnConsumedCapacity", OneOf("INDEXES, TOTAL, NONE"));
inline const std::string kBadMetrics =
    Refused("INVALID", "returnItemCollectionMetrics", OneOf("SIZE, NONE"));
inline const std::string kBadReturnValues =
    "Failed to satisfy constraint: " + OneOf("ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE");
inline const std::string kBadOperator = "Failed to satisfy constraint: " + OneOf("ALL, OR");
inline const std::string kEmptyTableName = Errors({RefusedAt("TableName", AtLeastLong(1))});

}  // namespace hashrange::test
