// ClientEndpoint: an endpoint that is called over HTTP. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/service_client.h"
#include "remote/copy/api_endpoint.h"

namespace hashrange {

class ClientEndpoint : public ApiEndpoint {
 public:
  struct Options {
    EndpointUrl url;
    // Empty: the Region of the URL, or that of the environment or the profile, or us-east-1.
    std::string region = {};
    std::string profile = {};  // empty: AWS_PROFILE or the environment's keys
    std::string ca_file = {};  // empty: the system's certificates
    // Becomes true when the user wants the copy to stop: an answer is then not waited for.
    const std::atomic<bool>* stop = nullptr;
  };
  // Errors: ValidationException  there are no credentials, or the file of certificates is wrong
  static Result<std::unique_ptr<ClientEndpoint>> Open(const Options& options);

  ServiceReply Call(std::string_view operation, std::string json) override;
  const std::string& name() const override { return name_; }

 private:
  ClientEndpoint(std::unique_ptr<CredentialSource> credentials, std::string name,
                 const std::atomic<bool>* stop)
      : credentials_(std::move(credentials)), name_(std::move(name)), stop_(stop) {}

  const std::unique_ptr<CredentialSource> credentials_;
  const std::string name_;
  const std::atomic<bool>* const stop_;
  std::unique_ptr<ServiceClient> client_;  // destroyed before the credentials
};

}  // namespace hashrange
