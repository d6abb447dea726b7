// The HTML report: one file without script, network or external asset, with plots as inline SVG.
// It says the same to a reader without colours, without a mouse and without sight: each plot has a
// title, a description and a table. A pure function; any thread.
#pragma once

#include <span>
#include <string>

#include "measure/report/report_input.h"

namespace hashrange {

// Returns the page for one measurement, or for several side by side, with the differences of each
// from the first. The same input gives the same bytes. Keys and names of the traffic are escaped;
// what is not valid UTF-8 in them is shown as U+FFFD.
// Precondition: there is at least one input.
// Cost: some 200 KB for each measurement, however long it was, and 500 bytes for each pattern.
std::string HtmlReport(std::span<const ReportInput> inputs);

}  // namespace hashrange
