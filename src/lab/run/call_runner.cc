#include "lab/run/call_runner.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "lab/language/data/draws.h"
#include "lab/language/lab_document.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostKeysOfBatch = 100;
constexpr std::uint64_t kRetryDraw = 0x72657472;  // tells it from other draws

// Returns how long the client waits before an attempt after the first, by exponential back-off with
// full jitter: any time up to the base delay, which doubles with each attempt.
std::int64_t RetryWaitUs(const LabClient& client, int attempts_made, std::uint64_t seed) {
  constexpr int kMostDoublings = 40;
  const double doubled = static_cast<double>(client.base_delay_ms) *
                         static_cast<double>(1ULL << std::min(attempts_made - 1, kMostDoublings));
  const double longest_ms = std::min(doubled, static_cast<double>(client.longest_delay_ms));
  return static_cast<std::int64_t>(longest_ms * static_cast<double>(kUsPerMs) *
                                   DrawSequence(seed).Unit());
}

// Replaces a batch by one of its unprocessed members.
void AskForUnprocessed(std::string_view unprocessed, std::string& body) {
  const std::string_view rest = body.ends_with(R"("INDEXES"})")
                                    ? R"(,"ReturnConsumedCapacity":"INDEXES"})"
                                    : R"(,"ReturnConsumedCapacity":"TOTAL"})";
  std::string again = R"({"RequestItems":)";
  again.append(unprocessed).append(rest);
  body = std::move(again);
}

// Looks whether the instances of a call belong to its window.
class WindowOfCall {
 public:
  WindowOfCall(const CallShape& shape, const Population& population, const LabCall& call)
      : shape_(shape), population_(population), call_(call) {}

  bool Has(int role, std::size_t place) const {
    const LabCallWindow& window = call_.window;
    if (window.role == kLabNone) return true;
    if (role == window.role) return window.from <= place && place < window.to;
    const CallRole& described = shape_.roles[static_cast<std::size_t>(role)];
    // What does not depend on the window's role is written by each request.
    if (described.of_role == kLabNone) return true;
    return Has(described.of_role, PlaceOfOrigin(described, role, place));
  }

 private:
  // Returns the place, in the role `of_role`, of the instance that this one is created or derived
  // from.
  std::size_t PlaceOfOrigin(const CallRole& described, int role, std::size_t place) const {
    switch (described.source) {
      case CallRole::Source::kPicked:
      case CallRole::Source::kReferred:
      case CallRole::Source::kAncestor:
        return place;
      case CallRole::Source::kCreated:
        return place / static_cast<std::size_t>(described.count);
      case CallRole::Source::kCreatedChildren:
      case CallRole::Source::kChildren:
      case CallRole::Source::kReferring:
        break;
    }
    const auto& origins = call_.roles[static_cast<std::size_t>(described.of_role)];
    const InstanceId id = call_.roles[static_cast<std::size_t>(role)][place];
    const InstanceId origin = described.source == CallRole::Source::kReferring
                                  ? population_.ReferredBy(id, described.via)
                                  : population_.ParentOf(id);
    const auto found = std::ranges::find(origins, origin);
    return static_cast<std::size_t>(found - origins.begin());
  }

  const CallShape& shape_;
  const Population& population_;
  const LabCall& call_;
};

// Appends the instances for which the request that the call is about (SelectRequest) writes the
// item: the instances of the window, and what belongs to them.
void AppendWrittenInstances(const WrittenItem& item, const CallShape& shape,
                            const Population& population, const LabCall& call,
                            std::vector<InstanceId>& out) {
  const WindowOfCall window(shape, population, call);
  for (const int role : item.roles) {
    const auto& instances = call.roles[static_cast<std::size_t>(role)];
    const bool is_of_window = RootRole(shape, role) == call.window.role;  // place by place
    const std::size_t from = is_of_window ? call.window.from : 0;
    const std::size_t to =
        is_of_window ? std::min(call.window.to, instances.size()) : instances.size();
    for (std::size_t place = from; place < to; ++place) {
      if (instances[place].entity == kLabNone) continue;
      if (is_of_window || window.Has(role, place)) out.push_back(instances[place]);
    }
  }
}

}  // namespace

