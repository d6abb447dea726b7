// The connections of a client to an endpoint: HttpConnection is one, plain or by TLS, for one
// request at a time; ConnectionPool keeps several. Used on the thread that runs their io_context.
//
// GCC 12 destroys some temporaries of co_return and co_await expressions twice, so the coroutines
// of this folder return objects that have names.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "remote/client/endpoint_url.h"

namespace hashrange {

using ClientTime = std::chrono::steady_clock::time_point;
inline ClientTime ClientNow() { return std::chrono::steady_clock::now(); }

// Makes an asynchronous operation return its error code and not throw it.
inline constexpr auto kAsTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

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

// Returns the settings of TLS for a client: versions from 1.2 on, and whose certificates are
// trusted. These are the certificates of `ca_file`; with an empty name, of the file that
// AWS_CA_BUNDLE or SSL_CERT_FILE names, or the system's. Errors: ValidationException  the file has
// no certificates, or the system has none
Result<std::unique_ptr<boost::asio::ssl::context>> MakeTlsContext(const std::string& ca_file);

class ConnectionPool {
 public:
  // `url` and `tls` outlive the object; `tls` is null where the endpoint is not one of https. The
  // object outlives the leases, also those in coroutines that are destroyed together with `io`.
  ConnectionPool(boost::asio::io_context& io, const EndpointUrl& url,
                 boost::asio::ssl::context* tls, std::size_t max_connections);
  ~ConnectionPool();

  // A place for one connection, and perhaps the connection. The place is given back, and with it
  // the connection if it can be used again, when the object is destroyed.
  class Lease {
   public:
    explicit Lease(ConnectionPool& pool) : pool_(&pool) {}
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    HttpConnection* connection() const { return connection_.get(); }
    void Keep() { is_kept_ = true; }

   private:
    friend class ConnectionPool;
    ConnectionPool* pool_;
    std::unique_ptr<HttpConnection> connection_ = nullptr;
    bool is_kept_ = false;
  };

  // Waits for a place. Places are given in the order in which they were asked for.
  boost::asio::awaitable<Lease> Take();
  // Makes sure that the lease has a connection: one that was used before, unless `is_fresh`, or a
  // new one.
  boost::asio::awaitable<HttpFailure> Connect(Lease& lease, bool is_fresh, ClientTime deadline);

  // Drops the idle connections. Leases that are destroyed later give nothing back.
  void Close();

 private:
  boost::asio::awaitable<HttpFailure> FindAddresses(ClientTime deadline);
  void BeginLookup();
  void GiveBack(Lease& lease);

  // Where a thread that looks the name up brings what it finds. Such a thread cannot be ended, and
  // may outlive the pool.
  struct LookupHome;
  struct HostLookup;

  boost::asio::io_context& io_;
  const EndpointUrl& url_;
  boost::asio::ssl::context* const tls_;
  std::size_t free_places_;
  bool is_closed_ = false;
  std::deque<boost::asio::steady_timer*> waiting_ = {};
  std::vector<std::unique_ptr<HttpConnection>> idle_ = {};
  HttpConnection::Endpoints addresses_ = {};
  ClientTime addresses_until_ = {};
  const std::shared_ptr<LookupHome> lookup_home_;
  std::shared_ptr<HostLookup> lookup_ = {};  // the last one; null: there was none
};

}  // namespace hashrange
