// The replies of an endpoint: how long and for how many of them a run waits (EndpointLimits), their
// way from the client's thread to the lab's own (ReplyQueue, thread-safe), and what each says
// (EndpointAnswer).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "lab/run/answer/answer_reader.h"
#include "remote/client/service_client.h"

namespace hashrange {

// The limits of a run at an endpoint: how long it waits, and how much it keeps open.
struct EndpointLimits {
  // A run is given up when the endpoint has answered nothing for so long.
  std::chrono::milliseconds silence{30'000};
  // The fill is given up when nothing was written for so long.
  std::chrono::milliseconds fill_silence{60'000};
  // Calls that are open so long after the end of the traffic are given up.
  std::chrono::milliseconds drain{60'000};
  std::chrono::milliseconds until_active{600'000};  // of a table that was made
  std::chrono::milliseconds until_removed{60'000};  // of one that is removed
  std::chrono::milliseconds answer{10'000};         // of one attempt
  // How long the first question to the endpoint is asked again where it is not answered.
  std::chrono::milliseconds probe{2'000};
  std::size_t most_open_calls = 4096;
  std::size_t most_open_bytes = 256 << 20;  // of requests that are not answered
  std::size_t connections = 256;
};

// A moment of the machine's time, which nobody moves.
using Instant = std::chrono::steady_clock::time_point;

struct QueuedReply {
  std::uint64_t request = 0;  // as the sender numbers them
  Instant came = {};
  ServiceReply reply = {};
};

// Replies in the order in which they came. Thread-safe.
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

// What a run has to know of an endpoint's answer. Unlike the answers of the engine
// (lab/run/answer/answer_reader.h), its members may stand in any order, with blanks between them,
// and what is not asked for may be missing. Immutable.
class EndpointAnswer {
 public:
  // An answer with the status 200 that is no JSON object is broken.
  explicit EndpointAnswer(const ServiceReply& reply);
  EndpointAnswer(const EndpointAnswer&) = delete;
  EndpointAnswer& operator=(const EndpointAnswer&) = delete;

  // Its views live as long as the object.
  const LabAnswer& answer() const { return answer_; }
  // Whether the endpoint said what the request consumed.
  bool has_units() const { return has_units_; }

 private:
  void ReadSuccess(const std::string& body);

  LabAnswer answer_ = {};
  bool has_units_ = false;
  std::string last_evaluated_key_ = {};
  std::string unprocessed_ = {};
};

}  // namespace hashrange
