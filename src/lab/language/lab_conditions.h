// Conditions, `{status: OPEN, stock: {at_least: 1}}`. Pure functions, but for what they report to
// `reading`.
#pragma once

#include <string>
#include <vector>

#include "lab/language/lab_document.h"
#include "lab/language/lab_file.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns a value as the attribute writes it. Reports one that the attribute cannot have: a text
// for a number, something else than true and false for a flag.
std::string ReadValueOf(const LabNode& node, LabAttributeRef attribute, LabReading& reading);

// Returns the conditions about attributes that an item of the entity stores.
std::vector<LabCondition> ReadConditions(const LabNode& node, int entity, std::string_view what,
                                         LabReading& reading);

// Appends the conditions that the map's member about one attribute has.
void AppendConditions(const LabNode& value, LabAttributeRef attribute, LabReading& reading,
                      std::vector<LabCondition>& conditions);

}  // namespace hashrange
