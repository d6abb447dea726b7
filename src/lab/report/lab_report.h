// Reports of a lab: its layouts side by side, in text for a terminal, as one HTML page, as JSON,
// and as a list of the limits that do not hold. Pure functions of the result; any thread.
#pragma once

#include <string>
#include <vector>

#include "lab/forecast/forecast_curve.h"
#include "lab/language/lab_file.h"
#include "lab/run/explanation.h"
#include "lab/run/lab_result.h"
#include "measure/report/terminal_text.h"
#include "wire/json_writer.h"

namespace hashrange {

// One screen: for each layout the month, the units of each pattern, the first limit, throttles,
// storage, the largest collection, the worst findings, and differences from the first layout.
std::string LabTextReport(const LabFile& file, const LabResult& result, const TextReportForm& form);

// The same and all of the measurements' sections, as one page without script or network.
std::string LabHtmlReport(const LabFile& file, const LabResult& result);

// Every figure. The same result gives the same bytes.
void WriteLabJson(const LabFile& file, const LabResult& result, JsonWriter& writer);

// What exceeds the file's limits, a sentence each; empty: all hold.
std::vector<std::string> LimitViolations(const LabFile& file, const LabResult& result);

// What `lab explain` prints: the layouts, and the curves behind them.
std::string ExplanationText(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                            const TextReportForm& form,
                            const std::vector<ForecastCurve>& curves = {});

// The same as data: an object for each layout, with its patterns and findings, and the curves.
void WriteExplanationJson(const LabFile& file, const std::vector<ExplainedLayout>& layouts,
                          JsonWriter& writer, const std::vector<ForecastCurve>& curves = {});

// Returns what a curve says in sentences: the cheapest layout, where another one becomes the
// cheapest, where a headroom becomes small, and which layouts and numbers it lacks.
std::vector<std::string> CurveSentences(const ForecastCurve& curve);

// What is printed of curves behind an explanation.
std::string CurvesText(const std::vector<ForecastCurve>& curves, const TextReportForm& form);

}  // namespace hashrange
