// Few items show less than many: a text that is a value, as in "READER#alice" and "READER#bob",
// looks like a constant where there are only some of them. MergeAlikeEntities finds entities whose
// items have the same type and nearly the same attributes, and whose keys differ only behind a
// literal; it makes placeholders of what differs, there and in all keys with the same beginning.
// Used by one thread.
#pragma once

#include "measure/measurement.h"

namespace hashrange {

// Merges such entities, and the patterns that ask for the same thing then.
void MergeAlikeEntities(Measurement& measurement);

}  // namespace hashrange
