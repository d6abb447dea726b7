// What the calls of a lab did at an endpoint, beside the modelled run, as tables and sentences that
// text and HTML share. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/run/lab_result.h"
#include "measure/report/html_figure.h"

namespace hashrange {

// One layout at the endpoint.
struct LabEndpointTables {
  std::string layout = {};
  // How many calls, how fast, how long they took; units, modelled and at the endpoint; throttles
  // and failures. None where no call was made.
  std::vector<FigureTable> tables = {};
  std::vector<std::string> sentences = {};  // what else the reader has to know
};

// Returns the tables of each layout that was run at the endpoint; without an endpoint, none.
std::vector<LabEndpointTables> EndpointTablesOf(const LabFile& file, const LabResult& result);

// Returns where and how the calls were made: "At http://127.0.0.1:8000, at 10 % of the declared
// rates". Precondition: the result has an endpoint.
std::string EndpointTitle(const EndpointResult& endpoint);

// Returns the modelled run of the layout; null where there is none.
const LayoutRun* ModelledRunOf(const LabResult& result, const std::string& layout);

// Returns how many calls a second the pattern was to make at the endpoint.
double WantedCallsPerSecond(const LabFile& file, const EndpointResult& endpoint,
                            const EndpointLayoutRun& run, std::size_t pattern);
// Returns how many calls of the pattern ended in a second.
double EndedCallsPerSecond(const EndpointLayoutRun& run, const EndpointPatternRun& pattern);

}  // namespace hashrange
