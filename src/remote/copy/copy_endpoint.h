// ApiEndpoint: where a copy reads tables from or writes them to, as something that answers calls of
// the DynamoDB API. There are two kinds:
//
//   ClientEndpoint   a service that is called over HTTP
//   SeededEndpoint   the files of a folder, in a database of this process
//
// Thread-safe.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "hashrange/database.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"
#include "remote/client/service_client.h"

namespace hashrange {

class ApiEndpoint {
 public:
  virtual ~ApiEndpoint() = default;
  // Makes one call, and waits for its answer.
  virtual ServiceReply Call(std::string_view operation, std::string json) = 0;
  // Returns how sentences name it: "https://dynamodb.eu-west-1.amazonaws.com",
  // "http://127.0.0.1:8000 (us-east-1)", "./dump".
  virtual const std::string& name() const = 0;
  // Whether its tables outlive this process, with their TableIds.
  virtual bool keeps_tables() const { return true; }
};

class ClientEndpoint : public ApiEndpoint {
 public:
  struct Options {
    EndpointUrl url;
    // Empty: the Region of the URL, of the environment or of the profile, or us-east-1.
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

// Calls a database of this process as a client calls a service.
ServiceReply CallDatabase(Database& database, std::string_view operation, std::string_view json);

// The tables of a folder, or of a file, as an endpoint. They are loaded into a
// database of this process as `serve --seed` loads them, so that a copy reads every form of seeds
// (control/files/seed_plan.h). They are in memory as long as the object lives.
class SeededEndpoint : public ApiEndpoint {
 public:
  // Loads the folder, or the file.
  // Errors: ValidationException  the sentence of the seed: a file is missing or wrong
  static Result<std::unique_ptr<SeededEndpoint>> Load(const std::filesystem::path& path);

  ServiceReply Call(std::string_view operation, std::string json) override;
  const std::string& name() const override { return name_; }
  bool keeps_tables() const override { return false; }

 private:
  explicit SeededEndpoint(std::string name);

  const std::string name_;
  Database database_;
};

}  // namespace hashrange
