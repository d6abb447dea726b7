// The list of the sockets of this machine, more exactly of this network namespace, with their
// owners:
//
//   /proc/net/tcp    sl local_address rem_address st … uid timeout inode …
//   /proc/net/tcp6   the same; IPv4 addresses may be listed there, too, as ::ffff:127.0.0.1
//
// Any thread. Cost: about a millisecond for a thousand sockets.
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

}  // namespace hashrange
