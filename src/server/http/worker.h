// Worker: one thread with its io_context, its connections, and their answers that wait for the
// disk. A connection stays with one worker until its end, so no locks are needed.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include "base/durability.h"
#include "server/exchange/exchange.h"
#include "server/exchange/exchange_clock.h"
#include "server/exchange/http_answer.h"
#include "server/exchange/limits.h"
#include "server/http/connection.h"
#include "server/http/control_threads.h"
#include "server/http/long_calls.h"

namespace hashrange {

// The connections of one worker whose answers wait until the log of all changes is
// safe (base/durability.h). When more of the log becomes safe, the thread of the log wakes the
// worker once, and the worker sends the answers of all connections that need not wait any longer.
class WaitingAnswers : public Durability::Listener {
 public:
  // `durability` null: no answer waits. `io` runs the worker's thread. Both outlive this object.
  WaitingAnswers(Durability* durability, boost::asio::io_context& io);
  ~WaitingAnswers() override;
  WaitingAnswers(const WaitingAnswers&) = delete;
  WaitingAnswers& operator=(const WaitingAnswers&) = delete;

  // These are called on the worker's thread. The positions of a worker's answers ascend.
  bool MustWait(Durability::Position position) const {
    return durability_ && position > durability_->safe();
  }
  // Calls Connection::SendHeld when the position is safe. Until then the connection exists.
  void Add(Connection& connection, Durability::Position position);
  // Sends what need not wait any longer. The worker calls it now and then, in case that the log's
  // thread found no memory to wake the worker.
  void SendSafe();

  void OnSafe(Durability::Position safe) noexcept override;

 private:
  static constexpr Durability::Position kNobody = std::numeric_limits<std::uint64_t>::max();

  struct Waiting {
    Durability::Position position;
    Connection* connection;
  };

  Durability* const durability_;
  boost::asio::io_context& io_;
  std::deque<Waiting> waiting_;
  std::atomic<Durability::Position> first_{kNobody};  // the position of the first that waits
  std::atomic<bool> is_woken_{false};                 // a call of SendSafe is posted
};

class Worker {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // The parts that all workers of a server share. They outlive the workers.
  struct Shared {
    ExchangeServer server;
    std::chrono::milliseconds patience;  // see HttpServer::Options
    ControlThreads control;
    LongCalls long_calls;
  };

  explicit Worker(Shared& shared);
  ~Worker();

  // The functions up to Join may be called from any thread; Join not from the worker's own.
  boost::asio::io_context& io() { return io_; }
  void Start();
  // Takes a new connection, which the limits have counted already.
  void Adopt(Socket socket, bool has_spare_place);
  // Ends idle connections now, the others after their answer, and all that remain after `grace`.
  void Stop(std::chrono::milliseconds grace);
  void Join();

  // The functions from here on are called on this worker's thread.

  // A connection that may be closed to make room for a new one.
  struct Closable {
    Connection* connection = nullptr;  // null: there is none
    Connection::Idleness idleness = Connection::Idleness::kBusy;
    SteadyClock::time_point idle_since;

    // Returns whether this one is rather to be closed than `other`.
    bool IsBefore(const Closable& other) const {
      if (idleness != other.idleness) return idleness > other.idleness;
      return connection && idle_since < other.idle_since;
    }
  };
  // Returns the connection that has been idle longest; without an idle one, one that has stalled.
  // Cost: O(connections that are busy for longer than this one is idle).
  Closable FindClosable() const;

  // The functions from here on are called by this worker's connections.
  ExchangeServer& server() { return shared_.server; }
  ExchangeClock& clock() { return clock_; }
  ControlThreads& control() { return shared_.control; }
  LongCalls& long_calls() { return shared_.long_calls; }
  WaitingAnswers& waiting() { return waiting_; }
  // Returns the output with a new slice. All connections share one output, so that idle connections
  // need no memory for answers.
  Output& BeginAnswers();
  // Releases the memory of large answers that are sent.
  void EndAnswers();
  // Returns true when the worker will send the last slice, which was answered at `now`, after the
  // other requests that have arrived are answered too. Then the answers are sent together, and a
  // client with several connections wakes up once. Returns false when the connection must send its
  // slice now: it is the only connection, or the slice is large or empty.
  bool Defer(Connection& connection, SteadyClock::time_point now);
  // Sends all deferred answers. A slow connection calls it before it serves its next requests.
  void SendDeferred();
  // Sends all deferred answers if the oldest has waited longer than Exchange::kMaxDeferral.
  void SendOverdue(SteadyClock::time_point now);
  // Called for a connection that now waits for a request: the connections are in the order of their
  // idle_since().
  void MoveToEnd(Connection::Place place) {
    connections_.splice(connections_.end(), connections_, place);
  }
  // Destroys the connection.
  void Remove(Connection::Place place);

 private:
  // The answers of one connection that wait in the output.
  struct Deferred {
    Connection* connection;
    std::size_t begin;
    std::size_t end;
  };

  void Add(Socket socket, bool has_spare_place);
  void Tick();
  void Drain(std::chrono::milliseconds grace);

  Shared& shared_;
  ExchangeClock clock_;  // one timer for all connections
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer tick_timer_;
  boost::asio::steady_timer grace_timer_;
  std::list<std::unique_ptr<Connection>> connections_;
  WaitingAnswers waiting_;
  Output output_;
  std::vector<Deferred> deferred_;
  SteadyClock::time_point first_deferred_;  // when the oldest of `deferred_` was answered
  bool sending_is_due_ = false;             // a call of SendDeferred is posted
  bool ticking_ = false;
  std::thread thread_;
};

}  // namespace hashrange
