// Listener: the listening sockets of a server, which give each connection to the workers
// in turn. Its accept loops run on the first worker's thread.
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
  // Closes the connections that `limits` have no room for.
  Listener(std::vector<std::unique_ptr<Worker>>& workers, Limits& limits)
      : workers_(workers), limits_(limits) {}

  // Takes the addresses: whoever connects is refused still. An empty `host` is 127.0.0.1 and,
  // where the machine has IPv6, ::1; port 0 is a free one, the same for all addresses. Returns
  // an empty text, or what is wrong.
  std::string Bind(const std::string& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }
  // Where the server can be reached on this machine, as a URL shows it: "127.0.0.1", "[::1]". Each
  // address of the machine where it listens on all of them.
  std::vector<std::string> addresses() const;
  // Whether nobody reaches it from another machine.
  bool is_loopback_only() const;

  // From here on connections queue up in the system until Accept. As Bind; another program may
  // have begun to listen on the port meanwhile.
  std::string Listen();

  // Before the workers run, and on the first worker's thread.
  void Accept();
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
    std::size_t turn = 0;  // whose the next connection is
  };

  boost::system::error_code BindAll(const std::vector<boost::asio::ip::address>& addresses,
                                    bool later_optional, std::uint16_t port);
  std::string Explain(const boost::system::error_code& ec,
                      const boost::asio::ip::address& address) const;
  boost::system::error_code BindSocket(const tcp::endpoint& endpoint);
  void AcceptNext(ListeningSocket& socket);
  void HandToWorker(Worker& worker, Socket socket);

  std::vector<std::unique_ptr<Worker>>& workers_;
  Limits& limits_;
  std::list<ListeningSocket> sockets_;
  std::uint16_t port_ = 0;
  boost::asio::ip::address refused_;  // where BindAll has failed
  RepeatLimit too_many_;              // the log's line of it
};

}  // namespace hashrange
