// Whose process holds the other end of a connection within this machine. The kernel lists the
// sockets of this machine, more exactly of this network namespace, with their owners:
//
//   /proc/net/tcp    sl local_address rem_address st … uid timeout inode …
//   /proc/net/tcp6   the same; an IPv4 address may stand there, too, as ::ffff:127.0.0.1
//
// Any thread. Cost: reads the list, about a millisecond for a thousand sockets.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <istream>
#include <optional>

namespace hashrange {

// The owner of the socket that is bound to `own` and connected to `other`, by a list of the form of
// /proc/net/tcp. None when it is not there, or nobody holds it any more: such a socket is listed
// without inode, as root's.
std::optional<unsigned> SocketOwner(std::istream& list, const boost::asio::ip::tcp::endpoint& own,
                                    const boost::asio::ip::tcp::endpoint& other);

// Whether the peer of a connection, which ends here at `local`, is a process of this process's own
// user, or of root. False when the kernel does not tell: the peer is in another network
// namespace, or has closed its end.
bool IsPeerOwnUser(const boost::asio::ip::tcp::endpoint& peer,
                   const boost::asio::ip::tcp::endpoint& local);

}  // namespace hashrange
