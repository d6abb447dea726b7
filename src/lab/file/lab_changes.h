// What a write gives to attributes: `set`, `add` and `remove`. Used by one thread.
#pragma once

#include "lab/file/lab_file.h"
#include "lab/file/node_reader.h"

namespace hashrange {

// Read the members of `map` into `write.changes`. `scope` is the entity whose attributes an amount
// may name, as in `add: {stock: "-{quantity}"}`.
void ReadSet(NodeReader& map, LabWrite& write);
void ReadAddAndRemove(NodeReader& map, int scope, LabWrite& write);

}  // namespace hashrange
