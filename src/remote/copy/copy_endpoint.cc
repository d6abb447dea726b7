#include "remote/copy/copy_endpoint.h"

#include <chrono>
#include <utility>

#include "remote/client/service_client.h"
#include "remote/copy/copy_state.h"

namespace hashrange {
namespace {

// Returns the name for sentences. The Region is in the names of AWS's hosts; elsewhere it decides,
// too, which tables there are.
std::string NameOfEndpoint(const EndpointUrl& url, const std::string& region) {
  const std::string text = url.Text();
  return RegionOfEndpoint(url) == region ? text : text + " (" + region + ")";
}

}  // namespace

Result<std::unique_ptr<ClientEndpoint>> ClientEndpoint::Open(const Options& options) {
  HR_ASSIGN(
      std::unique_ptr<CredentialSource> credentials,
      FindCredentials({.profile = options.profile, .may_invent = !IsAwsEndpoint(options.url)}));
  const std::string region = ChooseRegion(options.region, options.url, options.profile);
  std::unique_ptr<ClientEndpoint> endpoint(new ClientEndpoint(
      std::move(credentials), NameOfEndpoint(options.url, region), options.stop));
  HR_ASSIGN(endpoint->client_, ServiceClient::Open({.endpoint = options.url,
                                                    .region = region,
                                                    .credentials = endpoint->credentials_.get(),
                                                    .max_connections = kMostSegments,
                                                    .base_delay = std::chrono::milliseconds(50),
                                                    .ca_file = options.ca_file}));
  return endpoint;
}

ServiceReply ClientEndpoint::Call(std::string_view operation, std::string json) {
  return client_->Call(operation, std::move(json), stop_);
}

ServiceReply CallDatabase(Database& database, std::string_view operation, std::string_view json) {
  ServiceReply reply;
  reply.attempts = 1;
  reply.status = database.Call(operation, json, reply.body);
  if (!reply.ok()) ReadServiceError(reply);
  return reply;
}

SeededEndpoint::SeededEndpoint(std::string name)
    : name_(std::move(name)), database_({.shared_tables = true, .ttl_interval_ms = 0}) {}

Result<std::unique_ptr<SeededEndpoint>> SeededEndpoint::Load(const std::filesystem::path& path) {
  std::unique_ptr<SeededEndpoint> endpoint(new SeededEndpoint(path.string()));
  std::string error;
  if (!endpoint->database_.Seed(path.string(), &error)) return ValidationError(std::move(error));
  return endpoint;
}

ServiceReply SeededEndpoint::Call(std::string_view operation, std::string json) {
  return CallDatabase(database_, operation, json);
}

}  // namespace hashrange
