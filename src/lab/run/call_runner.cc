#include "lab/run/call_runner.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::int64_t kUsPerMs = 1000;
constexpr std::size_t kMostKeysOfBatch = 100;

}  // namespace

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
  call.request_count = call.first_request = call.step = call.open_requests = 0;
  call.start_us = arrival.time_us;
  call.events = call.unanswered = 0;
  call.has_ended = false;
  call.ends_with.reset();
  call.items = 0;
  call.read_units = call.write_units = 0;
  call.keys.Clear();
  const CallOrder order = {
      .pattern = pattern,
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
  request.attempts = 0;
  return request;
}

void CallRunner::RenderStep(std::size_t number, OpenLabCall& call) {
  const PlanStep& step = PlanOf(call).steps[number];
  if (step.kind == PlanStep::Kind::kFetch) return;  // its keys are not known yet
  LabCall& made = call.made.call;
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
  made.window = {};
}

void CallRunner::RenderFetch(const PlanStep& step, OpenLabCall& call) {
  const std::size_t keys = step.items > 0
                               ? std::min(call.keys.size(), static_cast<std::size_t>(step.items))
                               : call.keys.size();
  for (std::size_t from = 0; from < keys; from += kMostKeysOfBatch) {
    StepRequest& request = AddRequest(call.step, call);
    RenderRequest(step.request, parts_.population, call.made.call, request.body);
    call.keys.PutInto(request.body, from, std::min(keys, from + kMostKeysOfBatch));
  }
  call.keys.Clear();
}

void CallRunner::BeginStep(std::uint32_t slot) {
  OpenLabCall& call = calls_[slot];
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  for (; call.step < steps.size(); ++call.step) {
    const PlanStep& step = steps[call.step];
    if (step.kind == PlanStep::Kind::kFetch) {
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
  if (++call.step == PlanOf(call).steps.size()) return End(slot, Outcome::kSucceeded);
  Schedule(slot, LabEvent::Kind::kNextStep, 0, parts_.file.client.latency_ms * kUsPerMs);
}

void CallRunner::End(std::uint32_t slot, Outcome outcome) {
  OpenLabCall& call = calls_[slot];
  if (call.unanswered > 0) {
    if (!call.ends_with) call.ends_with = outcome;
    return;
  }
  call.has_ended = true;
  parts_.sender.NoteEnd({call.pattern, call.start_us, now_us_});
  if (IsWrite(call)) maker_.Close(outcome == Outcome::kSucceeded, call.made);
  PatternRun& counts = CountsOf(call);
  ++counts.calls;
  if (outcome == Outcome::kSucceeded) {
    counts.items += call.items;
    counts.read_units.Add(call.read_units);
    counts.write_units.Add(call.write_units);
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

void CallRunner::ReleaseIfDone(std::uint32_t slot) {
  if (calls_[slot].has_ended && calls_[slot].events == 0) free_calls_.push_back(slot);
}

void CallRunner::Schedule(std::uint32_t slot, LabEvent::Kind kind, std::uint32_t detail,
                          std::int64_t after_us) {
  ++calls_[slot].events;
  parts_.events.Add(
      {.time_us = now_us_ + after_us, .kind = kind, .subject = slot, .detail = detail});
}

}  // namespace hashrange
