#include "server/http/connection.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "platform/net/socket_owner.h"
#include "platform/net/sockets.h"
#include "server/http/control_threads.h"
#include "server/http/http_access.h"
#include "server/http/http_answer.h"
#include "server/http/router.h"
#include "server/http/step_memory.h"
#include "server/http/worker.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

// A batch ends with the answer that reaches one of these limits or Worker::kMaxDeferral, so that
// pipelined requests of one connection delay neither their first answer nor other connections for
// long.
constexpr int kBatchRequests = 32;
constexpr std::size_t kBatchBytes = 64 << 10;

// Returns a number that no other connection of the process has.
std::uint64_t NextConnectionNumber() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

constexpr std::int64_t kMaxHoldMs = std::int64_t{24} * 60 * 60 * 1000;

bool IsLoopback(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
  }
  return address.is_loopback();
}

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

Connection::Connection(Worker& worker, Socket socket, bool has_spare_place)
    : worker_(worker),
      socket_(std::move(socket)),
      buffer_(&worker.limits()),
      parser_(NextConnectionNumber()),
      has_spare_place_(has_spare_place) {}

Connection::~Connection() {
  worker_.limits().ReturnBytes(counted_bytes_);
  worker_.limits().ReturnConnection();
}

// Runs one step of the connection. An exception, such as std::bad_alloc, ends this connection, not
// the server. No code may touch the connection after Guard: the step may have destroyed it.
template <typename Step>
void Connection::Guard(Step step) {
  try {
    step();
  } catch (const std::exception& failure) {
    Log(LogLevel::kError, failure.what());
    Remove();
  }
}

void Connection::Start(Place place) {
  place_ = place;
  Code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  socket_.non_blocking(true, ignored);
  Guard([this] { Read(); });
}

void Connection::Drain() {
  Code ignored;
  const bool idle = reading_ && !parser_.in_progress() && socket_.available(ignored) == 0;
  if (idle || lingering_) Close();
}

void Connection::Close() {
  closed_ = true;
  Code ignored;
  socket_.close(ignored);
  if (timer_) timer_->cancel();
}

void Connection::Remove() { worker_.Remove(place_); }

bool Connection::IsEstablished() { return hashrange::IsEstablished(socket_.native_handle()); }

// A peer that reads slowly takes bytes from the socket long before the socket has room for more.
bool Connection::IsOverdue(std::int64_t tick) {
  if (deadline_ == 0 || tick < deadline_) return false;
  const int before = std::exchange(unacknowledged_, UnacknowledgedBytes());
  if (unsent_.size() == 0 || unacknowledged_ >= before) return true;
  deadline_ = worker_.SendDeadline();
  return false;
}

int Connection::UnacknowledgedBytes() {
  return hashrange::UnacknowledgedBytes(socket_.native_handle());
}

Connection::Idleness Connection::idleness() {
  if (closed_) return Idleness::kBusy;
  if (reading_ && !parser_.in_progress()) {
    Code ignored;
    return socket_.available(ignored) == 0 ? Idleness::kIdle : Idleness::kBusy;
  }
  const bool is_stalled = (reading_ || lingering_) && worker_.IsLongBefore(deadline_);
  return is_stalled ? Idleness::kStalled : Idleness::kBusy;
}

bool Connection::IsAbandoned() {
  if (!holding_ || closed_) return false;
  return IsClosedByPeer(socket_.native_handle());
}

void Connection::Read() {
  const std::span<char> room = buffer_.Prepare();
  if (room.empty()) {
    Output out;
    const Next next = RefuseUnread(kNoMemory, out);
    return Send(out.pending(), next);
  }
  // Once in a tick is exact enough, and costs the other requests nothing.
  if (!parser_.in_progress() && idle_tick_ != worker_.tick()) {
    idle_tick_ = worker_.tick();
    idle_since_ = SteadyClock::now();
    worker_.MoveToEnd(place_);
  }
  reading_ = true;
  socket_.async_read_some(asio::buffer(room.data(), room.size()),
                          [this](const Code& ec, std::size_t count) {
                            if (ec || closed_) return Remove();
                            reading_ = false;
                            buffer_.Commit(count);
                            Guard([this] { Serve(); });
                          });
}

void Connection::Serve() {
  // A connection that was slow will probably be slow again: the answers of other connections are
  // sent first.
  if (was_slow_) worker_.SendDeferred();
  Output& out = worker_.BeginAnswers();
  const auto begun = SteadyClock::now();
  const Next next = AnswerBuffered(out, begun);
  const auto now = SteadyClock::now();
  was_slow_ = now - begun > Worker::kMaxDeferral;
  worker_.SendOverdue(now);
  if (!was_slow_ && (next == Next::kRead || next == Next::kServe)) {
    next_ = next;
    if (worker_.Defer(*this, now)) return;
  }
  Worker& worker = worker_;  // Send may destroy the connection
  Send(out.pending(), next);
  worker.EndAnswers();
}

void Connection::SendDeferred(std::string_view answers) {
  if (closed_) return Remove();
  Guard([this, answers] { Send(answers, next_); });
}

