// The tree of a lab file as JSON, typed by the schema: a scalar without quotes becomes a number,
// true or false only where the schema allows that type. On the way, the traps of YAML are found.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_source.h"
#include "wire/json.h"

namespace hashrange {

struct LabNodeJson {
  std::string json = {};
  // The first place where YAML gives something else than what was surely meant.
  std::optional<LabFault> trap = {};
  // Texts that other readers of YAML take for something else.
  std::vector<LabFault> warnings = {};
};

// Returns the JSON of a node that stands where `schema` is. Where the node does not follow the
// schema, its JSON does not either.
LabNodeJson JsonOfLabNode(const LabNode& node, const JsonValue& schema);

}  // namespace hashrange
