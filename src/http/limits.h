// Limits: what all connections of a server hold together, so that no number of clients takes more
// of the machine than its user granted. Thread-safe.
//
//   connections   each counts from its accept to its end; one too many is closed at once
//   bytes         of the read buffers that have grown beyond their first size; without more, a
//                 request is answered 503
//
// SDKs repeat what meets either.
#pragma once

#include <atomic>
#include <cstdint>

namespace hashrange {

class Limits {
 public:
  // A body of 16 MiB always fits into the least budget when no other request is under way.
  static constexpr std::int64_t kMinRequestBytes = 32 << 20;
  static constexpr std::int64_t kUsualRequestBytes = 256 << 20;
  static constexpr int kUsualConnections = 10'000;

  Limits(std::int64_t request_bytes, int connections)
      : max_bytes_(request_bytes), max_connections_(connections) {}

  // False, and nothing is taken, when there would be too many.
  bool TakeConnection();
  void ReturnConnection() { --connections_; }
  // Whether one more would be too many.
  bool AreConnectionsTaken() const { return connections_ >= max_connections_; }
  bool TakeBytes(std::int64_t count);
  void ReturnBytes(std::int64_t count) { bytes_ -= count; }

  // So many are taken that what is idle gives its bytes back.
  bool AreBytesScarce() const { return bytes_.load(std::memory_order_relaxed) > max_bytes_ / 4; }
  std::int64_t bytes() const { return bytes_; }
  int max_connections() const { return max_connections_; }

 private:
  const std::int64_t max_bytes_;
  const int max_connections_;
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<int> connections_{0};
};

// How many connections a server of `threads` threads accepts when `asked` are wanted, or, with 0,
// as many as usual: no more than the system gives this process descriptors for, with some left for
// files. Logs a warning when that is less than was asked for.
int MaxConnections(int asked, int threads);

}  // namespace hashrange
