#include "server/exchange/exchange.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/log.h"
#include "server/exchange/http_access.h"
#include "server/exchange/http_request.h"

namespace hashrange {
namespace {

// A batch ends with the answer that reaches one of these limits or kMaxDeferral, so that pipelined
// requests of one connection delay neither their first answer nor other connections for long.
constexpr int kBatchRequests = 32;
constexpr std::size_t kBatchBytes = 64 << 10;

// Returns a number that no other connection of the process has.
std::uint64_t NextConnectionNumber() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

constexpr std::int64_t kMaxHoldMs = std::int64_t{24} * 60 * 60 * 1000;

constexpr Refusal kMalformed = {400, "This is no HTTP request, or its head has more than 16 KiB."};
constexpr Refusal kTooLarge = {413, "A body may have 16 MiB; a seed of more is read from a path."};
constexpr Refusal kOtherCoding = {
    501, "A body comes as it is or in chunks: no other Transfer-Encoding is read."};
constexpr Refusal kHttp2 = {505, "This server speaks HTTP/1.1, and HTTP/2 not at all."};
constexpr Refusal kNoMemory = {
    503,
    "The requests under way, and the answers that their clients do not read, take all of the "
    "server's --request-memory."};
constexpr Refusal kNoPlace = {
    503,
    "Requests under way take all of the server's --max-connections. The last places are for its "
    "control API."};

std::string_view MethodName(HttpMethod method) {
  switch (method) {
    case HttpMethod::kGet:
      return "GET";
    case HttpMethod::kPost:
      return "POST";
    case HttpMethod::kDelete:
      return "DELETE";
    case HttpMethod::kHead:
      return "HEAD";
    default:
      return "another method";
  }
}

// The request is copied: it outlives the connection's buffer.
ControlRequest ToControlRequest(const HttpRequest& request) {
  constexpr std::size_t kPrefixBytes = sizeof(kControlPath) - 1;
  return {.method = std::string(MethodName(request.method)),
          .path = std::string(request.path.substr(std::min(kPrefixBytes, request.path.size()))),
          .query = std::string(request.query),
          .body = std::string(request.body.data(), request.body.size())};
}

}  // namespace

void WarnOfOpenDoors(const ExchangeServer& server, const std::string& endpoints,
                     bool is_loopback_only) {
  constexpr std::size_t kShortTokenBytes = 16;
  const std::string& token = server.control_token;
  const std::string open_origins = server.routing.browsers.OpenOrigins();
  if (!is_loopback_only) {
    Log(LogLevel::kWarning,
        "other machines may reach " + endpoints +
            ": whoever does can read and change all tables, as signatures are not verified; the "
            "control API answers " +
            (token.empty() ? "this machine only" : "every caller with the control token"));
  }
  if (!open_origins.empty()) {
    Log(LogLevel::kWarning, open_origins +
                                " lets pages of every site that a browser on this network opens "
                                "read and change all tables");
  }
  if (!token.empty() && token.size() < kShortTokenBytes) {
    Log(LogLevel::kWarning, "the control token has less than " + std::to_string(kShortTokenBytes) +
                                " characters, so that others may guess it");
  }
}

Exchange::Exchange(ExchangeServer& server, ExchangeClock& clock, ExchangePeer& peer,
                   bool has_spare_place)
    : server_(server),
      clock_(clock),
      peer_(peer),
      buffer_(&server.limits),
      parser_(NextConnectionNumber()),
      has_spare_place_(has_spare_place) {}

Exchange::~Exchange() {
  server_.limits.ReturnBytes(counted_bytes_);
  server_.limits.ReturnConnection();
}

std::span<char> Exchange::BeginReading() {
  const std::span<char> room = buffer_.Prepare();
  is_reading_ = !room.empty();
  return room;
}

// Once in a tick is exact enough, and costs the other requests nothing.
bool Exchange::BeginsToWait() {
  if (parser_.in_progress() || idle_tick_ == clock_.tick()) return false;
  idle_tick_ = clock_.tick();
  idle_since_ = SteadyClock::now();
  return true;
}

void Exchange::Received(std::size_t count) {
  is_reading_ = false;
  buffer_.Commit(count);
}

Exchange::Next Exchange::RefuseForMemory(Output& out) { return RefuseUnread(kNoMemory, out); }

Exchange::Next Exchange::Answer(Output& out, SteadyClock::time_point begun) {
  for (int answered = 0; answered < kBatchRequests && out.pending().size() < kBatchBytes;
       ++answered) {
    if (answered > 0 && !buffer_.empty() && SteadyClock::now() - begun > kMaxDeferral) break;
    switch (parser_.Advance(buffer_)) {
      case RequestParser::Progress::kNeedMore:
        if (!parser_.in_progress()) buffer_.ReleaseExcess();
        return Next::kRead;
      case RequestParser::Progress::kSendContinue:
        out.bytes.Append(kContinueAnswer);
        return Next::kRead;
      case RequestParser::Progress::kMalformed:
        return RefuseUnread(kMalformed, out);
      case RequestParser::Progress::kTooLarge:
        return RefuseUnread(kTooLarge, out);
      case RequestParser::Progress::kOtherCoding:
        return RefuseUnread(kOtherCoding, out);
      case RequestParser::Progress::kHttp2:
        return RefuseUnread(kHttp2, out);
      case RequestParser::Progress::kComplete:
        if (const Next next = AnswerOne(out); next != Next::kServe) return next;
        break;
    }
  }
  return Next::kServe;
}

Exchange::Next Exchange::AnswerOne(Output& out) {
  deadline_ = 0;
  const std::size_t before = out.bytes.size();
  const HttpRequest& request = parser_.request();
  const bool close =
      clock_.is_draining() || !request.keep_alive || IsRefusedRoot(server_.routing, request);
  if (server_.limits.AreBytesExceeded()) return Refuse(kNoMemory, request.path, out);
  if (IsControlPath(request.path) && server_.has_control && !IsConsolePath(request.path)) {
    return AnswerControl(close, out);
  }
  if (has_spare_place_ && server_.limits.AreConnectionsExceeded() && !IsHealthRequest(request)) {
    return Refuse(kNoPlace, request.path, out);
  }
  const Next next = close ? Next::kLinger : Next::kServe;
  const ApiAnswer answer = RouteRequest(server_.handler, server_.routing, request, close, out);
  if (answer.body_to_repeat) [[unlikely]] {
    // As for a control request, the buffer's bytes stay counted in place of the copy's.
    long_call_ = std::make_shared<OwnedRequest>(request, *answer.body_to_repeat);
    parser_.Finish(buffer_);
    after_held_ = next;
    return Next::kLongCall;
  }
  parser_.Finish(buffer_);
  return Settle(answer, before, next, out);
}

Exchange::Next Exchange::Settle(const ApiAnswer& answer, std::size_t before, Next next,
                                Output& out) {
  if (answer.drop) next = Next::kClose;
  safe_after_ = answer.safe_after;
  const bool must_wait = MustWait();
  if (!answer.drop && answer.send_after_ms <= 0 && !must_wait) return next;
  if (!answer.drop) held_.Append(out.bytes.view().substr(std::max(before, out.begin)));
  CountAnswers();
  out.DropFrom(before);
  if (answer.send_after_ms <= 0 && !must_wait) return next;
  hold_ms_ = std::min(answer.send_after_ms, kMaxHoldMs);
  buffer_.ReleaseExcess();
  after_held_ = next;
  return hold_ms_ > 0 ? Next::kHold : Next::kWait;
}

Exchange::Next Exchange::AnswerControl(bool close, Output& out) {
  const HttpRequest& request = parser_.request();
  const auto refusal = RefuseControl(request, peer_.IsLoopback(), server_.control_token);
  const Next next = close ? Next::kLinger : Next::kServe;
  if (!refusal) {
    control_ = std::make_unique<ControlRequest>(ToControlRequest(request));
    control_->console = server_.routing.console;
    control_->files.folders = &server_.file_folders;
    if (server_.control_token.empty()) {
      const PeerUser user = peer_.User();
      control_->files.may_name_any_file = user == PeerUser::kOwn;
      control_->is_of_other_user = user == PeerUser::kOther;
    }
    after_held_ = next;
  } else {
    AppendControlAnswer({.http_status = refusal->http_status, .body = ControlErrorBody(*refusal)},
                        close, request.method != HttpMethod::kHead, out);
  }
  parser_.Finish(buffer_);
  // The server's limits do not count the copy of the body in `control_`. Instead, the buffer is not
  // shrunk before the call is answered, so that the buffer's bytes stay counted.
  return refusal ? next : Next::kControl;
}

void Exchange::AppendAnswerOfControl(const ControlAnswer& answer, bool with_body,
                                     Output& out) const {
  AppendControlAnswer(answer, after_held_ == Next::kLinger, with_body, out);
}

// Refuses a request that cannot be read to its end. The bytes that follow it on the connection have
// no meaning, so the connection ends.
Exchange::Next Exchange::RefuseUnread(const Refusal& refusal, Output& out) {
  return Refuse(refusal, RequestParser::PathIn(buffer_), out);
}

// The connection ends, so that a client that reads nothing cannot make the refusals pile up.
Exchange::Next Exchange::Refuse(const Refusal& refusal, std::string_view path, Output& out) {
  if (IsControlPath(path) && server_.has_control) {
    AppendControlAnswer({.http_status = refusal.http_status, .body = ControlErrorBody(refusal)},
                        true, true, out);
  } else {
    AppendApiRefusal(refusal, true, out);
  }
  return Next::kLinger;
}

Exchange::Next Exchange::Proceed(Next next) {
  if (next == Next::kRead) {
    if (!parser_.in_progress()) return clock_.is_draining() ? Next::kClose : Next::kRead;
    if (deadline_ == 0) deadline_ = clock_.Deadline();
  } else if (next == Next::kLinger && clock_.is_draining()) {
    if (buffer_.empty() && !peer_.HasSent()) return Next::kClose;
  }
  return next;
}

void Exchange::ExtendSending() {
  deadline_ = clock_.SendDeadline();
  if (!parser_.in_progress()) buffer_.ReleaseExcess();
}

void Exchange::CountUnsent(std::size_t capacity_bytes) {
  unsent_bytes_ = capacity_bytes;
  CountAnswers();
}

void Exchange::EndSending() {
  CountUnsent(0);
  deadline_ = 0;
}

void Exchange::CountAnswers() {
  const std::int64_t bytes =
      Limits::BytesThatCount(unsent_bytes_) + Limits::BytesThatCount(held_.capacity());
  if (bytes == counted_bytes_) return;
  server_.limits.AddBytes(bytes - std::exchange(counted_bytes_, bytes));
}

OutputBuffer Exchange::TakeHeld() {
  is_holding_ = false;
  OutputBuffer answer = std::exchange(held_, {});
  CountAnswers();
  return answer;
}

void Exchange::BeginLingering() {
  deadline_ = clock_.Deadline();
  is_lingering_ = true;
  buffer_.Release();
}

bool Exchange::CanEnd() {
  return is_lingering_ || (is_reading_ && !parser_.in_progress() && !peer_.HasSent());
}

Exchange::Idleness Exchange::idleness() {
  if (is_reading_ && !parser_.in_progress()) {
    return peer_.HasSent() ? Idleness::kBusy : Idleness::kIdle;
  }
  const bool is_stalled = (is_reading_ || is_lingering_) && clock_.IsLongBefore(deadline_);
  return is_stalled ? Idleness::kStalled : Idleness::kBusy;
}

}  // namespace hashrange
