// CallRunner: makes calls, each through the steps of its plan. Its time is the time of the events:
// the simulated time, or where requests are answered later, the time since the traffic's beginning.
//
//   arrival → step 1: its requests, at once ─┬─ answered → the next step, after the latency
//                                            ├─ a page → the next page, after the latency
//                                            ├─ of a walk, whose items are not found yet → the
//                                            │    next period, after the latency
//                                            ├─ throttled, members of a batch left, or broken
//                                            │    → the same again, after the client's wait
//                                            ├─ a condition did not hold → the call ends
//                                            └─ sent once too often → the call is given up
//
// A read is rendered step by step. A write is rendered at its arrival, before what it changes
// counts for later calls, so that all layouts pick the same instances; when the call fails, its
// changes that no request has written are taken back. An instance counts as written when
// one of its items is. A call ends when none of its requests is still to be answered: what an
// answer that comes after a failure has written counts as written. Used by one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/language/data/population.h"
#include "lab/plan/layout_plan.h"
#include "lab/run/answer/answer_reader.h"
#include "lab/run/answer/fetch_keys.h"
#include "lab/run/item_owners.h"
#include "lab/run/lab_call_maker.h"
#include "lab/run/lab_result.h"
#include "lab/run/request_sender.h"
#include "lab/run/requests_file.h"
#include "lab/run/traffic_arrivals.h"

namespace hashrange {

// What came in answer to a request that RequestSender::Send did not answer at once.
struct LateAnswer {
  std::uint32_t call = 0;  // as in SentRequest
  std::uint32_t place = 0;
  std::int64_t time_us = 0;  // when it came
  int status = 0;            // 0: there is no answer, and `message` says why
  LabAnswer answer = {};     // its views outlive the call of TakeLateAnswer
  std::string body = {};
  std::string_view error = {};  // of an answer that is an error: its name and its message
  std::string_view message = {};
};

class CallRunner {
 public:
  // All outlive the object. `patterns` has the counts of each pattern of the file; `log`, `stop`
  // and `owners`, by which answers are judged, may be null. After `stop` has become true, no more
  // calls are to be made.
  struct Parts {
    RequestSender& sender;
    const LabFile& file;
    const LayoutPlan& plan;
    Population& population;
    EventQueue& events;
    std::vector<PatternRun>& patterns;
    RequestsFile* log = nullptr;
    const std::atomic<bool>* stop = nullptr;
    ItemOwners* owners = nullptr;
  };
  explicit CallRunner(const Parts& parts);

  // Begins a call of the pattern.
  void Start(int pattern, const CallArrival& arrival, const std::map<int, double>& hot);
  // Goes on with an open call: an event of the kinds kRequest and kNextStep.
  void Continue(const LabEvent& event);
  // Takes the answer to a request that was not answered at once.
  void TakeLateAnswer(LateAnswer late);

  // A request that is to be answered. The views and the reference hold until it is.
  struct PendingRequest {
    int pattern = kLabNone;
    std::string_view operation;
    const std::string& body;
  };
  PendingRequest PendingAt(std::uint32_t call, std::uint32_t place) const;

  // Returns why the run cannot go on: the engine refused a request of `serve:` as invalid.
  const std::string& refusal() const { return refusal_; }

