// LongCalls: makes the calls of the API that may take long, such as a search among many vectors, on
// threads of their own, so that they delay no other request. Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/work_queue.h"
#include "server/http/http_request.h"

namespace hashrange {

// A request that no longer needs the connection's buffer: it owns a copy of all its parts.
class OwnedRequest {
 public:
  // `body` takes the place of the request's own body.
  OwnedRequest(const HttpRequest& request, const std::string& body);
  OwnedRequest(const OwnedRequest&) = delete;
  OwnedRequest& operator=(const OwnedRequest&) = delete;

  const HttpRequest& request() const { return request_; }
  std::size_t size_bytes() const { return bytes_.size(); }

 private:
  std::string bytes_;
  HttpRequest request_;
};

class LongCalls {
 public:
  // A thread is started when it is first needed.
  explicit LongCalls(int threads);

  // Lets a thread call `work` soon. Returns false when too many calls wait already, or the system
  // has no memory or no thread for it: then the caller makes the call itself. After Stop, `work` is
  // not called.
  bool Post(std::size_t size_bytes, std::function<void()> work);
  // Returns when the calls that are being made have ended. Calls that wait are dropped.
  void Stop();

 private:
  std::vector<std::unique_ptr<WorkQueue>> queues_;
  std::atomic<std::size_t> next_{0};
};

}  // namespace hashrange
