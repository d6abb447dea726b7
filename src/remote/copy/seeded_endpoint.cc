#include "remote/copy/seeded_endpoint.h"

#include <utility>

#include "remote/client/service_request.h"

namespace hashrange {

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
