// What a write gives to attributes: `set`, `add` and `remove`. Used by one thread.
#pragma once

#include "lab/language/lab_file.h"
#include "lab/language/node_reader.h"

namespace hashrange {

// Read the members of `map` into `write.changes`. `scope` is the entity whose attributes an amount
// may name, as in `add: {stock: "-{quantity}"}`.
void ReadSet(NodeReader& map, LabWrite& write);
void ReadAddAndRemove(NodeReader& map, int scope, LabWrite& write);

// Completes `write.changes`: an attribute that is a template changes with what it is made of,
// unless the write gives it a value of its own. What is set to a template stands behind what the
// template is made of, so that it can be made of the new values.
void AddFollowingTemplates(const LabFile& file, LabWrite& write);

}  // namespace hashrange