// --- Calls and their steps ---

CallRunner::CallRunner(const Parts& parts)
    : parts_(parts), maker_(parts.file, parts.population, parts.stop) {}

const PatternPlan& CallRunner::PlanOf(const OpenLabCall& call) const {
  return parts_.plan.patterns[static_cast<std::size_t>(call.pattern)];
}

const PlanStep& CallRunner::StepOf(const OpenLabCall& call, const StepRequest& request) const {
  return PlanOf(call).steps[request.step];
}

PatternRun& CallRunner::CountsOf(const OpenLabCall& call) {
  return parts_.patterns[static_cast<std::size_t>(call.pattern)];
}

bool CallRunner::IsWrite(const OpenLabCall& call) const {
  return parts_.file.patterns[static_cast<std::size_t>(call.pattern)].kind ==
         LabPattern::Kind::kWrite;
}

std::uint32_t CallRunner::TakeCall() {
  if (free_calls_.empty()) {
    calls_.emplace_back();
    return static_cast<std::uint32_t>(calls_.size() - 1);
  }
  const std::uint32_t slot = free_calls_.back();
  free_calls_.pop_back();
  return slot;
}

void CallRunner::Start(int pattern, const CallArrival& arrival, const std::map<int, double>& hot) {
  now_us_ = arrival.time_us;
  const CallShape& shape = parts_.plan.shapes[static_cast<std::size_t>(pattern)];
  const std::uint32_t slot = TakeCall();
  OpenLabCall& call = calls_[slot];
  call.pattern = pattern;
  call.number = arrival.number;
  call.request_count = call.first_request = call.step = call.open_requests = call.walked = 0;
  call.round_trips_before = call.round_trips = 0;
  call.found = 0;
  call.start_us = arrival.time_us;
  call.events = call.unanswered = 0;
  call.has_ended = false;
  call.ends_with.reset();
  call.items = 0;
  call.sent = 0;
  call.read_units = call.write_units = 0;
  call.searched_bytes = call.vector_write_bytes = 0;
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    if (!IsFetch(steps[step])) continue;
    if (call.keys.size() <= step) call.keys.resize(step + 1);
    call.keys[step].Clear();
  }
  const CallOrder order = {
      .pattern = pattern,
      .form = PlanOf(call).form,
      .shape = shape,
      .number = arrival.number,
      .now_epoch_ms = parts_.file.start_epoch_ms + now_us_ / kUsPerMs,
      .hot = hot,
  };
  if (!maker_.Make(order, call.made)) {
    ++CountsOf(call).skipped;
    free_calls_.push_back(slot);
    return;
  }
  if (IsWrite(call)) {
    for (std::size_t step = 0; step < PlanOf(call).steps.size(); ++step) RenderStep(step, call);
    call.owned.clear();
    if (parts_.owners != nullptr) parts_.owners->AppendWrites(pattern, call.made.call, call.owned);
    maker_.Apply(pattern, shape, call.made);
  }
  BeginStep(slot);
}

CallRunner::StepRequest& CallRunner::AddRequest(std::size_t step, OpenLabCall& call) {
  if (call.request_count == call.requests.size()) call.requests.emplace_back();
  StepRequest& request = call.requests[call.request_count++];
  request.body.clear();
  request.step = step;
  request.window = {};
  request.items = 0;
  request.pages = 0;
  request.attempts = 0;
  return request;
}

void CallRunner::RenderStep(std::size_t number, OpenLabCall& call) {
  const PlanStep& step = PlanOf(call).steps[number];
  if (IsFetch(step)) return;  // its keys are not known yet
  LabCall& made = call.made.call;
  if (step.walk) {
    made.period = PeriodAt(*step.buckets, made.now_epoch_ms, step.walk->is_backward, call.walked);
    made.missing = step.walk->items - static_cast<std::int64_t>(call.found);
  }
  const std::size_t count = CountRequests(step, made);
  for (std::size_t i = 0; i < count; ++i) {
    SelectRequest(step, i, made);
    StepRequest& request = AddRequest(number, call);
    request.window = made.window;
    RenderRequest(step.request, parts_.population, made, request.body);
    request.base_bytes = request.body.size();
    if (request.body.empty()) --call.request_count;  // nothing in it applies to the call
  }
  made.shard = 0;
  made.period = 0;
  made.window = {};
}