Connection::Next Connection::AnswerBuffered(Output& out, SteadyClock::time_point begun) {
  for (int answered = 0; answered < kBatchRequests && out.pending().size() < kBatchBytes;
       ++answered) {
    if (answered > 0 && !buffer_.empty() && SteadyClock::now() - begun > Worker::kMaxDeferral)
      break;
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

Connection::Next Connection::AnswerOne(Output& out) {
  deadline_ = 0;
  const std::size_t before = out.bytes.size();
  const HttpRequest& request = parser_.request();
  const bool close =
      worker_.draining() || !request.keep_alive || IsRefusedRoot(worker_.routing(), request);
  if (worker_.limits().AreBytesExceeded()) return Refuse(kNoMemory, request.path, out);
  if (IsControlPath(request.path) && worker_.control().has_handler()) {
    return AnswerControl(close, out);
  }
  if (has_spare_place_ && worker_.limits().AreConnectionsExceeded() && !IsHealthRequest(request)) {
    return Refuse(kNoPlace, request.path, out);
  }
  const Next next = close ? Next::kLinger : Next::kServe;
  const ApiAnswer answer = RouteRequest(worker_.handler(), worker_.routing(), request, close, out);
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

Connection::Next Connection::Settle(const ApiAnswer& answer, std::size_t before, Next next,
                                    Output& out) {
  if (answer.drop) next = Next::kClose;
  const bool must_wait = worker_.waiting().MustWait(answer.safe_after);
  if (!answer.drop && answer.send_after_ms <= 0 && !must_wait) return next;
  if (!answer.drop) held_.Append(out.bytes.view().substr(std::max(before, out.begin)));
  CountAnswers();
  out.DropFrom(before);
  if (answer.send_after_ms <= 0 && !must_wait) return next;
  hold_ms_ = std::min(answer.send_after_ms, kMaxHoldMs);
  safe_after_ = answer.safe_after;
  buffer_.ReleaseExcess();
  after_held_ = next;
  return hold_ms_ > 0 ? Next::kHold : Next::kWait;
}

Connection::Next Connection::AnswerControl(bool close, Output& out) {
  const HttpRequest& request = parser_.request();
  Code unknown;
  const tcp::endpoint peer = socket_.remote_endpoint(unknown);
  const bool is_loopback = !unknown && IsLoopback(peer.address());
  const auto refusal = RefuseControl(request, is_loopback, worker_.control_token());
  const Next next = close ? Next::kLinger : Next::kServe;
  if (!refusal) {
    control_ = std::make_unique<ControlRequest>(ToControlRequest(request));
    control_->files.folders = &worker_.file_folders();
    if (worker_.control_token().empty()) {
      control_->files.may_name_any_file = peer_user() == PeerUser::kOwn;
      control_->is_of_other_user = peer_user() == PeerUser::kOther;
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

// The user is found while the connection exists: later, its addresses may belong to another
// connection. A peer that has gone is not trusted.
PeerUser Connection::peer_user() {
  if (peer_user_) return *peer_user_;
  peer_user_ = PeerUser::kOther;
  if (!IsEstablished()) return *peer_user_;
  Code unknown;
  const tcp::endpoint peer = socket_.remote_endpoint(unknown);
  const PeerUser found = FindPeerUser(peer, socket_.local_endpoint(unknown));
  if (!unknown && IsEstablished()) peer_user_ = found;
  return *peer_user_;
}

// Refuses a request that cannot be read to its end. The bytes that follow it on the connection have
// no meaning, so the connection ends.
Connection::Next Connection::RefuseUnread(const Refusal& refusal, Output& out) {
  return Refuse(refusal, RequestParser::PathIn(buffer_), out);
}

// The connection ends, so that a client that reads nothing cannot make the refusals pile up.
Connection::Next Connection::Refuse(const Refusal& refusal, std::string_view path, Output& out) {
  if (IsControlPath(path) && worker_.control().has_handler()) {
    AppendControlAnswer({.http_status = refusal.http_status, .body = ControlErrorBody(refusal)},
                        true, true, out);
  } else {
    AppendApiRefusal(refusal, true, out);
  }
  return Next::kLinger;
}

// Most answers fit into the socket at once. The bytes that do not fit are copied from the worker's
// output into the connection's own buffer.
void Connection::Send(std::string_view answers, Next next) {
  if (!answers.empty()) {
    Code ec;
    const std::size_t sent = socket_.write_some(asio::buffer(answers.data(), answers.size()), ec);
    if (ec && ec != asio::error::would_block) return Remove();
    if (sent < answers.size()) {
      unsent_.Append(answers.substr(sent));
      CountAnswers();
      sent_ = 0;
      next_ = next;
      return SendRest();
    }
  }
  Proceed(next);
}

void Connection::CountAnswers() {
  const std::int64_t bytes =
      Limits::BytesThatCount(unsent_.capacity()) + Limits::BytesThatCount(held_.capacity());
  if (bytes == counted_bytes_) return;
  worker_.limits().AddBytes(bytes - std::exchange(counted_bytes_, bytes));
}

void Connection::SendRest() {
  deadline_ = worker_.SendDeadline();
  unacknowledged_ = UnacknowledgedBytes();
  if (!parser_.in_progress()) buffer_.ReleaseExcess();
  const std::string_view pending = unsent_.view().substr(sent_);
  socket_.async_write_some(asio::buffer(pending.data(), pending.size()),
                           [this](const Code& ec, std::size_t count) {
                             if (ec || closed_) return Remove();
                             sent_ += count;
                             if (sent_ < unsent_.size()) return Guard([this] { SendRest(); });
                             unsent_ = {};
                             CountAnswers();
                             deadline_ = 0;
                             Guard([this] { Proceed(next_); });
                           });
}

void Connection::Proceed(Next next) {
  switch (next) {
    case Next::kRead:
      if (!parser_.in_progress()) {
        if (worker_.draining()) return Remove();
      } else if (deadline_ == 0) {
        deadline_ = worker_.Deadline();
      }
      return Read();
    case Next::kServe:  // after the other connections had their turn
      asio::post(socket_.get_executor(), [this] {
        if (closed_) return Remove();
        Guard([this] { Serve(); });
      });
      return;
    case Next::kHold:
      return Hold();
    case Next::kWait:
      holding_ = true;
      return worker_.waiting().Add(*this, safe_after_);
    case Next::kControl:
      return PostControl();
    case Next::kLongCall:
      return PostLongCall();
    case Next::kLinger: {
      Code ignored;
      const bool unread = !buffer_.empty() || socket_.available(ignored) > 0;
      return worker_.draining() && !unread ? Remove() : Linger();
    }
    case Next::kClose:
      return Remove();
  }
}

void Connection::Hold() {
  if (!timer_) timer_ = std::make_unique<asio::steady_timer>(socket_.get_executor());
  timer_->expires_after(std::chrono::milliseconds(hold_ms_));
  holding_ = true;
  timer_->async_wait([this](const Code&) {
    if (closed_ || !worker_.waiting().MustWait(safe_after_)) return SendHeld();
    Guard([this] { Proceed(Next::kWait); });
  });
}

void Connection::SendHeld() {
  holding_ = false;
  if (closed_) return Remove();
  Guard([this] {
    const OutputBuffer answer = std::exchange(held_, {});
    CountAnswers();
    Send(answer.view(), after_held_);
  });
}

// Posts the control request to its thread. The answer is posted back to the worker and sent there,
// also where no memory is left: a client whose answer is lost would wait for ever.
void Connection::PostControl() {
  auto& io = worker_.io();
  const bool with_body = control_->method != "HEAD";
  auto done = [this, &io, with_body,
               memory = std::make_shared<StepMemory>()](ControlAnswer answer) {
    PostWithMemory(io, memory, [this, with_body, answer = std::move(answer)] {
      if (closed_) return Remove();
      Guard([this, with_body, &answer] {
        Output out;
        AppendControlAnswer(answer, after_held_ == Next::kLinger, with_body, out);
        Send(out.pending(), after_held_);
      });
    });
  };
  worker_.control().Post(std::move(*std::exchange(control_, nullptr)), std::move(done));
}

// The answer is settled and sent on the worker's thread, as that of any other call.
void Connection::PostLongCall() {
  struct LongAnswer {
    Output out;
    ApiAnswer answer;
  };
  const Next next = after_held_;
  const auto call = std::exchange(long_call_, nullptr);
  const auto memory = std::make_shared<StepMemory>();
  const auto long_answer = std::make_shared<LongAnswer>();
  const auto make = [call, long_answer, close = next == Next::kLinger, &handler = worker_.handler(),
                     &routing = worker_.routing()] {
    Output& out = long_answer->out;
    try {
      long_answer->answer = RouteRequest(handler, routing, call->request(), close, out);
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
      long_answer->answer.drop = true;
    }
  };
  const auto settle = [this, long_answer, next] {
    if (closed_) return Remove();
    Guard([&] {
      Output& out = long_answer->out;
      const Next then = Settle(long_answer->answer, 0, next, out);
      Send(out.pending(), then);
    });
  };
  const bool is_posted =
      worker_.long_calls().Post(call->size_bytes(), [&io = worker_.io(), memory, make, settle] {
        make();
        PostWithMemory(io, memory, settle);
      });
  if (is_posted) return;
  make();
  settle();
}

// Closing a socket with unread input resets the connection, and the peer may lose the last answer.
// Therefore only the sending side is shut down, until the peer closes its side or the deadline
// passes.
void Connection::Linger() {
  if (!lingering_) {
    Code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    deadline_ = worker_.Deadline();
    lingering_ = true;
    buffer_.Release();
  }
  const std::span<char> room = buffer_.Prepare();
  socket_.async_read_some(asio::buffer(room.data(), room.size()),
                          [this](const Code& ec, std::size_t) {
                            if (ec || closed_) return Remove();
                            Guard([this] { Linger(); });
                          });
}

}  // namespace hashrange
