// Listener: the listening sockets of a server. It hands the accepted connections to the workers in
// turn. Its accept loops run on the first worker's thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/repeat_limit.h"
#include "http/limits.h"
#include "http/worker.h"

namespace hashrange {

class Listener {
 public:
  // A connection above the limit of `limits` is closed at once.
  Listener(std::vector<std::unique_ptr<Worker>>& workers, Limits& limits)
      : workers_(workers), limits_(limits) {}

  // Binds the addresses of `host`; the system still refuses connections. An empty `host` means
  // 127.0.0.1 and, where the machine has IPv6, ::1. Port 0 means a free port, the same for all
  // addresses. Returns an empty text, or what is wrong.
  std::string Bind(const std::string& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }
  // The addresses of this machine at which the server can be reached, as they are written in a URL:
  // "127.0.0.1", "[::1]". A server that listens on all addresses gives each of them.
  std::vector<std::string> addresses() const;
  // Whether all addresses are loopback addresses, which only this machine can reach.
  bool is_loopback_only() const;

  // Makes the system queue connections until Accept. Returns an empty text, or what is wrong:
  // another program may have begun to listen on the port since Bind.
  std::string Listen();

  // Starts the accept loops. Called before the workers run.
  void Accept();
  // Called on the first worker's thread.
  void Close();

 private:
  using tcp = boost::asio::ip::tcp;
  struct ListeningSocket {
    ListeningSocket(boost::asio::io_context& io, const boost::asio::ip::address& at)
        : address(at), acceptor(io), pause(io) {}
    const boost::asio::ip::address address;
    tcp::acceptor acceptor;
    boost::asio::steady_timer pause;
    bool failing = false;  // the last accept failed
    std::size_t turn = 0;  // chooses the worker of the next connection
  };

  // Returns the error of the address at which binding has failed. `may_skip`: an address that this
  // machine does not have is skipped, unless no address before it was bound.
  boost::system::error_code BindAll(const std::vector<boost::asio::ip::address>& addresses,
                                    bool may_skip, std::uint16_t port);
  std::string Explain(const boost::system::error_code& ec,
                      const boost::asio::ip::address& address) const;
  boost::system::error_code BindSocket(const tcp::endpoint& endpoint);
  void AcceptNext(ListeningSocket& socket);
  void HandToWorker(Worker& worker, Socket socket);

  std::vector<std::unique_ptr<Worker>>& workers_;
  Limits& limits_;
  std::list<ListeningSocket> sockets_;
  std::uint16_t port_ = 0;
  boost::asio::ip::address refused_;  // the address at which BindAll has failed
  RepeatLimit too_many_;              // limits how often the log reports too many connections
};

}  // namespace hashrange