void CallRunner::RenderFetch(const PlanStep& step, OpenLabCall& call) {
  FetchKeys& fetched = call.keys[call.step];
  const std::size_t keys = fetched.Finish(step);
  const std::size_t later = call.request_count;
  for (std::size_t from = 0; from < keys; from += kMostKeysOfBatch) {
    StepRequest& request = AddRequest(call.step, call);
    RenderRequest(step.request, parts_.population, call.made.call, request.body);
    fetched.PutInto(request.body, from, std::min(keys, from + kMostKeysOfBatch));
  }
  // The requests of a write's later steps are there already, and none of them has been sent.
  const auto begin = call.requests.begin();
  std::rotate(begin + static_cast<std::ptrdiff_t>(call.first_request),
              begin + static_cast<std::ptrdiff_t>(later),
              begin + static_cast<std::ptrdiff_t>(call.request_count));
  fetched.Clear();
}

void CallRunner::BeginStep(std::uint32_t slot) {
  OpenLabCall& call = calls_[slot];
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  for (; call.step < steps.size(); ++call.step) {
    const PlanStep& step = steps[call.step];
    if (IsFetch(step)) {
      RenderFetch(step, call);
    } else if (!IsWrite(call)) {
      RenderStep(call.step, call);
    }
    std::size_t end = call.first_request;
    while (end < call.request_count && call.requests[end].step == call.step) ++end;
    if (end == call.first_request) continue;
    const std::size_t begin = call.first_request;
    call.open_requests = end - begin;
    call.first_request = end;
    call.round_trips_before += std::exchange(call.round_trips, 1);
    // The first requests of a call are sent at once. If one of them fails, the others are not sent.
    for (std::size_t i = begin; i < end && !call.has_ended; ++i) {
      Send(slot, static_cast<std::uint32_t>(i));
    }
    return ReleaseIfDone(slot);
  }
  End(slot, Outcome::kSucceeded);
  ReleaseIfDone(slot);
}

void CallRunner::Continue(const LabEvent& event) {
  now_us_ = event.time_us;
  OpenLabCall& call = calls_[event.subject];
  --call.events;
  if (!call.has_ended && !call.ends_with) {
    if (event.kind == LabEvent::Kind::kNextStep) return BeginStep(event.subject);
    Send(event.subject, event.detail);
  }
  ReleaseIfDone(event.subject);
}

void CallRunner::Send(std::uint32_t slot, std::uint32_t place) {
  OpenLabCall& call = calls_[slot];
  StepRequest& request = call.requests[place];
  PatternRun& counts = CountsOf(call);
  ++request.attempts;
  ++call.sent;
  ++counts.requests;
  const std::optional<int> status =
      parts_.sender.Send({.pattern = counts.name,
                          .operation = StepOf(call, request).request.operation,
                          .body = request.body,
                          .time_us = now_us_,
                          .call = slot,
                          .place = place},
                         answer_);
  if (!status) {
    ++call.events;
    ++call.unanswered;
    return;
  }
  TakeAnswer(slot, place, {.status = *status, .answer = ReadLabAnswer(*status, answer_)});
}

void CallRunner::EndRequest(std::uint32_t slot) {
  OpenLabCall& call = calls_[slot];
  if (--call.open_requests > 0) return;
  if (WalksOn(call)) {
    ++call.walked;
    return Schedule(slot, LabEvent::Kind::kNextStep, 0, parts_.file.client.latency_ms * kUsPerMs);
  }
  call.walked = 0;
  call.found = 0;
  if (++call.step == PlanOf(call).steps.size()) return End(slot, Outcome::kSucceeded);
  Schedule(slot, LabEvent::Kind::kNextStep, 0, parts_.file.client.latency_ms * kUsPerMs);
}

