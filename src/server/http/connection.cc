#include "server/http/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "control/control_request.h"
#include "platform/net/socket_owner.h"
#include "platform/net/sockets.h"
#include "server/exchange/http_answer.h"
#include "server/exchange/owned_request.h"
#include "server/exchange/router.h"
#include "server/http/control_threads.h"
#include "server/http/long_calls.h"
#include "server/http/step_memory.h"
#include "server/http/worker.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

bool IsLoopbackAddress(const asio::ip::address& address) {
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).is_loopback();
  }
  return address.is_loopback();
}

}  // namespace

Connection::Connection(Worker& worker, Socket socket, bool has_spare_place)
    : worker_(worker),
      socket_(std::move(socket)),
      exchange_(worker.server(), worker.clock(), *this, has_spare_place) {}

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
  if (exchange_.CanEnd()) Close();
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
bool Connection::IsOverdue() {
  if (!exchange_.IsOverdue()) return false;
  const int before = std::exchange(unacknowledged_, UnacknowledgedBytes());
  if (unsent_.size() == 0 || unacknowledged_ >= before) return true;
  exchange_.ExtendSending();
  return false;
}

int Connection::UnacknowledgedBytes() {
  return hashrange::UnacknowledgedBytes(socket_.native_handle());
}

bool Connection::IsAbandoned() {
  if (!exchange_.is_holding() || closed_) return false;
  return IsClosedByPeer(socket_.native_handle());
}

bool Connection::IsLoopback() {
  Code unknown;
  const tcp::endpoint peer = socket_.remote_endpoint(unknown);
  return !unknown && IsLoopbackAddress(peer.address());
}

// The user is found while the connection exists: later, its addresses may belong to another
// connection.
PeerUser Connection::User() {
  if (user_) return *user_;
  user_ = PeerUser::kOther;
  if (!IsEstablished()) return *user_;
  Code unknown;
  const tcp::endpoint peer = socket_.remote_endpoint(unknown);
  const PeerUser found = FindPeerUser(peer, socket_.local_endpoint(unknown));
  if (!unknown && IsEstablished()) user_ = found;
  return *user_;
}

bool Connection::HasSent() {
  Code ignored;
  return socket_.available(ignored) > 0;
}

void Connection::Read() {
  const std::span<char> room = exchange_.BeginReading();
  if (room.empty()) {
    Output out;
    const Next next = exchange_.RefuseForMemory(out);
    return Send(out.pending(), next);
  }
  if (exchange_.BeginsToWait()) worker_.MoveToEnd(place_);
  socket_.async_read_some(asio::buffer(room.data(), room.size()),
                          [this](const Code& ec, std::size_t count) {
                            if (ec || closed_) return Remove();
                            exchange_.Received(count);
                            Guard([this] { Serve(); });
                          });
}

