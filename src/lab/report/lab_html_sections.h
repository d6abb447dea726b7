// The sections of a lab's page that compare its layouts. Each writes what is below its heading
// (lab_html.cc), or nothing where there is nothing to show. Pure functions of their input.
#pragma once

#include <vector>

#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"
#include "measure/report/html_writer.h"

namespace hashrange {

// What all sections show.
struct LabPage {
  const LabFile& file;
  const LabResult& result;
  const LabFigures& figures;
  const std::vector<LabViolation>& violations;
};

void WriteLayoutsSideBySide(const LabPage& page, HtmlWriter& html);
void WriteUnitsOfPatterns(const LabPage& page, HtmlWriter& html);
void WriteCallsAtEndpoint(const LabPage& page, HtmlWriter& html);
void WriteGrowth(const LabPage& page, HtmlWriter& html);
void WriteLimitsOfLayouts(const LabPage& page, HtmlWriter& html);
void WriteTrials(const LabPage& page, HtmlWriter& html);
void WritePlans(const LabPage& page, HtmlWriter& html);
void WriteLabNotes(const LabPage& page, HtmlWriter& html);

}  // namespace hashrange