bool CallRunner::WalksOn(const OpenLabCall& call) const {
  const PlanStep& step = PlanOf(call).steps[call.step];
  return step.walk && call.found < static_cast<std::uint64_t>(step.walk->items) &&
         call.walked + 1 < CountPeriods(*step.buckets, call.made.call.now_epoch_ms);
}

void CallRunner::End(std::uint32_t slot, Outcome outcome) {
  OpenLabCall& call = calls_[slot];
  if (call.unanswered > 0) {
    if (!call.ends_with) call.ends_with = outcome;
    return;
  }
  call.has_ended = true;
  parts_.sender.NoteEnd({call.pattern, call.start_us, now_us_});
  if (parts_.owners != nullptr && outcome != Outcome::kFailed) JudgeAnswer(call, outcome);
  if (IsWrite(call)) maker_.Close(outcome == Outcome::kSucceeded, call.made);
  PatternRun& counts = CountsOf(call);
  ++counts.calls;
  if (outcome == Outcome::kSucceeded) {
    counts.items += call.items;
    counts.read_units.Add(call.read_units);
    counts.write_units.Add(call.write_units);
    counts.searched_bytes += call.searched_bytes;
    counts.vector_write_bytes += call.vector_write_bytes;
    counts.call_requests.Add(call.sent);
    counts.round_trips.Add(call.round_trips_before + call.round_trips);
    return;
  }
  if (outcome == Outcome::kCondition) {
    ++counts.conditions;
    return;
  }
  ++counts.failed;
  counts.failed_read_units += call.read_units;
  counts.failed_write_units += call.write_units;
}

void CallRunner::JudgeAnswer(OpenLabCall& call, Outcome outcome) {
  using Verdict = ItemOwners::Verdict;
  Verdict verdict = Verdict::kRight;
  if (IsWrite(call)) {
    verdict = parts_.owners->TakeWrites(call.owned, outcome == Outcome::kSucceeded);
  } else {
    ItemOwners::ReadCall read = {
        .pattern = call.pattern, .call = call.made.call, .items = call.items};
    for (std::size_t i = 0; i < call.request_count; ++i) {
      const PlanStep& step = StepOf(call, call.requests[i]);
      if (step.kind != PlanStep::Kind::kFetch)
        read.requests.push_back({step, call.requests[i].body});
    }
    verdict = parts_.owners->JudgeRead(read);
  }
  if (verdict == Verdict::kNotJudged) return;
  PatternRun& counts = CountsOf(call);
  ++counts.judged;
  if (verdict == Verdict::kWrong) ++counts.wrong;
  if (verdict == Verdict::kDoubtful) ++counts.doubtful;
}

void CallRunner::ReleaseIfDone(std::uint32_t slot) {
  if (calls_[slot].has_ended && calls_[slot].events == 0) free_calls_.push_back(slot);
}

void CallRunner::Schedule(std::uint32_t slot, LabEvent::Kind kind, std::uint32_t detail,
                          std::int64_t after_us) {
  ++calls_[slot].events;
  parts_.events.Add(
      {.time_us = now_us_ + after_us, .kind = kind, .subject = slot, .detail = detail});
}

// --- Answers ---

CallRunner::PendingRequest CallRunner::PendingAt(std::uint32_t slot, std::uint32_t place) const {
  const OpenLabCall& call = calls_[slot];
  const StepRequest& request = call.requests[place];
  return {call.pattern, StepOf(call, request).request.operation, request.body};
}

void CallRunner::TakeLateAnswer(LateAnswer late) {
  now_us_ = late.time_us;
  OpenLabCall& call = calls_[late.call];
  --call.events;
  --call.unanswered;
  answer_ = std::move(late.body);
  if (call.ends_with) {  // the call has failed meanwhile
    const StepRequest& request = call.requests[late.place];
    CountAnswer(request, late.answer, call);
    if (late.answer.kind == LabAnswer::Kind::kOk) Confirm(request, late.answer.unprocessed, call);
    End(late.call, *call.ends_with);
  } else {
    TakeAnswer(late.call, late.place, {late.status, late.answer, late.error, late.message});
  }
  ReleaseIfDone(late.call);
}

