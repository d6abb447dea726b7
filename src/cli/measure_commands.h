// What the commands of `hashrange ctl measure` do. Three of them are calls to a server; the others
// read measurements from a server or from files, and compute and print their results themselves.
// Used by one thread; all of them print to stdout.
//
// Each returns the exit code of the program: 1 when a comparison or a check finds something,
// otherwise 0.
// Errors: ValidationException  the command line is wrong, or a file cannot be read or written, or
//         is not what it should be: the exit code is 2
//         InternalServerError  there is no server, it refuses, or the result cannot be written: the
//         exit code is 1
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
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

// Prints the built-in price list as JSON.
Result<int> PrintPrices(const MeasureLine& line);

}  // namespace hashrange
