// The access patterns of a measurement. Used by one thread.
#pragma once

#include <string>
#include <vector>

#include "lab/import/imported_model.h"
#include "measure/measurement.h"

namespace hashrange {

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
