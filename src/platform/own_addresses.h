// The addresses of this machine.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <vector>

namespace hashrange {

// Returns the IPv4 and IPv6 addresses of the interfaces that are up, in the system's order with the
// loopback addresses first. Link-local IPv6 addresses are left out: they cannot be used without the
// name of an interface. Any thread.
std::vector<boost::asio::ip::address> OwnAddresses();

}  // namespace hashrange
