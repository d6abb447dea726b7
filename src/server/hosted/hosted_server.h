// HostedServer: a server of a Database whose sockets and timers belong to a host, such as Node.js
// (src/module). The host moves bytes: it hands over those that arrive, sends the output, and does
// what the returned Next says.
//
//   Open ──▶ Room, Receive ──▶ output(), Next ──▶ Room, Receive … ──▶ Close
//
// For one thread. The calls of the control API, and calls that take long, are made at once. What a
// call returns is valid until the next call. An exception, such as std::bad_alloc, ends the
// connection at which it arises, and leaves no function but the constructor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hashrange/database.h"
#include "server/exchange/exchange.h"

namespace hashrange {

class Control;

class HostedServer {
 public:
  // See Server::Options.
  struct Options {
    std::string control_token = "";
    std::vector<std::string> cors = {};
    std::vector<std::string> allowed_hosts = {};
    bool answers_root_with_400 = false;
    std::int64_t request_memory_bytes = 256LL << 20;
    int max_connections = 0;
  };

  // What the host does when it has sent the output. The numbers are known to hosts.
  enum class Next {
    kRead = 0,    // reads more bytes
    kServe = 1,   // calls Serve, after its other connections had their turn
    kHold = 2,    // calls SendHeld after hold_ms()
    kLinger = 3,  // ends its sending side, and drops bytes until the peer ends its own
    kClose = 4,   // closes the connection
  };

  // The number of an open connection, from 1. Numbers are used again.
  using Handle = std::uint32_t;
  static constexpr Handle kNone = 0;

  // `database` outlives the server.
  HostedServer(Database& database, const Options& options);
  ~HostedServer();

  // The host listens on `port`. `endpoints`: where it does, for people; `is_loopback_only`: only
  // this machine can reach them. Called before the first connection.
  void Listens(const std::string& endpoints, std::uint16_t port, bool is_loopback_only);

  // Returns whether the next connection takes the place of an idle one. Before Open, the host then
  // hands over what its other connections have sent, so that these are not idle.
  bool is_full() const { return server_.limits.AreConnectionsTaken(); }
  // A connection has been accepted. Returns its handle; kNone: all places are taken, and the host
  // closes it. displaced() is a connection that the host closes to make room; kNone: there is none.
  Handle Open(bool is_loopback_peer);
  Handle displaced() const { return displaced_; }
  // The connection is closed.
  void Close(Handle connection);

  // Returns where the host writes bytes that have arrived; none: there is no memory for them, and
  // Receive(0) answers that.
  std::span<char> Room(Handle connection);
  // So many bytes are in the room.
  Next Receive(Handle connection, std::size_t count);
  Next Serve(Handle connection);
  Next SendHeld(Handle connection);
  // What the last Receive, Serve or SendHeld wants to be sent.
  std::string_view output() const { return output_.pending(); }
  std::int64_t hold_ms(Handle connection) const;

  // So many bytes of the output wait, as the peer takes them slowly. Called again when it has taken
  // some. Until Sent, nothing else is done with the connection.
  void CountUnsent(Handle connection, std::size_t bytes);
  // All are sent. Returns what comes next, in place of what the last call said.
  Next Sent(Handle connection);
  // The peer has ended its sending side.
  void PeerHasEnded(Handle connection);

  // How long the host waits between two calls of Tick, while there are connections.
  std::int64_t tick_ms() const { return clock_.tick_length().count(); }
  // Returns the connections that the host closes, as their peers are too slow.
  std::span<const Handle> Tick();
  // The host stops. Returns the connections that it closes now; the others end after the requests
  // under way.
  std::span<const Handle> Drain();

 private:
  struct Hosted;

  Hosted* Find(Handle connection) const;
  // Runs `step`, which returns what the exchange wants next, and does what needs no host.
  template <typename Step>
  Next Run(Handle connection, Step step);
  Next ToHost(Hosted& hosted, Exchange::Next next);
  Hosted* FindClosable() const;
  // Returns the connections that the host is to close now.
  template <typename IsDue>
  std::span<const Handle> CloseWhere(IsDue is_due);
  // Returns a free handle, the last of `free_`.
  Handle TakeHandle();

  hashrange::Control& control_;
  ExchangeServer server_;
  ExchangeClock clock_;
  std::vector<std::unique_ptr<Hosted>> connections_;  // by handle; the first is never used
  std::vector<Handle> free_;                          // handles whose connection is closed
  std::vector<Handle> to_close_;
  Handle displaced_ = kNone;
  Output output_;
};

}  // namespace hashrange