void CallRunner::CountAnswer(const StepRequest& request, const LabAnswer& answer,
                             OpenLabCall& call) {
  const bool reads = IsReadOperation(StepOf(call, request).request.operation);
  (reads ? call.read_units : call.write_units) += answer.units;
  (reads ? call.searched_bytes : call.vector_write_bytes) += answer.vector_bytes;
  if (answer.kind == LabAnswer::Kind::kThrottled) ++CountsOf(call).throttled;
  if (answer.kind == LabAnswer::Kind::kBroken) ++CountsOf(call).broken;
  if (answer.kind == LabAnswer::Kind::kError) ++CountsOf(call).refused;
}

void CallRunner::TakeAnswer(std::uint32_t slot, std::uint32_t place, const ReadAnswer& read) {
  OpenLabCall& call = calls_[slot];
  StepRequest& request = call.requests[place];
  const std::string& operation = StepOf(call, request).request.operation;
  const LabAnswer& answer = read.answer;
  if (parts_.log != nullptr) {
    parts_.log->Write({CountsOf(call).name, operation, request.body, read.status, answer.units});
  }
  CountAnswer(request, answer, call);
  switch (answer.kind) {
    case LabAnswer::Kind::kOk:
      return TakePage(slot, place, answer);
    case LabAnswer::Kind::kThrottled:
      return SendAgain(slot, place);
    case LabAnswer::Kind::kCondition:
      return End(slot, Outcome::kCondition);
    case LabAnswer::Kind::kBroken:
      TakeError(slot, request, read);
      return SendAgain(slot, place);
    case LabAnswer::Kind::kError:
      TakeError(slot, request, read);
      return End(slot, Outcome::kFailed);
  }
}

void CallRunner::TakePage(std::uint32_t slot, std::uint32_t place, const LabAnswer& answer) {
  OpenLabCall& call = calls_[slot];
  StepRequest& request = call.requests[place];
  const PlanStep& step = StepOf(call, request);
  request.items += answer.items;
  if (!answer.unprocessed.empty()) {
    // Members are left only where they were throttled.
    ++CountsOf(call).throttled;
    TakeItems(request.step, answer.items, call);
    Confirm(request, answer.unprocessed, call);
    AskForUnprocessed(answer.unprocessed, request.body);
    return SendAgain(slot, place);
  }
  const std::int64_t wanted = step.walk && step.items > 0 ? call.made.call.missing : step.items;
  const bool wants_more =
      step.is_paged && (step.items == 0 || request.items < static_cast<std::uint64_t>(wanted));
  const bool goes_on = wants_more && !answer.last_evaluated_key.empty();
  if (goes_on) {
    request.body.resize(request.base_bytes - 1);
    request.body.append(R"(,"ExclusiveStartKey":)").append(answer.last_evaluated_key) += '}';
    request.attempts = 0;
    call.round_trips = std::max(call.round_trips, ++request.pages + 1);
  }
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  TakeItems(request.step, answer.items, call);
  if (!goes_on) {
    call.found += request.items;
    // The end of the call confirms what its last request has written.
    const bool is_last = call.open_requests == 1 && call.step + 1 == steps.size();
    if (!is_last) Confirm(request, {}, call);
    return EndRequest(slot);
  }
  Schedule(slot, LabEvent::Kind::kRequest, place, parts_.file.client.latency_ms * kUsPerMs);
}

