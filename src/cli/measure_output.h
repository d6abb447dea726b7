// What the commands of `hashrange ctl measure` and of `hashrange lab` print. Used by one thread.
//
// Errors of all that give a Status: InternalServerError  stdout cannot be written to
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/ctl_answer.h"
#include "cli/measure_commands.h"
#include "measure/report/measure_report.h"

namespace hashrange {

// Prints a server's answer.
Status PrintReply(const HttpReply& reply, CtlOutput output);

Status PrintText(std::string text);

// Prints compact JSON; on a terminal it is indented.
Status PrintJson(std::string_view json);

// Returns the form of text reports for stdout, which may be a terminal or not.
TextReportForm StdoutReportForm();

// Writes a report of one or several measurements as the line asks for it: text, which begins with
// `introduction`, or JSON to stdout, or HTML into a file.
// Errors: ValidationException   the line asks for HTML and JSON, or the file cannot be opened
//         InternalServerError   the file cannot be written to
Status WriteReports(const std::vector<ReportInput>& inputs, const MeasureLine& line,
                    const std::string& introduction = {});

}  // namespace hashrange
