#include "lab/endpoint/endpoint_loop.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lab/run/requests_file.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// The longest sleep, after which the loop looks whether it is to stop.
constexpr milliseconds kLongestSleep{50};

std::vector<PatternRun> PatternRunsOf(const EndpointLayoutRun& run) {
  std::vector<PatternRun> runs;
  for (const EndpointPatternRun& pattern : run.patterns) runs.push_back(pattern.run);
  return runs;
}

std::string SecondsText(milliseconds time) {
  return NumberText(static_cast<double>(time.count()) / kMsPerSecond) + " s";
}

// Returns whether DynamoDB charges the request of an error, although it reports no units: a write
// whose condition did not hold, a transaction that was cancelled.
bool IsCharged(const LateAnswer& late) {
  return late.answer.kind == LabAnswer::Kind::kCondition ||
         late.error == "TransactionCanceledException";
}

std::int64_t UsOf(milliseconds time) { return microseconds(time).count(); }

}  // namespace

EndpointLoop::EndpointLoop(const Parts& parts, const LabTraffic& traffic)
    : parts_(parts),
      patterns_(PatternRunsOf(parts.run)),
      arrivals_({parts.file, parts.plan, patterns_, events_}, traffic),
      runner_({.sender = *this,
               .file = parts.file,
               .plan = parts.plan,
               .population = parts.population,
               .events = events_,
               .patterns = patterns_,
               .stop = parts.stop}),
      open_calls_(patterns_.size()) {}

std::int64_t EndpointLoop::NowUs() const {
  return std::chrono::duration_cast<microseconds>(steady_clock::now() - begin_).count();
}

// --- Calls ---

void EndpointLoop::Process(const LabEvent& event) {
  if (event.kind == LabEvent::Kind::kArrival) return Arrive(event);
  NoteLateness(event);
  runner_.Continue(event);
}

void EndpointLoop::NoteLateness(const LabEvent& event) {
  parts_.run.lateness_us.Add(
      static_cast<double>(std::max<std::int64_t>(0, NowUs() - event.time_us)));
}

void EndpointLoop::Arrive(const LabEvent& event) {
  const CallArrival arrival = arrivals_.Take(event);
  EndpointPatternRun& pattern = parts_.run.patterns[event.subject];
  const bool has_room = all_open_calls_ < parts_.limits.most_open_calls &&
                        open_bytes_ < parts_.limits.most_open_bytes;
  if (!has_room) {
    ++pattern.not_made;
    return;
  }
  NoteLateness(event);
  const std::uint64_t skipped = patterns_[event.subject].skipped;
  ++open_calls_[event.subject];
  ++all_open_calls_;
  runner_.Start(static_cast<int>(event.subject), arrival, arrivals_.HotAt(event.time_us));
  if (patterns_[event.subject].skipped == skipped) return;
  --open_calls_[event.subject];
  --all_open_calls_;
}

void EndpointLoop::NoteEnd(const EndedCall& ended) {
  const auto pattern = static_cast<std::size_t>(ended.pattern);
  --open_calls_[pattern];
  --all_open_calls_;
  latest_end_us_ = std::max(latest_end_us_, ended.end_us);
  parts_.run.patterns[pattern].latency_us.Add(
      static_cast<double>(std::max<std::int64_t>(0, ended.end_us - ended.start_us)));
}

// --- Requests ---

