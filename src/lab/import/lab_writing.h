// A model as the text of a lab file. Pure functions.
#pragma once

#include "lab/import/imported_model.h"
#include "lab/import/lab_draft.h"

namespace hashrange {

// Returns the parts of the lab file, from `lab: 1` on. `model` was completed. What cannot be
// written is added to its remarks.
LabDraft WriteLabDraft(ImportedModel& model);

}  // namespace hashrange
