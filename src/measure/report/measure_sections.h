// What the sections of a measurement's report show. Functions of a page return what is below its
// section's heading, or nothing where there is nothing to show; functions of a terminal return a
// part of its one screen. Tables that both show are made once. Pure functions.
#pragma once

#include <span>
#include <string>

#include "measure/report/report_figures.h"
#include "measure/report/report_section.h"

namespace hashrange {

using ReportViews = std::span<const ReportView>;

// headline_section.cc. With several measurements, the page's header compares them.
ReportParts HeaderOfPage(ReportViews views);
ReportParts TerminalHeadline(const ReportView& view);
ReportTable ComparedHeadline(ReportViews views, ShownIn medium);

// Returns a table without rows whose columns are the measurements.
ReportTable TableOfViews(ReportViews views, const std::string& first_column,
                         const std::string& caption);

// cost_section.cc. The first two compare when there are several measurements.
ReportParts CostByPattern(ReportViews views);
ReportParts UnitsOfCalls(ReportViews views);
ReportTable PatternTable(const ReportView& view);
ReportTable ResourceTable(const ReportView& view);
ReportTable ComparedPatternTable(ReportViews views);

// These show one measurement. With several, their captions name it.
ReportParts FindingParts(ReportViews views);     // finding_section.cc
ReportParts AssumptionParts(ReportViews views);  // finding_section.cc
ReportParts TrafficParts(ReportViews views);     // time_section.cc
ReportParts HeatParts(ReportViews views);        // time_section.cc
ReportParts KeyParts(ReportViews views);         // key_section.cc
std::string KeyIntro(ReportViews views);         // key_section.cc; there is a view
ReportParts CollectionParts(ReportViews views);  // stored_section.cc
ReportParts EntityParts(ReportViews views);      // stored_section.cc

// Of a terminal.
ReportParts TerminalFindings(const ReportInput& input);  // finding_section.cc
ReportParts TerminalGaps(const ReportInput& input);      // finding_section.cc
ReportParts TerminalCallers(const ReportView& view);     // time_section.cc

}  // namespace hashrange
