// The JSON of an EnforcementScope: the members "account", "region" and "table" of rules about
// throughput and about partitions. Pure functions; any thread.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/result.h"
#include "control/control_json.h"
#include "simulation/enforcement_rules.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns the tables that a rule is about. Where all accounts share one set of tables, account and
// Region are ignored.
// Errors: ValidationException  "account" is no account id
Result<EnforcementScope> ReadEnforcementScope(const ControlObject& body, bool shared_tables);

// As above, of the query of a call's target.
// Errors: ValidationException  "account" is no account id, or the query has other parameters
Result<EnforcementScope> ReadEnforcementScope(std::string_view query, bool shared_tables,
                                              Arena& arena);

// Writes the members; those that mean any are left out.
void WriteEnforcementScope(const EnforcementScope& scope, JsonWriter& answer);

}  // namespace hashrange
