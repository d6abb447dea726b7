// How a CallRunner takes the answers to its requests.
#include <algorithm>
#include <string_view>
#include <utility>

#include "lab/language/data/draws.h"
#include "lab/language/lab_document.h"
#include "lab/plan/written_instances.h"
#include "lab/run/call_runner.h"
#include "lab/run/unprocessed_items.h"

namespace hashrange {
namespace {

constexpr std::int64_t kUsPerMs = 1000;
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
  std::string again = R"({"RequestItems":)";
  again.append(unprocessed).append(R"(,"ReturnConsumedCapacity":"TOTAL"})");
  body = std::move(again);
}

}  // namespace

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
  if (call.ends_with) {
    TakeAnswerAfterFailure(late.call, late.place, late.answer);
  } else {
    TakeAnswer(late.call, late.place, {late.status, late.answer, late.error, late.message});
  }
  ReleaseIfDone(late.call);
}

void CallRunner::TakeAnswerAfterFailure(std::uint32_t slot, std::uint32_t place,
                                        const LabAnswer& answer) {
  OpenLabCall& call = calls_[slot];
  StepRequest& request = call.requests[place];
  const bool reads = IsReadOperation(StepOf(call, request).request.operation);
  (reads ? call.read_units : call.write_units) += answer.units;
  if (answer.kind == LabAnswer::Kind::kThrottled) ++CountsOf(call).throttled;
  if (answer.kind == LabAnswer::Kind::kBroken) ++CountsOf(call).broken;
  if (answer.kind == LabAnswer::Kind::kError) ++CountsOf(call).refused;
  if (answer.kind == LabAnswer::Kind::kOk) {
    if (answer.unprocessed.empty()) {
      ConfirmAll(request, call);
    } else {
      ConfirmProcessed(request, answer.unprocessed, call);
    }
  }
  End(slot, *call.ends_with);
}

void CallRunner::TakeAnswer(std::uint32_t slot, std::uint32_t place, const ReadAnswer& read) {
  OpenLabCall& call = calls_[slot];
  StepRequest& request = call.requests[place];
  const std::string& operation = StepOf(call, request).request.operation;
  const LabAnswer& answer = read.answer;
  if (parts_.log != nullptr) {
    parts_.log->Write({CountsOf(call).name, operation, request.body, read.status, answer.units});
  }
  (IsReadOperation(operation) ? call.read_units : call.write_units) += answer.units;
  switch (answer.kind) {
    case LabAnswer::Kind::kOk:
      return TakePage(slot, place, answer);
    case LabAnswer::Kind::kThrottled:
      ++CountsOf(call).throttled;
      return SendAgain(slot, place);
    case LabAnswer::Kind::kCondition:
      return End(slot, Outcome::kCondition);
    case LabAnswer::Kind::kBroken:
      ++CountsOf(call).broken;
      TakeError(slot, request, read);
      return SendAgain(slot, place);
    case LabAnswer::Kind::kError:
      ++CountsOf(call).refused;
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
    if (!step.is_lookup) call.items += answer.items;
    ConfirmProcessed(request, answer.unprocessed, call);
    AskForUnprocessed(answer.unprocessed, request.body);
    return SendAgain(slot, place);
  }
  const bool wants_more =
      step.is_paged && (step.items == 0 || request.items < static_cast<std::uint64_t>(step.items));
  const bool goes_on = wants_more && !answer.last_evaluated_key.empty();
  if (goes_on) {
    request.body.resize(request.base_bytes - 1);
    request.body.append(R"(,"ExclusiveStartKey":)").append(answer.last_evaluated_key) += '}';
    request.attempts = 0;
  }
  const std::vector<PlanStep>& steps = PlanOf(call).steps;
  const bool is_fetched =
      request.step + 1 < steps.size() && steps[request.step + 1].kind == PlanStep::Kind::kFetch;
  if (is_fetched) {
    call.keys.AddFrom(answer_, steps[request.step + 1].key_attributes);
  } else if (!step.is_lookup) {
    call.items += answer.items;
  }
  if (!goes_on) {
    ConfirmUnlessLast(request, call);
    return EndRequest(slot);
  }
  Schedule(slot, LabEvent::Kind::kRequest, place, parts_.file.client.latency_ms * kUsPerMs);
}

void CallRunner::ConfirmUnlessLast(const StepRequest& request, OpenLabCall& call) {
  const bool is_last = call.open_requests == 1 && call.step + 1 == PlanOf(call).steps.size();
  if (!is_last) ConfirmAll(request, call);  // otherwise, the call ends
}

void CallRunner::ConfirmAll(const StepRequest& request, OpenLabCall& call) {
  if (call.made.writes.empty()) return;  // it is a read
  const CallShape& shape = parts_.plan.shapes[static_cast<std::size_t>(call.pattern)];
  LabCall& made = call.made.call;
  made.window = request.window;
  written_.clear();
  for (const WrittenItem& item : StepOf(call, request).written) {
    AppendWrittenInstances(item, shape, parts_.population, made, written_);
  }
  made.window = {};
  maker_.Confirm(written_, call.made);
}

void CallRunner::ConfirmProcessed(const StepRequest& request, std::string_view unprocessed,
                                  OpenLabCall& call) {
  if (call.made.writes.empty()) return;
  const CallShape& shape = parts_.plan.shapes[static_cast<std::size_t>(call.pattern)];
  LabCall& made = call.made.call;
  const UnprocessedItems left(unprocessed);
  written_.clear();
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
  made.window = {};
  maker_.Confirm(written_, call.made);
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
