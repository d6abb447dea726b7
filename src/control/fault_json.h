// Fault rules as JSON: what POST faults is sent, and how rules are answered. Pure functions; any
// thread.
#pragma once

#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "simulation/fault_rule.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

// {"seed"?,"rules":[{"name"?,"match":{…},"do":{…}},…]}. A rule's own seed is made of the given
// one (0 if none is) and its place in the list. Where all accounts share one set of tables, an
// account in a match says nothing.
// Errors: ValidationException  in a sentence: anything else
Result<std::vector<FaultSpec>> ReadFaultSpecs(const JsonValue& body, bool shared_tables,
                                              Arena& arena);

// {"id":1,"name":"…","hits":0,"matches":0,"match":{…},"do":{…}}; a name if there is one.
void WriteFaultRule(const FaultRule& rule, JsonWriter& writer);

}  // namespace hashrange
