// Limits counts what all connections of a server use together, so that clients cannot take more of
// the machine than the user allows. Thread-safe.
//
//   connections   each is counted from accept to close; one above the limit is closed at once
//   bytes         of the read buffers that have grown beyond their initial size; a request for
//                 which none are left is answered with 503
//
// In both cases an SDK repeats the request.
#pragma once

#include <atomic>
#include <cstdint>

namespace hashrange {

class Limits {
 public:
  // The smallest limit that may be set: a body of 16 MiB fits when no other request is under way.
  static constexpr std::int64_t kMinRequestBytes = 32 << 20;
  static constexpr int kUsualConnections = 10'000;

  Limits(std::int64_t request_bytes, int connections)
      : max_bytes_(request_bytes), max_connections_(connections) {}

  // TakeConnection and TakeBytes return false, and take nothing, when the limit would be exceeded.
  bool TakeConnection();
  void ReturnConnection() { --connections_; }
  // Returns whether one more connection would exceed the limit.
  bool AreConnectionsTaken() const { return connections_ >= max_connections_; }
  bool TakeBytes(std::int64_t count);
  void ReturnBytes(std::int64_t count) { bytes_ -= count; }

  // Returns whether so many bytes are taken that idle connections should give theirs back.
  bool AreBytesScarce() const { return bytes_.load(std::memory_order_relaxed) > max_bytes_ / 4; }
  std::int64_t bytes() const { return bytes_; }
  int max_connections() const { return max_connections_; }

 private:
  const std::int64_t max_bytes_;
  const int max_connections_;
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<int> connections_{0};
};

// Returns how many connections a server with `threads` threads accepts at a time: `asked`, or
// Limits::kUsualConnections when `asked` is 0, but not more than the process may have descriptors
// for, with some left for files. Logs a warning when that is less than `asked`.
int MaxConnections(int asked, int threads);

}  // namespace hashrange
