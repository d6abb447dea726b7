// What the sections of a lab's report show. Functions of a page return what is below its section's
// heading, or nothing where there is nothing to show; functions of a terminal return a part of its
// one screen. Tables that both show are made once. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lab/report/lab_figures.h"
#include "lab/report/lab_limits.h"
#include "lab/report/lab_verdict.h"
#include "measure/cost/first_limit.h"
#include "measure/report/report_section.h"
#include "wire/json_writer.h"

namespace hashrange {

// What all sections show. The file and the result outlive it.
struct LabView {
  const LabFile& file;
  const LabResult& result;
  LabFigures figures = {};
  std::vector<LabViolation> violations = {};
  LabVerdict verdict = {};
};

LabView LabViewOf(const LabFile& file, const LabResult& result);

// Returns the page of a run: what LabHtmlReport writes.
ReportPage LabPageOf(const LabView& view);

// Returns the name of a layout, by its number, for a page: "sharded (taken)" of the one that the
// verdict takes.
std::string MarkedName(const LabView& view, std::size_t layout);

// Stands behind the figure of a month in which patterns are missing whose cost is not known.
inline constexpr std::string_view kMissingInMonth = " + ?";

// Writes what a call takes of vector indexes, on average; nothing where it takes nothing. `before`
// is what the names of the members begin with.
void WriteVectorMembers(double searched_bytes, double written_bytes, JsonWriter& writer,
                        const std::string& before = {});

// Writes the members that say what a limit is of.
void WriteLimitPlace(const LimitRow& row, JsonWriter& writer);

// Returns the name of a layout for a column or a lead of a terminal.
std::string ShortLayoutName(const std::string& layout);

// The layouts as wholes, one row for each figure. There is at least one layout.
ReportTable SideBySideTable(const LabView& view);
ReportParts SideBySideParts(const LabView& view);
// The first screen of a page: what the verdict weighs, in a table of a row for each layout, and a
// picture of the months.
ReportParts FirstScreenParts(const LabView& view);

// Units a call, by pattern and layout. In a terminal, two layouts stand side by side, if need be
// without their percentiles; the section's heading says which it has.
ReportParts UnitParts(const LabView& view);
ReportSection TerminalUnits(const LabView& view, std::size_t width);

// Units a call as the data grow; nothing where there is one scale.
ReportParts GrowthParts(const LabView& view);
ReportParts TerminalGrowth(const LabView& view);

// What is expected while numbers of the file change (curve_section.cc): a section of a terminal for
// each curve, and what a page shows below one heading.
ReportParts CurveParts(const LabView& view);
std::vector<ReportSection> TerminalCurves(const std::vector<ForecastCurve>& curves);
// Writes the member "curves" of the JSON; nothing where there are none.
void WriteCurvesMember(const std::vector<ForecastCurve>& curves, JsonWriter& writer);

// What breaks first, and whether it does.
ReportParts FirstLimitParts(const LabView& view);
ReportParts TerminalFirstLimits(const LabView& view);

// What the reports show of the calls that were made at an endpoint, beside the modelled run. A
// page has one section, with tables and sentences of each layout; EndpointParts is called only when
// there was an endpoint. A terminal has a section for each layout, and none without an endpoint.
ReportParts EndpointParts(const LabView& view);
std::vector<ReportSection> TerminalEndpoint(const LabView& view);
// Writes the member "endpoint" of the JSON; nothing where no calls were made at one.
void WriteEndpointMember(const LabFile& file, const LabResult& result, JsonWriter& writer);

}  // namespace hashrange