std::optional<int> EndpointLoop::Send(const SentRequest& request, std::string&) {
  const bool writes = !IsReadOperation(request.operation);
  if (writes) ++writes_sent_;
  std::uint64_t number = open_.size();
  if (free_.empty()) {
    open_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  open_[number] = {.call = request.call,
                   .place = request.place,
                   .bytes = request.body.size(),
                   .writes = writes,
                   .met_write = open_writes_ > 0,
                   .writes_sent = writes_sent_};
  ++open_requests_;
  open_bytes_ += request.body.size();
  open_writes_ += writes ? 1 : 0;
  if (silent_since_us_ < 0) silent_since_us_ = NowUs();
  SendInto(replies_, number, request.operation, request.body, parts_.client);
  return std::nullopt;
}

double EndpointLoop::TakeSuccess(const OpenRequest& open, const EndpointAnswer& answer) {
  const CallRunner::PendingRequest pending = runner_.PendingAt(open.call, open.place);
  UnitComparison& counts = parts_.run.patterns[static_cast<std::size_t>(pending.pattern)].units;
  const bool met_write = open.met_write || writes_sent_ > open.writes_sent;
  return parts_.twin.Take({.operation = pending.operation,
                           .body = pending.body,
                           .answer = answer,
                           .met_write = met_write},
                          counts);
}

void EndpointLoop::CountCancelled(const OpenRequest& open) {
  const int pattern = runner_.PendingAt(open.call, open.place).pattern;
  const PatternRun& modelled = parts_.modelled.patterns[static_cast<std::size_t>(pattern)];
  const Distribution& units = open.writes ? modelled.write_units : modelled.read_units;
  parts_.spend.Add(!open.writes, units.mean());
}

void EndpointLoop::TakeReply(QueuedReply queued) {
  const OpenRequest open = open_[queued.request];
  free_.push_back(queued.request);
  --open_requests_;
  open_bytes_ -= open.bytes;
  open_writes_ -= open.writes ? 1 : 0;
  ServiceReply& reply = queued.reply;
  if (reply.status == 0) {
    latest_silence_ = reply.message;
  } else {
    silent_since_us_ = -1;
  }
  const EndpointAnswer read(reply);
  LateAnswer late = {
      .call = open.call,
      .place = open.place,
      .time_us = std::chrono::duration_cast<microseconds>(queued.came - begin_).count(),
      .status = reply.status,
      .answer = read.answer(),
      .body = {},
      .error = reply.error,
      .message = reply.message};
  if (late.answer.kind == LabAnswer::Kind::kOk) {
    late.answer.units = TakeSuccess(open, read);
    parts_.spend.Add(!open.writes, late.answer.units);
  } else if (IsCharged(late)) {
    CountCancelled(open);
  }
  late.body = std::move(reply.body);
  runner_.TakeLateAnswer(std::move(late));
}

// --- The loop ---

std::string EndpointLoop::GivenUpBecause(std::int64_t now_us) const {
  if (parts_.stop != nullptr && parts_.stop->load(std::memory_order_relaxed)) {
    return "The run was interrupted";
  }
  if (!runner_.refusal().empty()) return runner_.refusal();
  if (parts_.spend.IsExceeded()) return parts_.spend.ExceededText();
  if (silent_since_us_ >= 0 && now_us - silent_since_us_ > UsOf(parts_.limits.silence)) {
    return "The endpoint answered nothing for " + SecondsText(parts_.limits.silence) +
           (latest_silence_.empty() ? "" : ": " + latest_silence_);
  }
  const auto end_us = static_cast<std::int64_t>(arrivals_.length_s() * kUsPerSecond);
  if (now_us - end_us > UsOf(parts_.limits.drain)) {
    return "Calls were open " + SecondsText(parts_.limits.drain) + " after the end of the traffic";
  }
  return {};
}

bool EndpointLoop::IsOver() {
  if (events_.empty() && open_requests_ == 0) {
    parts_.run.ended_early_because = runner_.refusal();  // by the last answer
    return true;
  }
  parts_.spend.CountHours(steady_clock::now());
  parts_.run.ended_early_because = GivenUpBecause(NowUs());
  return !parts_.run.ended_early_because.empty();
}

void EndpointLoop::Run(const std::function<void(double)>& progress) {
  begin_ = steady_clock::now();
  const double length_us = arrivals_.length_s() * kUsPerSecond;
  while (!IsOver()) {
    const Instant now = steady_clock::now();
    const Instant next =
        events_.empty() ? Instant::max() : begin_ + microseconds(events_.NextTime());
    const bool is_due = next <= now;
    // Where this thread is late, events and replies are taken in the order of their instants.
    auto reply = is_due ? replies_->TakeIfBefore(next)
                        : replies_->TakeUntil(std::min(next, now + kLongestSleep));
    if (reply) {
      TakeReply(*std::move(reply));
    } else if (is_due) {
      Process(events_.Take());
    }
    if (is_due) continue;
    const std::chrono::duration<double, std::micro> passed = now - begin_;
    progress(std::min(1.0, passed.count() / length_us));
  }
  Finish();
}

void EndpointLoop::Finish() {
  EndpointLayoutRun& run = parts_.run;
  run.traffic_s = arrivals_.length_s();
  const bool was_given_up = !run.ended_early_because.empty();
  const double elapsed_s =
      static_cast<double>(was_given_up ? NowUs() : latest_end_us_) / kUsPerSecond;
  run.elapsed_s = was_given_up ? elapsed_s : std::max(run.traffic_s, elapsed_s);
  for (std::size_t at = 0; at < run.patterns.size(); ++at) {
    run.patterns[at].run = std::move(patterns_[at]);
    run.patterns[at].unfinished = open_calls_[at];
  }
}

}  // namespace hashrange
