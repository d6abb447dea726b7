// Connection: one socket, from accept to close. It reads requests into its own buffer,
// answers those that are complete, in order, and sends the answers of a batch at once.
//
//            ┌────────────── more requests in the buffer ─────────────┐
//   read ──► answer what is complete ──► send ──► read                │
//                 (a worker may defer it)  ├────► serve ──────────────┘
//                                          ├────► hold (send_after) ──► send
//                                          ├────► control (on its thread) ──► send
//                                          └────► linger: no more output; discard
//                                                 input until the peer closes
//
// Exactly one asynchronous operation, or one deferred sending, is outstanding at any time;
// its completion is the only place where a connection is destroyed. While an answer waits or is
// being sent nothing is read, so a peer that does not listen is not listened to. Used only on its
// worker's thread.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>

#include "control/control_request.h"
#include "http/output.h"
#include "http/read_buffer.h"
#include "http/refusal.h"
#include "http/request_parser.h"

namespace hashrange {

class Worker;

// Bound to io_context, not to any executor: one indirection less for each operation.
using Socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class Connection {
 public:
  using Place = std::list<std::unique_ptr<Connection>>::iterator;

  // Counted by the server's limits already; no longer once it is destroyed.
  Connection(Worker& worker, Socket socket);
  ~Connection();

  // `place` is where the worker keeps it.
  void Start(Place place);
  // The server stops: ends now if no request is under way, else after its answer.
  void Drain();
  // Ends now, whatever is under way.
  void Close();
  // Sends the answers it left with the worker.
  void SendDeferred(std::string_view answers);
  // Whether its answer is held and nobody may be waiting for it: the peer sends no more, and has
  // probably closed.
  bool IsAbandoned();
  bool IsOverdue(std::int64_t tick) const { return deadline_ != 0 && tick >= deadline_; }

 private:
  using Code = boost::system::error_code;
  using SteadyClock = std::chrono::steady_clock;
  // What follows once the output is sent.
  enum class Next { kRead, kServe, kHold, kControl, kLinger, kClose };

  template <typename Step>
  void Guard(Step step);

  void Read();
  void Serve();
  // `begun`: when it was called.
  Next AnswerBuffered(Output& out, SteadyClock::time_point begun);
  Next AnswerOne(Output& out);
  void Send(std::string_view answers, Next next);
  void SendRest();
  void Proceed(Next next);
  Next AnswerControl(bool close, Output& out);
  // Whether nobody has broken the connection off so far.
  bool IsEstablished();
  Next RefuseUnread(const Refusal& refusal, Output& out);
  void Hold();
  void Control();
  void Linger();
  void Remove();

  Worker& worker_;
  Socket socket_;
  Place place_;
  ReadBuffer buffer_;
  RequestParser parser_;
  OutputBuffer unsent_;                      // what a full socket did not take
  std::size_t sent_ = 0;                     // of it, meanwhile
  Next next_ = Next::kRead;                  // after what is deferred or unsent
  OutputBuffer held_;                        // the answer that waits for its time; empty: dropped
  std::unique_ptr<ControlRequest> control_;  // the request that waits for its answer
  Next after_held_ = Next::kServe;
  std::int64_t hold_ms_ = 0;
  std::unique_ptr<boost::asio::steady_timer> timer_;  // made when first needed
  std::int64_t deadline_ = 0;                         // in the worker's ticks; 0: none
  bool reading_ = false;                              // waiting for a request or the rest of one
  bool holding_ = false;                              // an answer, until its time has come
  bool lingering_ = false;
  bool was_slow_ = false;  // the last time it was served, for longer than answers may be deferred
  bool closed_ = false;
};

}  // namespace hashrange
