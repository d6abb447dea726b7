// EndpointLoop: makes the traffic of one layout at an endpoint. A call begins at its instant,
// whether earlier ones were answered or not (open loop), and its latency is counted from that
// instant, so that nothing is left out while the endpoint is slow.
//
//   arrivals ─┐                          ┌─→ the client's thread ─→ the endpoint
//   retries ──┼─ the earliest, when due ─┘                               │
//   replies ──┴─ by when they came ←──── queue ←─────────────────────────┘
//                  └─→ the twin executes it, the call goes on
//
// The lab's thread sleeps until the next event or reply. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/endpoint/endpoint_replies.h"
#include "lab/endpoint/endpoint_twin.h"
#include "lab/endpoint/run_cost.h"
#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/call_runner.h"
#include "lab/run/lab_result.h"
#include "lab/run/request_sender.h"
#include "lab/run/traffic_arrivals.h"
#include "remote/client/service_client.h"

namespace hashrange {

class EndpointLoop final : public RequestSender {
 public:
  // All outlive the object; `stop` may be null. `run` gets the results; its patterns have names.
  struct Parts {
    ServiceClient& client;
    EndpointTwin& twin;
    const LabFile& file;
    const LayoutPlan& plan;
    Population& population;
    const LayoutRun& modelled;  // of the same layout
    SpendCount& spend;
    const EndpointLimits& limits;
    EndpointLayoutRun& run;
    const std::atomic<bool>* stop = nullptr;
  };
  EndpointLoop(const Parts& parts, const LabTraffic& traffic);

  // Makes the calls, until all of them have ended or the run is given up; `run` says why then.
  // `progress` is called now and then with the share of the time that has passed.
  void Run(const std::function<void(double)>& progress);

  std::optional<int> Send(const SentRequest& request, std::string& answer) override;
  void NoteEnd(const EndedCall& ended) override;

 private:
  // A request that is not answered.
  struct OpenRequest {
    std::uint32_t call = 0;
    std::uint32_t place = 0;
    std::size_t bytes = 0;
    bool writes = false;
    bool met_write = false;         // a write was open when the request was sent
    std::uint64_t writes_sent = 0;  // until then, itself included
  };

  std::int64_t NowUs() const;
  void Process(const LabEvent& event);
  void Arrive(const LabEvent& event);
  // Counts by how much the lab is late for the event. An event by which a call goes on is due when
  // its reply came, or a wait later.
  void NoteLateness(const LabEvent& event);
  void TakeReply(QueuedReply queued);
  // Counts what a write or a transaction costs that a condition has cancelled.
  void CountCancelled(const OpenRequest& open);
  double TakeSuccess(const OpenRequest& open, const EndpointAnswer& answer);
  // Returns whether the run is over, and says why if it was given up.
  bool IsOver();
  std::string GivenUpBecause(std::int64_t now_us) const;
  void Finish();

  const Parts parts_;
  std::vector<PatternRun> patterns_;
  EventQueue events_ = {};
  TrafficArrivals arrivals_;
  CallRunner runner_;
  std::shared_ptr<ReplyQueue> replies_ = std::make_shared<ReplyQueue>();
  Instant begin_ = {};

  std::vector<OpenRequest> open_ = {};
  std::vector<std::uint64_t> free_ = {};  // places in `open_`
  std::size_t open_requests_ = 0;
  std::size_t open_bytes_ = 0;
  std::size_t open_writes_ = 0;
  std::uint64_t writes_sent_ = 0;
  std::vector<std::uint64_t> open_calls_;  // of each pattern
  std::size_t all_open_calls_ = 0;

  std::int64_t latest_end_us_ = 0;
  // When a request was sent that was the first one since the latest answer; -1: none was.
  std::int64_t silent_since_us_ = -1;
  std::string latest_silence_ = {};  // why a request was not answered
};

}  // namespace hashrange
