// Worker: one thread with its io_context and the connections it was given. A connection
// stays on its worker for life, so nothing here is locked.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/api_handler.h"
#include "http/browser_access.h"
#include "http/connection.h"
#include "http/control_threads.h"
#include "http/limits.h"
#include "http/output.h"

namespace hashrange {

class Worker {
 public:
  using SteadyClock = std::chrono::steady_clock;

  // How long an answer that is ready may wait for those of other connections; also, how long
  // serving may take before it counts as slow.
  static constexpr std::chrono::microseconds kMaxDeferral{200};

  // What all workers of a server share, and outlives them.
  struct Shared {
    ApiHandler handler;
    BrowserAccess browsers;
    Limits limits;
    std::string control_token;
    std::vector<std::string> file_folders;  // http_server.h
    // A request, once begun, and each piece of an answer have so long to make progress.
    std::chrono::milliseconds patience;
    ControlThreads control;
  };

  explicit Worker(Shared& shared);
  ~Worker();

  // From any thread, except Join, which is not for the worker's own.
  boost::asio::io_context& io() { return io_; }
  void Start();
  // A connection that the limits have counted.
  void Adopt(Socket socket);
  // Ends idle connections now, the others after their answer, all of them after `grace`.
  void Stop(std::chrono::milliseconds grace);
  void Join();

  // What follows is for this worker's connections, on its thread.
  const ApiHandler& handler() const { return shared_.handler; }
  const BrowserAccess& browsers() const { return shared_.browsers; }
  Limits& limits() { return shared_.limits; }
  const std::vector<std::string>& file_folders() const { return shared_.file_folders; }
  const std::string& control_token() const { return shared_.control_token; }
  ControlThreads& control() { return shared_.control; }
  bool draining() const { return draining_; }
  // Where answers are put together, with a fresh slice: one for all connections, so that
  // idle ones hold none.
  Output& BeginAnswers();
  // Takes on to send the last slice, which was answered at `now`, when the other requests that
  // have arrived are answered too: then the sends come in one go, and a client of several
  // connections wakes up once. False when it is to be sent now: there is nobody to wait for, or
  // it is large or empty.
  bool Defer(Connection& connection, SteadyClock::time_point now);
  // Sends all that is deferred. A connection calls it before it serves what took long last time.
  void SendDeferred();
  // The same if the oldest deferred answer has waited longer than kMaxDeferral.
  void SendOverdue(SteadyClock::time_point now);
  // The tick at which something begun now is overdue.
  std::int64_t Deadline() const { return tick_ + kPatienceTicks; }
  // Destroys the connection.
  void Remove(Connection::Place place);

 private:
  // Time is counted in coarse ticks by one timer for all connections: a deadline costs a
  // request one store.
  static constexpr int kPatienceTicks = 30;

  // Answers of one connection that wait in the output.
  struct Deferred {
    Connection* connection;
    std::size_t begin;
    std::size_t end;
  };

  void Add(Socket socket);
  void Tick();
  void Drain(std::chrono::milliseconds grace);

  Shared& shared_;
  const std::chrono::milliseconds tick_length_;
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::steady_timer tick_timer_;
  boost::asio::steady_timer grace_timer_;
  std::list<std::unique_ptr<Connection>> connections_;
  Output output_;
  std::vector<Deferred> deferred_;
  SteadyClock::time_point first_deferred_;  // when the oldest of them was answered
  bool sending_is_due_ = false;             // a call of SendDeferred is posted
  std::int64_t tick_ = 1;
  bool ticking_ = false;
  bool draining_ = false;
  std::thread thread_;
};

}  // namespace hashrange
