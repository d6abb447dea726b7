// Functions that find which user's process has the other end of a connection, when both ends are on
// this machine. The kernel lists the sockets of this machine, more exactly of this network
// namespace, with their owners:
//
//   /proc/net/tcp    sl local_address rem_address st … uid timeout inode …
//   /proc/net/tcp6   the same; IPv4 addresses may be listed there, too, as ::ffff:127.0.0.1
//
// The list is read only where the kernel does not answer a question for one socket (sock_diag).
// Any thread. Cost: some microseconds; with the list, about a millisecond for a thousand sockets.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <istream>
#include <optional>

namespace hashrange {

// Returns the user who owns the socket that is bound to `own` and connected to `other`. `list` has
// the form of /proc/net/tcp. Returns nothing when the socket is not listed, or no process holds it
// any more: such a socket is listed with inode 0, as root's.
std::optional<unsigned> SocketOwner(std::istream& list, const boost::asio::ip::tcp::endpoint& own,
                                    const boost::asio::ip::tcp::endpoint& other);

enum class PeerUser {
  kOwn,      // this process's own user, or root
  kOther,    // another user, or the process has closed its end
  kUnknown,  // the kernel lists neither end, as in some sandboxes
};

// Returns which user's process is the peer of a connection. `local` is this process's end of it.
PeerUser FindPeerUser(const boost::asio::ip::tcp::endpoint& peer,
                      const boost::asio::ip::tcp::endpoint& local);

}  // namespace hashrange
