// AgentTarget: the tables that the tools work on, in a database of this process or at an endpoint.
// Thread-safe.
#pragma once

#include <memory>
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

// The tables of one account and Region of a database in this process.
class DatabaseTarget : public AgentTarget {
 public:
  // `served_at`: where programs reach the same tables; empty: nowhere. The database outlives the
  // target.
  DatabaseTarget(Database& database, std::string account, std::string region,
                 std::string served_at);

  std::string Description() const override;
  std::string Account() const override { return account_; }
  std::string Region() const override { return region_; }
  Answer Call(std::string_view operation, std::string_view json) override;
  Result<std::string> Control(std::string_view method, std::string_view path,
                              std::string_view json) override;

 private:
  Database& database_;
  const std::string account_;
  const std::string region_;
  const std::string served_at_;
};

struct AgentEndpointOptions {
  std::string url = {};
  std::string profile = {};  // of the keys that sign; empty: the usual one
  std::string account = {};  // of Hashrange, 12 digits, in place of keys; empty: not given
  std::string region = {};   // empty: the one of the URL or of the profile, else us-east-1
  std::string token = {};    // of the control API; empty: none
  // The token that this machine usually uses, in place of `token`. It is sent to this machine only,
  // as it would go in plain text. Empty: none.
  std::string usual_token = {};
};

// Returns the tables of an endpoint: a running Hashrange, whose control API is called, too; or
// DynamoDB and what is compatible with it. The target has not connected yet.
// Errors: ValidationException  the URL is none, there are no keys for AWS, or an account was given
//         for AWS, where the keys decide
Result<std::unique_ptr<AgentTarget>> OpenEndpointTarget(const AgentEndpointOptions& options);

}  // namespace hashrange
