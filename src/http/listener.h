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

#include "http/worker.h"

namespace hashrange {

class Listener {
 public:
  explicit Listener(std::vector<std::unique_ptr<Worker>>& workers) : workers_(workers) {}

  // Takes the addresses: whoever connects is refused still. An empty `host` is 127.0.0.1 and,
  // where the machine has IPv6, ::1; port 0 is a free one, the same for all addresses. Returns
  // an empty text, or what is wrong.
  std::string Bind(const std::string& host, std::uint16_t port);
  std::uint16_t port() const { return port_; }
  // The first address as a URL shows it: "127.0.0.1" or "[::1]", also where it is all of them.
  const std::string& address() const { return address_; }

  // From here on connections queue up in the system until Accept. As Bind; another program may
  // have begun to listen on the port meanwhile.
  std::string Listen();

  // Before the workers run, and on the first worker's thread.
  void Accept();
  void Close();

 private:
  using tcp = boost::asio::ip::tcp;
  struct Door {
    explicit Door(boost::asio::io_context& io) : acceptor(io), pause(io) {}
    tcp::acceptor acceptor;
    boost::asio::steady_timer pause;
    bool failing = false;  // the last accept failed
    std::size_t turn = 0;  // whose the next connection is
  };

  boost::system::error_code BindAll(const std::vector<boost::asio::ip::address>& addresses,
                                    bool later_optional, std::uint16_t port);
  std::string Explain(const boost::system::error_code& ec) const;
  boost::system::error_code BindDoor(const tcp::endpoint& endpoint);
  void AcceptAt(Door& door);

  std::vector<std::unique_ptr<Worker>>& workers_;
  std::list<Door> doors_;
  std::string host_;  // as messages name it
  std::uint16_t port_ = 0;
  std::string address_;
};

}  // namespace hashrange
