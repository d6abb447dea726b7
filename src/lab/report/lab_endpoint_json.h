// The JSON of what a lab's calls did at an endpoint. Pure functions; any thread.
#pragma once

#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes the member "endpoint"; nothing where the calls were made nowhere else.
void WriteEndpointMember(const LabFile& file, const LabResult& result, JsonWriter& writer);

}  // namespace hashrange
