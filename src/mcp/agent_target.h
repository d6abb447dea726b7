// AgentTarget: the tables that the tools work on: those of a database in this process, or those of
// an endpoint. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "hashrange/database.h"

namespace hashrange {

class AgentTarget {
 public:
  virtual ~AgentTarget() = default;

  // Says what it is, for the model: "a database in this process", "http://localhost:8000".
  virtual std::string Description() const = 0;
  // The account whose tables the tools see, 12 digits; empty: it is not known.
  virtual std::string Account() const = 0;
  virtual std::string Region() const = 0;

  // Returns the answer to a call of the DynamoDB API. With status 0, the body is a sentence that
  // says why there was no answer.
  virtual Answer Call(std::string_view operation, std::string_view json) = 0;

  // Returns the body of the answer to a call of Hashrange's control API (docs/control-api.md).
  // Errors: ValidationException    the call is refused; the sentence says why
  //         InternalServerError    the endpoint is not Hashrange, cannot be reached, or fails
  virtual Result<std::string> Control(std::string_view method, std::string_view path,
                                      std::string_view json) = 0;
};

}  // namespace hashrange
