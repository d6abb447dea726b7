// The text report: what matters of a measurement on one screen of a terminal. A pure function; any
// thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "measure/report/report_input.h"

namespace hashrange {

struct TextReportForm {
  std::size_t columns = 100;  // of the terminal; at least 80 are used
  bool has_colour = false;    // with the escape sequences of ANSI terminals
};

// Returns lines of at most `columns` columns, about 40 of them for one measurement: the headline,
// the patterns that cost most, tables and indexes, the first limit, the hottest partitions where
// they were modelled, the worst findings, and what was not measured. Several measurements stand
// side by side, with the differences of each from the first. Texts of the traffic cannot steer the
// terminal (readable_text.h). Precondition: there is at least one input.
std::string TextReport(std::span<const ReportInput> inputs, const TextReportForm& form);

}  // namespace hashrange
