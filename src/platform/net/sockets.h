// What the system knows, beyond Asio, of this machine's network: the state of connections, whose
// native handle is `socket`, and the addresses of the machine. Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <vector>

namespace hashrange {

// Returns whether the connection stands: both ends are open, or the peer has only finished sending.
bool IsEstablished(int socket);

// Returns how many bytes that were sent the peer has not yet acknowledged.
int UnacknowledgedBytes(int socket);

// Returns whether the peer has closed its end and nothing is left to read.
bool IsClosedByPeer(int socket);

// Returns whether the connection stands and nothing can be read.
bool IsSilent(int socket);

// Returns the IPv4 and IPv6 addresses of the interfaces that are up, in the system's order with the
// loopback addresses first. Link-local IPv6 addresses are left out: they cannot be used without the
// name of an interface.
std::vector<boost::asio::ip::address> OwnAddresses();

}  // namespace hashrange
