// The reading of a table: ScanSegment reads one segment, page by page, with strong consistency.
// Where the read units of a second are limited, the pages are kept so small that one page of each
// segment takes about a second's units in all. The items of an answer are checked as an item of
// PutItem is: an answer of another program may hold anything.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/memory/arena.h"
#include "base/result.h"
#include "remote/copy/patient_call.h"
#include "remote/copy/unit_meter.h"
#include "value/attribute_value.h"
#include "wire/json.h"

namespace hashrange {

struct ScannedItem {
  std::span<const Attribute> attributes;  // ascending by name
  std::size_t size_bytes = 0;             // the item's size in DynamoDB
};

struct ScannedItems {
  std::vector<ScannedItem> items;  // views of the answer and of the arena
  std::string next_key;            // the LastEvaluatedKey as JSON; empty: there is no more
  double read_units = 0;           // as the endpoint reports them, or else by the items' sizes
};

// Returns the items of an answer, which is overwritten.
// Errors: InternalServerError  it is no answer of a Scan, or an item breaks a rule of DynamoDB
Result<ScannedItems> ReadScanAnswer(std::string& answer, Arena& arena);

// Returns an item of a line of a file, as {"pk":{"S":"…"},…}.
// Errors: ValidationException  it breaks a rule of DynamoDB
Result<ScannedItem> ReadCheckedItem(const JsonValue& item, Arena& arena);

// Returns the sum of CapacityUnits in a ConsumedCapacity, which is an object or a list of objects:
// at most a million, which is more than any call of the service takes;
// nullopt: the endpoint reports none.
std::optional<double> ReportedUnits(const JsonValue& answer);

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
// Errors: as the calls, the meter and `take`
Status ScanSegment(const SegmentScan& scan, TakePage take);

// Calls `job` for each segment, on as many threads. When one fails, `stop` makes the others stop.
// Returns the error of the one that failed first.
Status RunSegments(std::size_t segments, CopyStop& stop,
                   const std::function<Status(std::size_t)>& job);

}  // namespace hashrange
