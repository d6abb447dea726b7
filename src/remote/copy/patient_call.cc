#include "remote/copy/patient_call.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/random.h"
#include "remote/client/retry_rules.h"

namespace hashrange {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kStopIsNoticedAfter{20};
constexpr int kNotImplemented = 501;
constexpr std::size_t kLongestMessage = 500;

// Returns whether the call may succeed later. All other errors concern the request, the caller or
// the table, and stay. An error of one of the names passes, whatever the status of its answer is.
bool IsPassing(const ServiceReply& reply) {
  constexpr std::string_view kOwnErrors[] = {
      "InternalServerError", "InternalServerErrorException", "InternalFailure",
      "ServiceUnavailable",  "ServiceUnavailableException",
  };
  return reply.status == 0 || (reply.status >= 500 && reply.status != kNotImplemented) ||
         RetryKindOf(reply.status, reply.error) != RetryKind::kNever ||
         std::ranges::find(kOwnErrors, reply.error) != std::end(kOwnErrors);
}

// Returns the message for a sentence: one line, without the full stop, of a bounded length.
std::string InSentence(std::string message) {
  if (message.size() > kLongestMessage) message.resize(kLongestMessage);
  std::ranges::replace(message, '\n', ' ');
  while (!message.empty() && (message.back() == '.' || message.back() == ' ')) message.pop_back();
  return message;
}

ErrorCode CodeOf(const ServiceReply& reply) {
  if (reply.error == "ResourceNotFoundException") return ErrorCode::kResourceNotFoundException;
  if (reply.error == "ResourceInUseException") return ErrorCode::kResourceInUseException;
  if (reply.error == "UnknownOperationException" || reply.status == kNotImplemented) {
    return ErrorCode::kUnknownOperationException;
  }
  if (IsPassing(reply)) return ErrorCode::kServiceUnavailable;
  return ErrorCode::kInternalServerError;
}

Error ErrorOfReply(const ServiceReply& reply, const std::string& endpoint,
                   std::string_view operation, std::string_view table) {
  if (reply.status == 0) {
    const std::string why = InSentence(reply.message);
    return {ErrorCode::kServiceUnavailable, why.empty() ? endpoint + " does not answer" : why,
            nullptr};
  }
  std::string sentence = endpoint + " refuses " + std::string(operation);
  if (!table.empty()) sentence.append(" of the table ").append(table);
  sentence +=
      ": " + (reply.error.empty() ? "HTTP status " + std::to_string(reply.status) : reply.error);
  if (!reply.message.empty()) sentence += ", " + InSentence(reply.message);
  return {CodeOf(reply), std::move(sentence), nullptr};
}

}  // namespace

void CopyStop::Wait(steady_clock::duration time) const {
  const steady_clock::time_point end = steady_clock::now() + time;
  for (;;) {
    const steady_clock::duration left = end - steady_clock::now();
    if (left <= steady_clock::duration::zero() || IsSet()) return;
    std::this_thread::sleep_for(std::min<steady_clock::duration>(left, kStopIsNoticedAfter));
  }
}

Error StoppedError() { return {ErrorCode::kInternalServerError, "the copy was stopped", nullptr}; }

void BackOff::Reset() {
  bound_ = patience_.first_wait;
  begin_ = steady_clock::now();
}

bool BackOff::IsOver() const { return HasLasted(patience_.until_failure); }

bool BackOff::HasLasted(std::chrono::milliseconds time) const {
  return steady_clock::now() - begin_ >= time;
}

void BackOff::Wait(const CopyStop& stop) {
  const auto bound = static_cast<std::uint64_t>(std::max<std::int64_t>(1, bound_.count()));
  stop.Wait(std::chrono::milliseconds(1 + Random::ThisThread().Next() % bound));
  bound_ = std::min(bound_ * 2, patience_.longest_wait);
}

Result<std::string> PatientCaller::Call(std::string_view operation, std::string_view table,
                                        const std::string& json, int* attempts) const {
  BackOff back_off(patience_);
  for (;;) {
    if (stop_.IsSet()) return StoppedError();
    ServiceReply reply = endpoint_.Call(operation, json);
    if (attempts) *attempts += reply.attempts;
    if (reply.status != 0) has_answered_ = true;
    if (reply.ok()) return std::move(reply.body);
    Error error = ErrorOfReply(reply, name(), operation, table);
    if (!IsPassing(reply) || !has_answered_) return error;
    if (stop_.IsSet()) return StoppedError();
    if (back_off.IsOver()) return error;
    if (back_off.HasLasted(patience_.until_note)) NoteWait(error);
    back_off.Wait(stop_);
  }
}

void PatientCaller::NoteWait(const Error& error) const {
  if (!note_) return;
  const std::lock_guard lock(note_mutex_);
  const steady_clock::time_point now = steady_clock::now();
  if (noted_ && now - *noted_ < patience_.until_note) return;
  noted_ = now;
  note_(error.message + "; the copy goes on when it is served again");
}

}  // namespace hashrange