void CallRunner::TakeItems(std::size_t step, std::uint64_t items, OpenLabCall& call) {
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  const bool is_fetched = step + 1 < steps.size() && steps[step + 1].kind == PlanStep::Kind::kFetch;
  const bool is_asked = !steps[step].is_lookup && !is_fetched;
  if (is_asked) call.items += items;
  const auto takes_keys = [&](std::size_t later) {
    return is_fetched ? later == step + 1
                      : is_asked && steps[later].kind == PlanStep::Kind::kFetchReferred;
  };
  bool is_parsed = false;
  for (std::size_t later = step + 1; later < steps.size(); ++later) {
    if (!takes_keys(later)) continue;
    if (!std::exchange(is_parsed, true)) ParseItems(answer_, parsed_);
    for (const JsonValue* item : parsed_.items) call.keys[later].Add(*item, steps[later]);
  }
}

void CallRunner::Confirm(const StepRequest& request, std::string_view unprocessed,
                         OpenLabCall& call) {
  if (call.made.writes.empty()) return;  // it is a read
  LabCall& made = call.made.call;
  written_.clear();
  if (unprocessed.empty()) {
    const CallShape& shape = parts_.plan.shapes[static_cast<std::size_t>(call.pattern)];
    made.window = request.window;
    for (const WrittenItem& item : StepOf(call, request).written) {
      AppendWrittenInstances(item, shape, parts_.population, made, written_);
    }
  } else {
    AppendProcessed(request, unprocessed, call);
  }
  made.window = {};
  maker_.Confirm(written_, call.made);
}

void CallRunner::AppendProcessed(const StepRequest& request, std::string_view unprocessed,
                                 OpenLabCall& call) {
  const CallShape& shape = parts_.plan.shapes[static_cast<std::size_t>(call.pattern)];
  LabCall& made = call.made.call;
  const UnprocessedItems left(unprocessed);
  std::string key;
  for (const WrittenItem& item : StepOf(call, request).written) {
    // A request without a window is about all instances of the item's role.
    LabCallWindow whole = request.window;
    if (whole.role == kLabNone) whole = {item.roles.front(), 0, SIZE_MAX};
    const std::size_t count = made.roles[static_cast<std::size_t>(whole.role)].size();
    for (std::size_t place = whole.from; place < std::min(whole.to, count); ++place) {
      made.window = {whole.role, place, place + 1};
      key.clear();
      RenderRequest(item.key, parts_.population, made, key);
      if (key.empty() || left.Contain(item.key.table, key)) continue;
      AppendWrittenInstances(item, shape, parts_.population, made, written_);
    }
  }
}

void CallRunner::TakeError(std::uint32_t slot, const StepRequest& request, const ReadAnswer& read) {
  const OpenLabCall& call = calls_[slot];
  PatternRun& counts = CountsOf(call);
  if (!counts.error.empty()) return;
  const std::string& operation = StepOf(call, request).request.operation;
  const std::string_view message = read.message.empty() ? ErrorMessageIn(answer_) : read.message;
  if (read.status == 0) {
    counts.error = operation + " was not answered: " + std::string(message);
    return;
  }
  std::string error(read.error.empty() ? ErrorNameIn(answer_) : read.error);
  if (error.empty()) error = "the status " + std::to_string(read.status);
  counts.error = operation + " was answered by " + error + ": " + std::string(message);
  const bool is_declared = PlanOf(call).service == PlanService::kDeclared;
  if (is_declared && counts.calls == 0 && error == "ValidationException") {
    const std::string sentence =
        "a request of `serve` for \"" + counts.name + "\" is refused: " + counts.error;
    refusal_ = LabErrorAt(parts_.file.name, StepOf(call, request).place, sentence).message;
  }
}

void CallRunner::SendAgain(std::uint32_t slot, std::uint32_t place) {
  const OpenLabCall& call = calls_[slot];
  const int attempts = call.requests[place].attempts;
  const LabClient& client = parts_.file.client;
  if (attempts >= client.attempts) return End(slot, Outcome::kFailed);
  const std::uint64_t seed =
      MixedHash({parts_.file.seed, kRetryDraw, static_cast<std::uint64_t>(call.pattern),
                 call.number, place, static_cast<std::uint64_t>(attempts)});
  Schedule(slot, LabEvent::Kind::kRequest, place,
           client.latency_ms * kUsPerMs + RetryWaitUs(client, attempts, seed));
}

}  // namespace hashrange
