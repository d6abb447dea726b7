// Connection: one socket, from accept to close. It reads requests into its own buffer,
// answers those that are complete, in order, and sends the answers of a batch at once.
//
//            ┌────────────── more requests in the buffer ─────────────┐
//   read ──► answer what is complete ──► send ──► read                │
//                 (a worker may defer it)  ├────► serve ──────────────┘
//                                          ├────► hold (send_after) ──► send
//                                          ├────► wait until the changes are safe ──► send
//                                          ├────► control (on its thread) ──► send
//                                          ├────► long call (on its thread) ──► hold, wait or send
//                                          └────► linger: no more output; discard
//                                                 input until the peer closes
//
// Exactly one asynchronous operation, or one deferred sending, is outstanding at any time. The
// connection is destroyed only where this operation completes, in Start when the first read fails,
// or with its worker. While an answer waits or is being sent, no request is read: a peer that does
// not take its answers cannot make the server work. Their memory counts in the server's limits, and
// a peer that takes no byte for some time is disconnected. Used only on its worker's thread.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string_view>

#include "base/durability.h"
#include "control/control_request.h"
#include "operation/dispatch.h"
#include "platform/net/socket_owner.h"
#include "server/http/http_answer.h"
#include "server/http/long_calls.h"
#include "server/http/request_parser.h"

namespace hashrange {

class Worker;

// This type uses the executor of io_context, not a type-erased one: that saves an indirection for
// each operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class Connection {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using Place = std::list<std::unique_ptr<Connection>>::iterator;

  // How readily the connection is closed to make room for a new one.
  enum class Idleness {
    kBusy,     // not at all: a request is under way, or an answer is not sent yet
    kStalled,  // has sent a part of a request, or has not closed its end, for long
    kIdle,     // waits for a request
  };

  // The server's limits have counted the connection already; the destructor returns it to them.
  // `has_spare_place`: its place is above the limit.
  Connection(Worker& worker, Socket socket, bool has_spare_place);
  ~Connection();

  // Begins to read. May destroy the connection. `place` is its place in the worker's list.
  void Start(Place place);
  // Ends the connection because the server stops: now if no request is under way, otherwise after
  // the answer to that request.
  void Drain();
  // Ends the connection now, whatever is under way.
  void Close();
  // Sends the answer that is held: its time has come, or what it rests on is safe.
  void SendHeld();
  // Sends the answers that this connection has deferred: a part of the worker's output.
  void SendDeferred(std::string_view answers);
  // Returns whether an answer is held for a client that is probably gone: the peer has ended its
  // sending side.
  bool IsAbandoned();
  // Returns whether the connection must end because its peer was too slow.
  bool IsOverdue(std::int64_t tick);
  Idleness idleness();
  // Returns when the connection began to wait for a request. If it waited several times during one
  // tick of its worker, the first of these times counts.
  SteadyClock::time_point idle_since() const { return idle_since_; }
  bool has_spare_place() const { return has_spare_place_; }

 private:
  using Code = boost::system::error_code;
  // What the connection does after the output is sent.
  enum class Next { kRead, kServe, kHold, kWait, kControl, kLongCall, kLinger, kClose };

  template <typename Step>
  void Guard(Step step);

  void Read();
  void Serve();
  // Answers the complete requests in the buffer. `begun`: the time at which the call started.
  Next AnswerBuffered(Output& out, SteadyClock::time_point begun);
  Next AnswerOne(Output& out);
  // Returns what is to be done with the answer, which begins at `before` in the output. An answer
  // that is not to be sent yet is moved to held_.
  Next Settle(const ApiAnswer& answer, std::size_t before, Next next, Output& out);
  void Send(std::string_view answers, Next next);
  void SendRest();
  void Proceed(Next next);
  Next AnswerControl(bool close, Output& out);
  // Returns whether the connection still exists: the peer has at most ended its sending side.
  bool IsEstablished();
  Next RefuseUnread(const Refusal& refusal, Output& out);
  Next Refuse(const Refusal& refusal, std::string_view path, Output& out);
  PeerUser peer_user();
  int UnacknowledgedBytes();
  // Counts the memory of the answers that wait in the server's limits.
  void CountAnswers();
  void Hold();
  void PostControl();
  void PostLongCall();
  void Linger();
  void Remove();

  Worker& worker_;
  Socket socket_;
  Place place_;
  ReadBuffer buffer_;
  RequestParser parser_;
  OutputBuffer unsent_;                      // the answers that did not fit into the socket
  std::size_t sent_ = 0;                     // how many bytes of unsent_ are sent already
  Next next_ = Next::kRead;                  // the step after deferred or unsent answers are sent
  int unacknowledged_ = 0;                   // bytes that the peer had not taken at the last look
  OutputBuffer held_;                        // the answer that is held; empty: no answer is sent
  std::int64_t counted_bytes_ = 0;           // of unsent_ and held_, in the server's limits
  std::unique_ptr<ControlRequest> control_;  // the control request to be posted to its thread
  std::shared_ptr<OwnedRequest> long_call_;  // the long call to be posted to its thread
  Next after_held_ = Next::kServe;  // the step after a held answer, or a control answer, is sent
  std::int64_t hold_ms_ = 0;
  Durability::Position safe_after_ = 0;  // the held answer may be sent when this is safe
  std::unique_ptr<boost::asio::steady_timer> timer_;  // created when first needed
  std::int64_t deadline_ = 0;                         // in the worker's ticks; 0: none
  SteadyClock::time_point idle_since_;
  std::int64_t idle_tick_ = 0;         // the tick of idle_since_
  std::optional<PeerUser> peer_user_;  // null: nobody has asked
  const bool has_spare_place_;
  bool reading_ = false;  // waiting for a request or the rest of one
  bool holding_ = false;  // an answer is held until it may be sent
  bool lingering_ = false;
  bool was_slow_ = false;  // the last call of Serve took longer than Worker::kMaxDeferral
  bool closed_ = false;
};

}  // namespace hashrange
