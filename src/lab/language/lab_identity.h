// What identifies an instance of an entity. Pure functions; any thread.
#pragma once

#include <vector>

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns whether the attributes say which instance of the entity it is: they contain its identity,
// or make it known: a template that has it, an attribute that a pattern creates as `unique`. Of an
// entity that has a single instance, nothing has to be known.
bool IdentifiesInstance(const LabFile& file, int entity, const std::vector<LabAttributeRef>& known);

}  // namespace hashrange
