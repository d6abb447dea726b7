// Generators: how the values of attributes come about, `{sequence: 8}`, `{choice: {OPEN: 3, PAID:
// 7}}`. Pure functions, but for what they report to `reading`.
#pragma once

#include <optional>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

struct DescribedGenerator {
  LabGenerator generator = {};
  // The type of the values. Without one, it is the type of the attribute `generator.other`, which
  // is copied.
  std::optional<LabType> type = LabType::kString;
  double present = 1;  // the share of instances that have the attribute
};

// Returns the generator of an attribute of the entity. The names of all attributes have to be
// known, their types need not.
DescribedGenerator ReadGenerator(const LabNode& node, int entity, LabReading& reading);

// Returns the generator by which a pattern sets the attribute, whose type is known. Reports one
// that gives another type.
LabGenerator ReadGeneratorFor(const LabNode& node, LabAttributeRef attribute, LabReading& reading);

// Returns "text", "number" or "true or false".
const char* LabTypeName(LabType type);

}  // namespace hashrange
