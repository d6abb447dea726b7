// The JSON report: every figure that was derived from one or several measurements. The measurement
// itself has a document of its own (measure/measurement_json.h). A pure function; any thread.
#pragma once

#include <span>

#include "measure/report/report_input.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes {"measurements": […], "compared": […]}. A measurement has its headline, patterns, tables
// and indexes, month, first limits, findings, rules that were not assessed, and assumptions.
// "compared" has each pattern's price in each measurement, null where the pattern is missing; it is
// empty for one measurement. Precondition: there is at least one input, and no figure of it is
// infinite or no number, except that a first limit may be infinite: it is then left out.
void WriteReportJson(std::span<const ReportInput> inputs, JsonWriter& writer);

}  // namespace hashrange
