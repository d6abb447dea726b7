// Limits counts what all connections of a server use together, so that clients cannot take more of
// the machine than the user allows. Thread-safe.
//
//   connections   each is counted from accept to close; the places above the limit are for the
//                 control API, and a connection above these is closed unless another one gives way
//   bytes         of requests and of answers that are not sent yet, where a connection's buffer has
//                 more than kFreeBytes; while too many are taken, requests are answered with 503
//
// In both cases an SDK repeats the request.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/log.h"

namespace hashrange {

class Limits {
 public:
  // The smallest limit that may be set: a body of 16 MiB fits when no other request is under way.
  static constexpr std::int64_t kMinRequestBytes = 32 << 20;
  static constexpr int kUsualConnections = 10'000;
  // The places above the limit of connections.
  static constexpr int kSparePlaces = 16;
  // The bytes that each connection may have in a buffer without their being counted.
  static constexpr std::size_t kFreeBytes = 8 << 10;

  Limits(std::int64_t request_bytes, int connections)
      : max_bytes_(request_bytes), max_connections_(connections) {}

  enum class Place { kNone, kOrdinary, kSpare };
  // Counts one more connection and returns its place; it is counted even if there is none for it.
  Place TakeConnection();
  void ReturnConnection() { --connections_; }
  // Returns whether one more connection would exceed the limit.
  bool AreConnectionsTaken() const { return connections_ >= max_connections_; }
  // Returns whether the limit is exceeded, so that spare places are not ordinary ones.
  bool AreConnectionsExceeded() const { return connections_ > max_connections_; }

  // Returns how many bytes are counted for a buffer of this capacity.
  static std::int64_t BytesThatCount(std::size_t capacity) {
    return capacity > kFreeBytes ? static_cast<std::int64_t>(capacity) : 0;
  }
  // Returns false, and takes nothing, when the limit would be exceeded.
  bool TakeBytes(std::int64_t count);
  // Takes bytes even if the limit is exceeded by them: an answer is there already when it turns out
  // that it cannot be sent. While the limit is exceeded, no further request is answered, so each
  // thread exceeds it by one answer at most.
  void AddBytes(std::int64_t count) { bytes_ += count; }
  void ReturnBytes(std::int64_t count) { bytes_ -= count; }

  bool AreBytesExceeded() const { return bytes_.load(std::memory_order_relaxed) > max_bytes_; }
  // Returns whether so many bytes are taken that idle connections should give theirs back.
  bool AreBytesScarce() const { return bytes_.load(std::memory_order_relaxed) > max_bytes_ / 4; }
  std::int64_t bytes() const { return bytes_; }

  // Logs now and then that all connections were taken, and what was closed: "a new one was closed".
  void WarnOfTooMany(const char* what_was_closed);

 private:
  const std::int64_t max_bytes_;
  const int max_connections_;
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<int> connections_{0};
  RepeatLimit too_many_;  // limits how often the log reports too many connections
};

// Returns how many connections a server with `threads` threads accepts at a time: `asked`, or
// Limits::kUsualConnections when `asked` is 0, but not more than the process may have descriptors
// for, with some left for files. Logs a warning when that is less than `asked`.
int MaxConnections(int asked, int threads);

}  // namespace hashrange
