// Reports of assessments (measure/cost/assessment.h): what a report shows is taken from them. Pure
// functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/cost/assessment.h"
#include "measure/report/report_input.h"

namespace hashrange {

// Returns what the reports show of an assessment.
ReportInput MakeReportInput(const Assessment& assessment);
std::vector<ReportInput> MakeReportInputs(std::span<const Assessment> assessments);

}  // namespace hashrange
