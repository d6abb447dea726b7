// The JSON of fault rules: the body of POST faults, and rules in answers. Pure functions; any
// thread.
#pragma once

#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "simulation/fault_rule.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// Reads {"seed"?,"rules":[{"name"?,"match":{…},"do":{…}},…]}. The seed of each rule is made of the
// given seed (0 without one) and the rule's place in the list. Where all accounts share one set of
// tables, an account in a match is ignored.
// Errors: ValidationException  for any other JSON, as a whole sentence
Result<std::vector<FaultSpec>> ReadFaultSpecs(const JsonValue& body, bool shared_tables,
                                              Arena& arena);

// Writes {"id":1,"name":"…","hits":0,"matches":0,"match":{…},"do":{…}}. A rule without a name
// has no member "name".
void WriteFaultRule(const FaultRule& rule, JsonWriter& writer);

}  // namespace hashrange
