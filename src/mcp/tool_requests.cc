#include "mcp/tool_requests.h"

#include "base/text/text_encodings.h"
#include "measure/measurement_json.h"
#include "wire/owned_json.h"

namespace hashrange {

void WriteAccount(const AgentTarget& target, JsonWriter& writer) {
  if (const std::string account = target.Account(); !account.empty()) {
    writer.StringMember("account", account);
  }
}

void WriteOwner(const AgentTarget& target, JsonWriter& writer) {
  WriteAccount(target, writer);
  writer.StringMember("region", target.Region());
}

std::string NamedPath(std::string_view calls, std::string_view name) {
  return std::string(calls) + "/" + PercentEncoded(name);
}

Status CheckOwner(AgentTarget& target, std::string_view list, std::string_view noun,
                  std::string_view name, OfAllAccounts shared) {
  HR_ASSIGN(std::string text, target.Control("GET", list, ""));
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(std::move(text), JsonDialect::kDocument));
  for (const JsonValue& each : ListMember(json.value(), list)) {
    if (TextMember(each, "name") != name) continue;
    const std::string_view owner = TextMember(each, "account");
    if (owner == target.Account() || (owner.empty() && shared == OfAllAccounts::kAllowed)) break;
    return ValidationError("the " + std::string(noun) + " \"" + std::string(name) + "\" is of " +
                           (owner.empty() ? "all accounts" : "account " + std::string(owner)) +
                           ", and the tools work on account " + target.Account());
  }
  return {};
}

Status BeginMeasurement(AgentTarget& target, std::string_view name,
                        const std::vector<std::string>& tables) {
  const std::string body = JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("name", name);
    WriteOwner(target, writer);
    if (tables.empty()) return;
    writer.BeginArray("tables");
    for (const std::string& table : tables) writer.String(table);
    writer.EndArray();
  });
  HR_RETURN_IF_ERROR(target.Control("POST", "measurements", body));
  return {};
}

Result<std::string> FetchMeasurement(AgentTarget& target, std::string_view name, bool ends) {
  return target.Control(ends ? "DELETE" : "GET", NamedPath("measurements", name), "");
}

Result<Measurement> ParseMeasurement(std::string text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(std::move(text), JsonDialect::kStrict));
  return ReadMeasurement(json.value());
}

}  // namespace hashrange
