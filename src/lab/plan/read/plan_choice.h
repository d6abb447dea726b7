// ReadCandidate: one way in which a layout can serve a read, and what it is expected to cost. Of
// all ways the cheapest is taken. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/language/lab_file.h"
#include "lab/plan/read/asked_interval.h"
#include "lab/plan/read/read_rest.h"
#include "lab/plan/request/pattern_cost.h"
#include "lab/plan/request/pattern_plan.h"

namespace hashrange {

struct ReadCandidate {
  std::vector<AskedHost> hosts = {};
  AskedInterval interval = {};
  ReadRest rest = {};
  bool is_scan = false;
  bool beats_keys = false;  // a Scan, although keys serve as well
  bool is_get = false;      // the primary key is known: GetItem
  bool has_limit = false;   // the request has the pattern's limit
  bool fetches = false;     // what the index lacks is read from the table
  bool sorts_at_client = false;
  std::int64_t items = 0;  // after which reading ends; 0: at the end
  // Of what is fetched: only so many items, the first ones in the pattern's order; 0: all that were
  // found.
  std::int64_t fetched_items = 0;
  PatternCost cost = {};
  std::optional<PeriodWalk> walk = {};  // where periods are asked one after another
  // The share of the calls whose walk has to end before it has found enough, and before the oldest
  // of the data, or the newest.
  double unfinished = 0;
};

struct RejectedKey {
  LabKey key = {};
  ReadObstacle why = {};
};

struct ReadChoice {
  std::optional<ReadCandidate> taken = {};         // nothing: `impossible` says why
  std::vector<ReadCandidate> dearer = {};          // one for each other key that serves
  std::vector<RejectedKey> rejected = {};          // each other key
  std::optional<ReadCandidate> cheaper_scan = {};  // than `taken`, but grows with all data
  std::optional<ReadObstacle> impossible = {};
};

// Returns how items of the hosts are read together: by the key that costs least, or, where there is
// one host only, by the Scan of a table or an index that costs least, if no key serves or the Scan
// costs much less. `taken` is empty where no key holds all hosts.
ReadChoice ChooseRead(const ReadQuestion& question, const std::vector<AskedHost>& hosts);

// Finds what one call takes: of the key that is read, and of the table where items are fetched from
// it; and how many periods a walk asks (read_cost.cc).
void FindCostOfRead(const ReadQuestion& question, ReadCandidate& candidate);

// Return the steps of a read that was chosen (read_requests.cc), and the step that fetches what the
// candidate, a get, asks for by keys that are made from other items; the step lacks how they are.
std::vector<PlanStep> StepsOfRead(const ReadQuestion& question, const ReadCandidate& candidate);
PlanStep ReferredStep(const ReadQuestion& question, const ReadCandidate& candidate);

}  // namespace hashrange
