// PatternRun: what the calls of one pattern did in one layout. Plain data.
#pragma once

#include <cstdint>
#include <string>

#include "measure/distribution.h"

namespace hashrange {

// A call is what the application asks once; it may
// take several requests: shards, pages, look-ups, fetches, retries.
struct PatternRun {
  std::string name = {};
  double declared_calls_per_second = 0;
  // One of `weight` calls was made, because the pattern reads so much that all of its calls would
  // take too long (LabRunOptions::thin, times what a Scan made necessary). Counts are of those
  // made.
  double weight = 1;
  std::uint64_t calls = 0;
  std::uint64_t failed = 0;      // given up after the client's attempts
  std::uint64_t conditions = 0;  // ended by a condition that did not hold
  std::uint64_t skipped = 0;     // arrivals for which no instance could be picked
  std::uint64_t requests = 0;    // retries included
  std::uint64_t throttled = 0;   // of these
  std::uint64_t broken = 0;      // of these: not answered, or by a failure of the server
  std::uint64_t refused = 0;     // of these: answered by an error that is no condition's
  std::uint64_t items = 0;       // returned, filters applied
  // The first answer that was an error, but neither a throttle nor a condition that did not hold;
  // calls that got such an answer count as failed. Empty: there was none.
  std::string error = {};
  Distribution read_units = {};  // of a call that succeeded, all of its requests together
  Distribution write_units = {};
  // Of the calls that failed: of the requests that succeeded before, and of parts of batches.
  double failed_read_units = 0;
  double failed_write_units = 0;
};

}  // namespace hashrange
