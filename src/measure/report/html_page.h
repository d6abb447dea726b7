// An HTML page of a report: one file without script, network or external asset, with plots as
// inline SVG. It says the same to a reader without colours, without a mouse and without sight: each
// plot has a title, a description and, somewhere on the page, a table. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "measure/report/report_section.h"

namespace hashrange {

// Returns the page: its head and style, a list of contents, and the sections.
std::string HtmlPage(const ReportPage& page);

// The style sheet: light and dark, narrow and wide, screen and paper. Series are s0 to s5 with the
// hatchings p1 to p5; reads and writes have one colour each everywhere; heat is that colour in
// eight strengths.
extern const std::string_view kReportStyle;

// An SVG without size that holds the hatchings; it stands before the first plot.
extern const std::string_view kReportHatchings;

}  // namespace hashrange
