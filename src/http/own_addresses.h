// The addresses by which others reach this machine.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <vector>

namespace hashrange {

// Those of the interfaces that are up, in the system's order, the loopback's first: of IPv4, and of
// IPv6 but for link-local ones, which lead nowhere without an interface's name. Any thread.
std::vector<boost::asio::ip::address> OwnAddresses();

}  // namespace hashrange
