// What the reports show of the calls that a lab made at an endpoint, beside the modelled run. Pure
// functions; any thread.
#pragma once

#include <vector>

#include "lab/report/lab_sections.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns what the section of a page shows: tables and sentences of each layout that was run at the
// endpoint. Precondition: there is an endpoint.
ReportParts EndpointParts(const LabView& view);

// Returns the same for a terminal, a section for each layout; without an endpoint, none.
std::vector<ReportSection> TerminalEndpoint(const LabView& view);

// Writes the member "endpoint"; nothing where the calls were made nowhere else.
void WriteEndpointMember(const LabFile& file, const LabResult& result, JsonWriter& writer);

}  // namespace hashrange
