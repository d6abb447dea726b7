// SegmentScan reads one segment of a table, page by page, with strong consistency. Where the read
// units of a second are limited, the pages are kept so small that one page of each segment takes
// about a second's units in all.
#pragma once

#include <functional>
#include <string>

#include "absl/functional/function_ref.h"
#include "base/result.h"
#include "remote/copy/patient_call.h"
#include "remote/copy/scanned_items.h"
#include "remote/copy/unit_meter.h"

namespace hashrange {

struct SegmentScan {
  const PatientCaller& caller;
  UnitMeter& meter;
  double usd_a_unit = 0;
  std::string table = {};
  int segment = 0;
  int segments = 1;
  std::string next_key = {};  // where the scan begins; empty: at the beginning
  double most_items = 0;      // of a page, about; 0: as many as the endpoint gives
};

// Takes the items of a page. An empty `next_key` in them: it was the last page.
using TakePage = absl::FunctionRef<Status(const ScannedItems&)>;

// Reads until the end of the segment.
// Errors: those of the calls, of the meter and of `take`
Status ScanSegment(const SegmentScan& scan, TakePage take);

// Calls `job` for each segment, on as many threads. When one fails, `stop` makes the others stop.
// Returns the error of the one that failed first.
Status RunSegments(std::size_t segments, CopyStop& stop,
                   const std::function<Status(std::size_t)>& job);

}  // namespace hashrange
