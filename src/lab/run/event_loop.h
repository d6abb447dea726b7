// EventLoop: runs the traffic of one layout on simulated time: takes the earliest event, and lets
// the call runner deal with it. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/language/lab_file.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/call_runner.h"
#include "lab/run/lab_result.h"
#include "lab/run/layout_database.h"
#include "lab/run/request_sender.h"
#include "lab/run/requests_file.h"
#include "lab/run/traffic_arrivals.h"

namespace hashrange {

class EventLoop {
 public:
  // All outlive the object. `patterns` has the weights of all patterns of the file, and gets the
  // counts. `log`, `stop` and `owners` may be null.
  struct Parts {
    LayoutDatabase& database;
    const LabFile& file;
    const LayoutPlan& plan;
    Population& population;
    std::vector<PatternRun>& patterns;
    RequestsFile* log = nullptr;
    const std::atomic<bool>* stop = nullptr;
    ItemOwners* owners = nullptr;
  };
  EventLoop(const Parts& parts, const LabTraffic& traffic);

  // Runs what happens before that time, and returns whether that was finished. Run goes on from
  // there. Errors: as Run.
  Result<bool> RunUntil(std::int64_t time_us, const std::function<void(double)>& progress);
  // Runs all calls that arrive, to their ends, and returns whether that was finished: false, when
  // `stop` has become true. `progress` is called now and then with the share that is done.
  // Errors: ValidationException  the engine refuses a request of `serve:` as invalid
  Result<bool> Run(const std::function<void(double)>& progress);

  std::int64_t simulated_ms() const;

 private:
  void PassMinute(const LabEvent& event);
  void Process(const LabEvent& event);

  const Parts parts_;
  EventQueue events_ = {};
  TrafficArrivals arrivals_;
  DatabaseSender sender_;
  CallRunner runner_;
  std::int64_t now_us_ = 0;
};

}  // namespace hashrange