 private:
  enum class Outcome : std::uint8_t { kSucceeded, kCondition, kFailed };
  // What an answer says. The error is empty where it has to be read from the body.
  struct ReadAnswer {
    int status = 0;
    LabAnswer answer = {};
    std::string_view error = {};
    std::string_view message = {};
  };
  // One request of a step, together with its pages and retries.
  struct StepRequest {
    std::string body = {};
    std::size_t base_bytes = 0;  // of `body` without a start key
    std::size_t step = 0;
    LabCallWindow window = {};
    std::uint64_t items = 0;
    std::uint32_t pages = 0;  // that are answered
    int attempts = 0;         // of the present page
  };
  // A call that has not ended. Calls that ended are used again, with their memory.
  struct OpenLabCall {
    int pattern = kLabNone;
    std::uint64_t number = 0;
    std::int64_t start_us = 0;
    MadeCall made = {};
    std::vector<StepRequest> requests = {};
    std::size_t request_count = 0;  // the others are kept for their memory
    std::size_t first_request = 0;  // of those that are not sent yet
    std::size_t step = 0;
    std::size_t walked = 0;         // periods that the present step has asked, if it is a walk
    std::uint64_t found = 0;        // items that it has found in them
    std::size_t open_requests = 0;  // of the present step
    // Requests that follow each other, retries aside: of the steps before, and of the present one.
    std::uint32_t round_trips_before = 0;
    std::uint32_t round_trips = 0;
    // What the call waits for: events that are in the queue, and answers that come later.
    std::uint32_t events = 0;
    std::uint32_t unanswered = 0;  // the latter
    bool has_ended = false;
    std::optional<Outcome> ends_with = {};  // when what is unanswered is answered
    std::uint64_t items = 0;
    std::uint32_t sent = 0;  // requests, retries included
    double read_units = 0;
    double write_units = 0;
    double searched_bytes = 0;  // of vectors
    double vector_write_bytes = 0;
    std::vector<FetchKeys> keys = {};    // of each step that fetches
    std::vector<OwnedWrite> owned = {};  // what a write writes, if answers are judged
  };

  const PatternPlan& PlanOf(const OpenLabCall& call) const;
  const PlanStep& StepOf(const OpenLabCall& call, const StepRequest& request) const;
  PatternRun& CountsOf(const OpenLabCall& call);
  bool IsWrite(const OpenLabCall& call) const;

  std::uint32_t TakeCall();
  void RenderStep(std::size_t step, OpenLabCall& call);
  void RenderFetch(const PlanStep& step, OpenLabCall& call);
  StepRequest& AddRequest(std::size_t step, OpenLabCall& call);
  void BeginStep(std::uint32_t slot);
  void Send(std::uint32_t slot, std::uint32_t place);
  void TakeAnswer(std::uint32_t slot, std::uint32_t place, const ReadAnswer& read);
  // Adds what the answer says to the counts and to the units of the call.
  void CountAnswer(const StepRequest& request, const LabAnswer& answer, OpenLabCall& call);
  void TakePage(std::uint32_t slot, std::uint32_t place, const LabAnswer& answer);
  // Counts the items of an answer to a request of the step, and takes from them the keys of what
  // later steps fetch.
  void TakeItems(std::size_t step, std::uint64_t items, OpenLabCall& call);
  // Confirms what a request has written: what is not left `unprocessed`.
  void Confirm(const StepRequest& request, std::string_view unprocessed, OpenLabCall& call);
  // Appends the instances whose items a request has processed, of which some are left.
  void AppendProcessed(const StepRequest& request, std::string_view unprocessed, OpenLabCall& call);
  void TakeError(std::uint32_t slot, const StepRequest& request, const ReadAnswer& read);
  void SendAgain(std::uint32_t slot, std::uint32_t place);
  void EndRequest(std::uint32_t slot);
  // Returns whether the present step is a walk that has another period to ask.
  bool WalksOn(const OpenLabCall& call) const;
  void End(std::uint32_t slot, Outcome outcome);
  // Counts whether the answer is that of another instance, or lacks an item, because of their keys.
  void JudgeAnswer(OpenLabCall& call, Outcome outcome);
  void ReleaseIfDone(std::uint32_t slot);
  void Schedule(std::uint32_t slot, LabEvent::Kind kind, std::uint32_t detail,
                std::int64_t after_us);

  const Parts parts_;
  LabCallMaker maker_;
  std::int64_t now_us_ = 0;
  std::string answer_ = {};
  ParsedItems parsed_;
  std::vector<InstanceId> written_ = {};
  std::deque<OpenLabCall> calls_ = {};
  std::vector<std::uint32_t> free_calls_ = {};
  std::string refusal_ = {};
};

}  // namespace hashrange
