// An access pattern of a model as a part of a lab file. Pure function, but for the draft.
#pragma once

#include "lab/import/imported_model.h"
#include "lab/import/lab_draft.h"

namespace hashrange {

// Appends the pattern; one that cannot be expressed becomes a comment.
void WritePattern(const ImportedModel& model, const ImportedPattern& pattern, LabDraft& draft);

}  // namespace hashrange
