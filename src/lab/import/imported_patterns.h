// CompletePatterns completes the access patterns of a model, whose entities were arranged.
// Used by one thread.
#pragma once

#include "lab/import/imported_model.h"

namespace hashrange {

// Gives each pattern a name of its own, and takes out of it what its entity does not have, with a
// note. A model without patterns gets those that its keys serve.
void CompletePatterns(ImportedModel& model);

}  // namespace hashrange
