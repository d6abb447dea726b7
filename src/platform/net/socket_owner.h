// A function that finds whether another user's process has the other end of a connection, when both
// ends are on this machine. Any thread. Cost: some microseconds; on Linux some milliseconds where
// the kernel does not answer a question for one socket (sock_diag), and its list of sockets is
// read.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "platform/net/peer_user.h"

namespace hashrange {

// Returns which user's process is the peer of a connection. `local` is this process's end of it.
PeerUser FindPeerUser(const boost::asio::ip::tcp::endpoint& peer,
                      const boost::asio::ip::tcp::endpoint& local);

}  // namespace hashrange
