// `hashrange ctl measure what-if`: a measurement as it is beside itself as it would be with another
// design. Used by one thread.
#pragma once

#include "base/result.h"
#include "cli/measure_commands.h"

namespace hashrange {

// Applies the changes of the line, one after the other, and writes a report of the measurement as
// it is and as it would be, which says that the latter is modelled. Returns the exit code, 0.
// Errors: ValidationException  the line has no change, or a change that cannot be read or does not
//                              fit the measurement; the sentence says what is allowed
//         as ReportMeasures
Result<int> ReportWhatIf(const MeasureLine& line);

}  // namespace hashrange
