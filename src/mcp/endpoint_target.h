// EndpointTarget: the tables of an endpoint: a running Hashrange, whose control API is called, too;
// or DynamoDB and what is compatible with it. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/agent_target.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/service_client.h"

namespace hashrange {

struct AgentEndpointOptions {
  std::string url = {};
  std::string profile = {};  // of the keys that sign; empty: the usual one
  std::string account = {};  // of Hashrange, 12 digits, in place of keys; empty: not given
  std::string region = {};   // empty: that of the URL or of the profile, else us-east-1
  std::string token = {};    // of the control API; empty: none
  // The token that this machine usually uses, in place of `token`. It is sent to this machine only,
  // as it would go in plain text. Empty: none.
  std::string usual_token = {};
};

class EndpointTarget : public AgentTarget {
 public:
  // Returns the target; it has not connected yet.
  // Errors: ValidationException  the URL is none, there are no keys for AWS, or an account was
  // given
  //         for AWS, where the keys decide
  static Result<std::unique_ptr<EndpointTarget>> Open(const AgentEndpointOptions& options);

  std::string Description() const override;
  std::string Account() const override { return account_; }
  std::string Region() const override { return region_; }
  Answer Call(std::string_view operation, std::string_view json) override;
  Result<std::string> Control(std::string_view method, std::string_view path,
                              std::string_view json) override;

 private:
  EndpointTarget() = default;
  // Errors: InternalServerError  the endpoint is not Hashrange, or cannot be reached
  Status CheckIsHashrange();
  Error NotHashrange() const;

  EndpointUrl url_;
  std::string account_;
  std::string region_;
  std::string token_;
  std::unique_ptr<CredentialSource> credentials_;
  std::unique_ptr<ServiceClient> client_;
  std::atomic<bool> is_hashrange_{false};  // it was asked
};

}  // namespace hashrange
