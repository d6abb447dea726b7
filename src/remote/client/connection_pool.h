// ConnectionPool: the connections of a client to its endpoint. Used on the thread that runs the
// io_context.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "remote/client/endpoint_url.h"
#include "remote/client/http_connection.h"

namespace hashrange {

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
