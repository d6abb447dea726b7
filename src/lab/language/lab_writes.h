// What a pattern writes: `create`, `update`, `delete`, and the writes of `also`. Used by one
// thread.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/language/node_reader.h"

namespace hashrange {

// What a caller knows: `by: [customer_id, {status: OPEN}]`.
struct LabKnown {
  std::vector<LabAttributeRef> attributes = {};
  std::vector<LabCondition> constants = {};
};
LabKnown ReadBy(const LabNode& node, int entity, LabReading& reading);

// Reads the members of `map` that say what is written, into `pattern.writes`: that of the pattern
// itself and those of `also`. `kind` and `entity` are those of the pattern's verb.
void ReadWrites(NodeReader& map, LabWrite::Kind kind, int entity, LabPattern& pattern);

}  // namespace hashrange
