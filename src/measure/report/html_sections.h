// The sections of the HTML report. Each writes what is below its section's heading
// (html_report.cc), or nothing where there is nothing to show. Pure functions of their input.
#pragma once

#include <span>
#include <vector>

#include "measure/report/html_page.h"
#include "measure/report/html_writer.h"
#include "measure/report/report_figures.h"

namespace hashrange {

// The first two compare when there are several measurements.
void WriteHeadline(std::span<const ReportView> views, HtmlWriter& html);
void WriteCostByPattern(std::span<const ReportView> views, HtmlWriter& html);
void WriteUnitsOfCalls(std::span<const ReportView> views, HtmlWriter& html);

// These show one measurement. With several, their headings name it.
void WriteFindings(std::span<const ReportView> views, HtmlWriter& html);
void WriteTraffic(std::span<const ReportView> views, HtmlWriter& html);
void WriteHeat(std::span<const ReportView> views, HtmlWriter& html);
void WritePartitions(std::span<const ReportView> views, HtmlWriter& html);
void WriteHottestKeys(std::span<const ReportView> views, HtmlWriter& html);
void WriteCollections(std::span<const ReportView> views, HtmlWriter& html);
void WriteEntities(std::span<const ReportView> views, HtmlWriter& html);
void WriteAssumptions(std::span<const ReportView> views, HtmlWriter& html);

// Returns all sections but the headline, as the page of a report has them. The views have to
// outlive what is returned.
std::vector<PageSection> ReportSections(std::span<const ReportView> views);

// Returns whether any of the measurements has modelled partitions.
bool HasPartitions(std::span<const ReportView> views);

// Writes the name of a measurement above its part of a section, if there are several.
void WriteViewTitle(std::span<const ReportView> views, const ReportView& view, HtmlWriter& html);

// Returns the caption with the name of the measurement, if there are several.
std::string CaptionOf(std::span<const ReportView> views, const ReportView& view,
                      const std::string& caption);

}  // namespace hashrange
