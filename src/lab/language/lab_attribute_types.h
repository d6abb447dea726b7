// The types of attributes that copy other attributes, and the order in which values come about.
// Used by one thread.
#pragma once

#include <vector>

#include "lab/language/lab_file.h"
#include "lab/language/lab_reading.h"

namespace hashrange {

// Returns the attributes that the generator takes its value from.
std::vector<LabAttributeRef> SourcesOf(const LabGenerator& generator, int entity);

// Sets the types of attributes that copy others, and checks the forms of their templates. Reports
// values that would depend on themselves, and generators whose sources are of the wrong kind. All
// entities were read.
void ResolveAttributeTypes(LabReading& reading);

}  // namespace hashrange
