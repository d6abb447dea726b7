// EndpointSink writes the items of a table into a table of an endpoint, by BatchWriteItem: in
// batches of at most 25 items and less than 16 MB of JSON, and, where the write units of a second
// are limited, of about a second's units. Items that come back as unprocessed are sent again after
// a back-off.
#pragma once

#include <string>

#include "remote/copy/item_sink.h"
#include "remote/copy/patient_call.h"
#include "remote/copy/unit_meter.h"

namespace hashrange {

// What calls to the destination go through. All outlive the sinks.
struct EndpointSinkParts {
  const PatientCaller& caller;
  UnitMeter& writes;
  UnitMeter& reads;  // of ReadBack
  const Spending& spending;
  CopyStop& stop;
  CopyStateFile& state;
  double usd_a_write_unit = 0;
  double usd_a_read_unit = 0;
  int segments = 1;  // of ReadBack
};

class EndpointSink : public ItemSink {
 public:
  EndpointSink(const EndpointSinkParts& parts, std::string table)
      : parts_(parts), table_(std::move(table)) {}

  Status Write(const ScannedItems& items, const WrittenPage& page) override;
  Result<ItemDigest> ReadBack() override;

 private:
  // Sends `requests`, a list of PutRequests as JSON, until all of them are processed. `units` is
  // what the items take at least.
  Status Send(const std::string& requests, double units);

  const EndpointSinkParts parts_;
  const std::string table_;
};

}  // namespace hashrange
