// The calls of the control API that several tools make. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/agent_target.h"
#include "measure/measurement.h"
#include "wire/json_writer.h"

namespace hashrange {

// Write "account" of the target, or its "account" and "region", as members of an object.
void WriteAccount(const AgentTarget& target, JsonWriter& writer);
void WriteOwner(const AgentTarget& target, JsonWriter& writer);

// Returns the path of a thing with a name, such as "measurements/my%20run".
std::string NamedPath(std::string_view calls, std::string_view name);

// Whether a tool may use what belongs to all accounts.
enum class OfAllAccounts { kAllowed, kRefused };
// Checks that what has the name, in the list that GET answers, is not another account's. `list` is
// "snapshots" or "measurements", `noun` "snapshot" or "measurement".
// Errors: ValidationException  it is another account's; also as AgentTarget::Control has them
Status CheckOwner(AgentTarget& target, std::string_view list, std::string_view noun,
                  std::string_view name, OfAllAccounts shared);

// Begins a measurement of these tables; empty: all tables of the target's account.
// Errors: as AgentTarget::Control has them
Status BeginMeasurement(AgentTarget& target, std::string_view name,
                        const std::vector<std::string>& tables);

// Returns the JSON of a measurement that runs; with `ends`, it is ended.
// Errors: as AgentTarget::Control has them
Result<std::string> FetchMeasurement(AgentTarget& target, std::string_view name, bool ends);

// Returns the measurement in the JSON.
// Errors: ValidationException  it is none
Result<Measurement> ParseMeasurement(std::string json);

}  // namespace hashrange
