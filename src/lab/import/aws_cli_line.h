// A line of the AWS CLI as a request. Pure function; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

struct AwsCliRequest {
  std::string operation = {};  // "GetItem"
  std::string json = {};
};

// Returns the request of a line such as `aws dynamodb get-item --table-name app --key '{…}'`.
// Errors: ValidationException  the line is of no operation of DynamoDB, or a quote is not closed
Result<AwsCliRequest> ReadAwsCliLine(std::string_view line);

}  // namespace hashrange
