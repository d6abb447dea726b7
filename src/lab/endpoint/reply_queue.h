// ReplyQueue: the replies of an endpoint, from the client's thread to the lab's own, in the order
// in which they came. Thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "remote/client/service_client.h"

namespace hashrange {

// A moment of the machine's time, which nobody moves.
using Instant = std::chrono::steady_clock::time_point;

struct QueuedReply {
  std::uint64_t request = 0;  // as the sender numbers them
  Instant came = {};
  ServiceReply reply = {};
};

class ReplyQueue {
 public:
  void Push(QueuedReply reply);
  // Returns the earliest reply; waits for one until `end` at most. Nothing: none came.
  std::optional<QueuedReply> TakeUntil(Instant end);
  // Returns the earliest reply, if it came before `end`; does not wait.
  std::optional<QueuedReply> TakeIfBefore(Instant end);

 private:
  QueuedReply TakeFront();

  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<QueuedReply> replies_;
};

// Sends a request whose reply comes into the queue, which lives as long as a request is open.
void SendInto(const std::shared_ptr<ReplyQueue>& queue, std::uint64_t request,
              std::string_view operation, std::string json, ServiceClient& client);

}  // namespace hashrange
