// How a measurement becomes a model, by the templates of its keys: entities that only look
// different are merged, the entities get their names and attributes (measured_model.cc), and the
// calls become access patterns. Used by one thread.
#pragma once

#include <string>
#include <vector>

#include "lab/import/imported_model.h"
#include "measure/measurement.h"

namespace hashrange {

// Few items show less than many: a text that is a value, as in "READER#alice" and "READER#bob",
// looks like a constant where there are only some of them. Finds entities whose items have the same
// type and nearly the same attributes, and whose keys differ only behind a literal; makes
// placeholders of what differs, there and in all keys with the same beginning; and merges such
// entities, and the patterns that ask for the same thing then.
void MergeAlikeEntities(Measurement& measurement);

// An entity of the measurement and its name in the model.
struct MeasuredEntity {
  const EntityMeasure* measured = nullptr;
  std::string name = {};
};

// Adds the patterns to the model, which has the entities. Their rates are the calls in a second of
// the measurement.
void AddMeasuredPatterns(const Measurement& measurement,
                         const std::vector<MeasuredEntity>& entities, ImportedModel& model);

}  // namespace hashrange