void Connection::Serve() {
  // A connection that was slow will probably be slow again: the answers of other connections are
  // sent first.
  if (was_slow_) worker_.SendDeferred();
  Output& out = worker_.BeginAnswers();
  const auto begun = SteadyClock::now();
  const Next next = exchange_.Answer(out, begun);
  const auto now = SteadyClock::now();
  was_slow_ = now - begun > Exchange::kMaxDeferral;
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

// Most answers fit into the socket at once. The bytes that do not fit are copied from the worker's
// output into the connection's own buffer.
void Connection::Send(std::string_view answers, Next next) {
  if (!answers.empty()) {
    Code ec;
    const std::size_t sent = socket_.write_some(asio::buffer(answers.data(), answers.size()), ec);
    if (ec && ec != asio::error::would_block) return Remove();
    if (sent < answers.size()) {
      unsent_.Append(answers.substr(sent));
      exchange_.CountUnsent(unsent_.capacity());
      sent_ = 0;
      next_ = next;
      return SendRest();
    }
  }
  Proceed(next);
}

void Connection::SendRest() {
  exchange_.ExtendSending();
  unacknowledged_ = UnacknowledgedBytes();
  const std::string_view pending = unsent_.view().substr(sent_);
  socket_.async_write_some(asio::buffer(pending.data(), pending.size()),
                           [this](const Code& ec, std::size_t count) {
                             if (ec || closed_) return Remove();
                             sent_ += count;
                             if (sent_ < unsent_.size()) return Guard([this] { SendRest(); });
                             unsent_ = {};
                             exchange_.EndSending();
                             Guard([this] { Proceed(next_); });
                           });
}

void Connection::Proceed(Next next) {
  switch (exchange_.Proceed(next)) {
    case Next::kRead:
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
      exchange_.BeginHolding();
      return worker_.waiting().Add(*this, exchange_.safe_after());
    case Next::kControl:
      return PostControl();
    case Next::kLongCall:
      return PostLongCall();
    case Next::kLinger:
      return Linger();
    case Next::kClose:
      return Remove();
  }
}

void Connection::Hold() {
  if (!timer_) timer_ = std::make_unique<asio::steady_timer>(socket_.get_executor());
  timer_->expires_after(std::chrono::milliseconds(exchange_.hold_ms()));
  exchange_.BeginHolding();
  timer_->async_wait([this](const Code&) {
    if (closed_ || !exchange_.MustWait()) return SendHeld();
    Guard([this] { Proceed(Next::kWait); });
  });
}

void Connection::SendHeld() {
  const OutputBuffer answer = exchange_.TakeHeld();
  if (closed_) return Remove();
  Guard([&] { Send(answer.view(), exchange_.after_held()); });
}

// Posts the control request to its thread. The answer is posted back to the worker and sent there,
// also where no memory is left: a client whose answer is lost would wait for ever.
void Connection::PostControl() {
  auto& io = worker_.io();
  const std::unique_ptr<ControlRequest> request = exchange_.TakeControl();
  const bool with_body = request->method != "HEAD";
  auto done = [this, &io, with_body,
               memory = std::make_shared<StepMemory>()](ControlAnswer answer) {
    PostWithMemory(io, memory, [this, with_body, answer = std::move(answer)] {
      if (closed_) return Remove();
      Guard([this, with_body, &answer] {
        Output out;
        exchange_.AppendAnswerOfControl(answer, with_body, out);
        Send(out.pending(), exchange_.after_held());
      });
    });
  };
  worker_.control().Post(std::move(*request), std::move(done));
}

// The answer is settled and sent on the worker's thread, as that of any other call.
void Connection::PostLongCall() {
  struct LongAnswer {
    Output out;
    ApiAnswer answer;
  };
  const Next next = exchange_.after_held();
  const std::shared_ptr<OwnedRequest> call = exchange_.TakeLongCall();
  const auto memory = std::make_shared<StepMemory>();
  const auto long_answer = std::make_shared<LongAnswer>();
  const auto make = [call, long_answer, close = next == Next::kLinger, &server = worker_.server()] {
    Output& out = long_answer->out;
    try {
      long_answer->answer =
          RouteRequest(server.handler, server.routing, call->request(), close, out);
    } catch (const std::exception& failure) {
      Log(LogLevel::kError, failure.what());
      long_answer->answer.drop = true;
    }
  };
  const auto settle = [this, long_answer, next] {
    if (closed_) return Remove();
    Guard([&] {
      Output& out = long_answer->out;
      const Next then = exchange_.Settle(long_answer->answer, 0, next, out);
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
  if (!exchange_.is_lingering()) {
    Code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    exchange_.BeginLingering();
  }
  const std::span<char> room = exchange_.RoomToDiscard();
  socket_.async_read_some(asio::buffer(room.data(), room.size()),
                          [this](const Code& ec, std::size_t) {
                            if (ec || closed_) return Remove();
                            Guard([this] { Linger(); });
                          });
}

}  // namespace hashrange
