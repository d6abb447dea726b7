// Listener: the listening sockets of a server. It hands the accepted connections to the workers in
// turn. Its accept loops run on the first worker's thread.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/exchange/limits.h"
#include "server/http/step_memory.h"
#include "server/http/worker.h"

namespace hashrange {

class Listener {
 public:
  // When all places of `limits` are taken, a new connection gets the place of the one that has been
  // idle longest. If none is idle, it gets a spare place, or, without one, is closed.
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
  // A connection that was accepted when all places were taken. The workers are asked, one after
  // another and each on its thread, for the connection that has been idle longest. One thread at a
  // time uses this object.
  struct Newcomer {
    Worker& worker;  // will serve the connection
    Socket socket;
    std::size_t found_at = 0;     // the worker of `found`
    Worker::Closable found = {};  // only compared with others, since it may end meanwhile
    bool has_spare_place = true;
    bool needs_room = false;  // without another's place it is closed
  };
  struct ListeningSocket {
    ListeningSocket(boost::asio::io_context& io, const boost::asio::ip::address& at)
        : address(at), acceptor(io), pause(io) {}
    const boost::asio::ip::address address;
    tcp::acceptor acceptor;
    boost::asio::steady_timer pause;
    bool failing = false;              // the last accept failed
    std::size_t turn = 0;              // chooses the worker of the next connection
    std::optional<Newcomer> newcomer;  // until it has its place, no other connection is accepted
    // A worker that has ended keeps its last step until it is destroyed, after the listener.
    std::shared_ptr<StepMemory> step = std::make_shared<StepMemory>();
  };

  // Returns the error of the address at which binding has failed. `may_skip`: an address that this
  // machine does not have is skipped, unless no address before it was bound.
  boost::system::error_code BindAll(const std::vector<boost::asio::ip::address>& addresses,
                                    bool may_skip, std::uint16_t port);
  std::string Explain(const boost::system::error_code& ec,
                      const boost::asio::ip::address& address) const;
  boost::system::error_code BindSocket(const tcp::endpoint& endpoint);
  void AcceptNext(ListeningSocket& socket);
  // Gives the connection a place and, perhaps later, accepts the next one.
  void Place(ListeningSocket& listening, Worker& worker, Socket socket);
  void HandToWorker(Worker& worker, Socket socket, bool has_spare_place);
  template <typename Step>
  void Post(Worker& worker, ListeningSocket& listening, Step step);
  void AskWorkers(ListeningSocket& listening, std::size_t first);
  void MakeRoom(ListeningSocket& listening);

  std::vector<std::unique_ptr<Worker>>& workers_;
  Limits& limits_;
  std::list<ListeningSocket> sockets_;
  std::uint16_t port_ = 0;
  boost::asio::ip::address refused_;  // the address at which BindAll has failed
};

}  // namespace hashrange
