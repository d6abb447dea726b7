// WaitingAnswers: the connections of one worker whose answers wait until the log of all changes is
// safe (base/durability.h). When more of the log becomes safe, the thread of the log wakes the
// worker once, and the worker sends the answers of all connections that need not wait any longer.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "base/durability.h"

namespace hashrange {

class Connection;

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

}  // namespace hashrange
