// Reports of measurements: text for a terminal, one HTML page, JSON. Each shows one measurement, or
// several side by side with the differences of each from the first. Precondition of all: there is
// at least one input. Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "measure/report/report_figures.h"
#include "measure/report/report_input.h"
#include "measure/report/terminal_text.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns what matters on one screen, about 40 lines for one measurement: the headline, the
// patterns that cost most, tables and indexes, the first limit, the hottest partitions where they
// were modelled, the worst findings, and what was not measured.
std::string TextReport(std::span<const ReportInput> inputs, const TextReportForm& form);

// Returns the page (html_page.h). The same input gives the same bytes. Keys and names of the
// traffic are escaped; what is not valid UTF-8 in them is shown as U+FFFD. Cost: some 200 KB for
// each measurement, however long it was, and 500 bytes for each pattern.
std::string HtmlReport(std::span<const ReportInput> inputs);

// Returns all sections of the page, which a page of more than measurements has, too.
std::vector<ReportSection> MeasurementSections(std::span<const ReportView> views);

// Writes {"measurements": […], "compared": […]}: every figure that was derived. The measurement
// itself has a document of its own (measure/measurement_json.h). A measurement has its headline,
// patterns, tables and indexes, month, first limits, findings, rules that were not assessed, and
// assumptions. "compared" has each pattern's price in each measurement, null where the pattern is
// missing; it is empty for one measurement. Precondition: no figure is infinite or no number,
// except that a first limit may be infinite: it is then left out.
void WriteReportJson(std::span<const ReportInput> inputs, JsonWriter& writer);

}  // namespace hashrange
