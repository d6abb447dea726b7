// OwnedRequest: a request that no longer needs the connection's buffer: it owns a copy of all its
// parts. Not thread-safe, but may be given to another thread.
#pragma once

#include <cstddef>
#include <string>

#include "server/exchange/http_request.h"

namespace hashrange {

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

}  // namespace hashrange
