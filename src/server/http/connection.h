// Connection: one socket, from accept to close. Its exchange (server/exchange/exchange.h) says what
// is to be done with the bytes of the peer; the connection reads and sends them, waits for what an
// answer waits for, and has control calls and long calls made on their threads. The answers of a
// batch are sent at once, and the worker may defer that.
//
// Exactly one asynchronous operation, or one deferred sending, is outstanding at any time. The
// connection is destroyed only where this operation completes, in Start when the first read fails,
// or with its worker. A peer that takes no byte of its answers for some time is disconnected. Used
// only on its worker's thread.
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

#include "base/memory/output_buffer.h"
#include "platform/net/peer_user.h"
#include "server/exchange/exchange.h"

namespace hashrange {

class Worker;

// This type uses the executor of io_context, not a type-erased one: that saves an indirection for
// each operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class Connection final : private ExchangePeer {
 public:
  using SteadyClock = Exchange::SteadyClock;
  using Idleness = Exchange::Idleness;
  using Place = std::list<std::unique_ptr<Connection>>::iterator;

  // The server's limits have counted the connection already; the destructor returns it to them.
  // `has_spare_place`: its place is above the limit.
  Connection(Worker& worker, Socket socket, bool has_spare_place);

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
  bool IsOverdue();
  Idleness idleness() { return closed_ ? Idleness::kBusy : exchange_.idleness(); }
  SteadyClock::time_point idle_since() const { return exchange_.idle_since(); }
  bool has_spare_place() const { return exchange_.has_spare_place(); }

 private:
  using Code = boost::system::error_code;
  using Next = Exchange::Next;

  bool IsLoopback() override;
  PeerUser User() override;
  bool HasSent() override;

  template <typename Step>
  void Guard(Step step);

  void Read();
  void Serve();
  void Send(std::string_view answers, Next next);
  void SendRest();
  void Proceed(Next next);
  // Returns whether the connection still exists: the peer has at most ended its sending side.
  bool IsEstablished();
  int UnacknowledgedBytes();
  void Hold();
  void PostControl();
  void PostLongCall();
  void Linger();
  void Remove();

  Worker& worker_;
  Socket socket_;
  Place place_;
  Exchange exchange_;
  OutputBuffer unsent_;      // the answers that did not fit into the socket
  std::size_t sent_ = 0;     // how many bytes of unsent_ are sent already
  Next next_ = Next::kRead;  // the step after deferred or unsent answers are sent
  int unacknowledged_ = 0;   // bytes that the peer had not taken at the last look
  std::unique_ptr<boost::asio::steady_timer> timer_;  // created when first needed
  std::optional<PeerUser> user_;                      // null: nobody has asked
  bool was_slow_ = false;  // the last call of Serve took longer than Exchange::kMaxDeferral
  bool closed_ = false;
};

}  // namespace hashrange
