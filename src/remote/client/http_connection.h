// HttpConnection: one connection to an endpoint, plain or by TLS, for one request at a time. Used
// on the thread that runs its io_context.
//
// GCC 12 destroys some temporaries of co_return and co_await expressions twice, so the coroutines
// of this folder return objects that have names.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "remote/client/endpoint_url.h"

namespace hashrange {

using ClientTime = std::chrono::steady_clock::time_point;

// Why there is no connection, or no answer.
struct HttpFailure {
  enum class Kind {
    kNone,
    kTimeout,
    kCertificate,  // the server's certificate is not accepted
    kStale,        // a connection that was used before was closed before an answer began
    kOther,
  };
  Kind kind = Kind::kNone;
  std::string why = {};  // the end of a sentence, such as "no answer in time"

  bool has_failed() const { return kind != Kind::kNone; }
};

// An answer, or why there is none.
struct HttpAnswer {
  int status = 0;  // 0: there is no whole answer, and `failure` says why
  HttpFailure failure = {};
  std::string body = {};
  std::string content_type = {};
  std::string date = {};   // the header Date
  std::string crc32 = {};  // the header x-amz-crc32
  bool keeps_open = false;
};

class HttpConnection {
 public:
  // `tls` is null for a plain connection; it outlives the object.
  HttpConnection(boost::asio::io_context& io, boost::asio::ssl::context* tls);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;
  // Connects to the first of the addresses that accepts. `host` is the name or the address that a
  // certificate must have.
  boost::asio::awaitable<HttpFailure> Connect(const Endpoints& addresses, const std::string& host,
                                              ClientTime deadline);
  // Sends a request, its head and body as bytes, and reads the answer. After a failure, or without
  // `keeps_open`, the connection is of no use any more.
  boost::asio::awaitable<HttpAnswer> Exchange(std::string_view head, std::string_view body,
                                              std::size_t max_answer_bytes, ClientTime deadline);

  // Returns whether an idle connection can take a request: false when the server has closed it.
  bool IsOpen() const;
  ClientTime last_used() const { return last_used_; }

 private:
  struct Streams;

  const std::unique_ptr<Streams> streams_;
  bool was_used_ = false;
  ClientTime last_used_ = {};
};

}  // namespace hashrange
