#include "copy/seeded_endpoint.h"

#include <utility>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// Sets the error and the message of the reply by its body, {"__type":"…#Name","message":"…"}.
void ReadError(ServiceReply* reply) {
  std::string copy = reply->body;
  Arena arena;
  const auto json = ParseJson({copy.data(), copy.size()}, arena);
  if (!json.ok()) return;
  const auto text = [&json](std::string_view name) {
    const JsonValue* const value = (*json)->Find(name);
    return value && value->type == JsonValue::Type::kString ? value->string() : std::string_view();
  };
  const std::string_view type = text("__type");
  reply->error = type.substr(type.rfind('#') + 1);
  reply->message = text("message").empty() ? text("Message") : text("message");
}

}  // namespace

ServiceReply CallDatabase(Database& database, std::string_view operation, std::string_view json) {
  ServiceReply reply;
  reply.attempts = 1;
  reply.status = database.Call(operation, json, reply.body);
  if (!reply.ok()) ReadError(&reply);
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
