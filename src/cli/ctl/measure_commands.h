// `hashrange ctl measure`: the commands of measurements, with their options and what they do. Three
// of them are calls to a server; the others read measurements from a server or from files, and
// compute and print their results themselves. Used by one thread; all of them print to stdout.
//
// Each function of a command returns the exit code of the program: 1 when a comparison or a check
// finds something, otherwise 0.
// Errors: ValidationException  the command line is wrong, or a file cannot be read or written, or
//         is not what it should be: the exit code is 2
//         InternalServerError  there is no server, it refuses, or the result cannot be written: the
//         exit code is 1
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options/command_row.h"
#include "measure/report/report_input.h"
#include "remote/client/http_call.h"

namespace hashrange {

// The command line of `hashrange ctl measure`. Each command uses some of the members.
struct MeasureLine {
  HttpCall server = {};  // a call without a method and a target
  bool asks_for_json = false;

  std::string name = {};  // of the measurement that is started or stopped
  std::optional<std::string> account = {};
  std::optional<std::string> region = {};
  std::vector<std::string> tables = {};  // empty: all tables
  std::optional<std::string> separators = {};
  std::optional<std::string> window = {};
  std::optional<std::string> type_attribute = {};

  std::vector<std::string> measurements = {};     // names or files; at least one
  std::vector<std::string> dropped_indexes = {};  // of what-if: TABLE/INDEX
  std::vector<std::string> projections = {};      // TABLE/INDEX=KEYS_ONLY|INCLUDE:a,b
  std::vector<std::string> billings = {};         // TABLE=PROVISIONED|PAY_PER_REQUEST
  std::string against = {};                       // a file
  std::string budgets = {};                       // a file
  std::string options = {};                       // a file; empty: the usual options
  std::string output = {};                        // a file; empty: stdout
};

// Returns `measure` with its commands, whose options set `line`.
CommandRow MeasureRow(MeasureLine& line);

// Runs the command of that name, "report". Returns the exit code of the program; after an error
// there is a line on stderr. A command that gives a verdict gives none after an error: kUsageError.
int RunMeasure(std::string_view command, const MeasureLine& line);

// Begins a measurement.
Result<int> StartMeasure(const MeasureLine& line);

// Lists the measurements that run.
Result<int> ListMeasures(const MeasureLine& line);

// Ends a measurement and writes it as JSON. A file that cannot be opened leaves it running.
Result<int> StopMeasure(const MeasureLine& line);

// Prints a measurement as JSON.
Result<int> ShowMeasure(const MeasureLine& line);

// Writes a report of the measurements: text, JSON, or HTML into a file.
Result<int> ReportMeasures(const MeasureLine& line);

// Prints what got worse than in the measurement `against`.
Result<int> CompareMeasures(const MeasureLine& line);

// Prints what exceeds the budgets.
Result<int> CheckMeasure(const MeasureLine& line);

// Writes a report of the measurement as it is beside itself as it would be with the changes of the
// line, which are applied one after the other; the report says that these are modelled.
// Errors: ValidationException  the line has no change, or a change that cannot be read or does not
//         fit the measurement; the sentence says what is allowed
Result<int> ReportWhatIf(const MeasureLine& line);

// Prints the built-in price list as JSON.
Result<int> PrintPrices(const MeasureLine& line);

// Writes a report of one or several measurements as the line asks for it: text, which begins with
// `introduction`, or JSON to stdout, or HTML into a file.
// Errors: ValidationException  the line asks for HTML and JSON, or the file cannot be opened
//         InternalServerError  the file or stdout cannot be written to
Status WriteReports(const std::vector<ReportInput>& inputs, const MeasureLine& line,
                    const std::string& introduction = {});

}  // namespace hashrange
