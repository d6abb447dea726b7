// The addresses that the name of a host stands for.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

namespace hashrange {

// Returns the addresses of `host`, an IP address or a name, each once. localhost and the names
// below it are 127.0.0.1 and ::1 and ask nobody (RFC 6761, 6.3), so they also work where the system
// has no files about names, as in a container that holds this program alone. Other names are looked
// up in /etc/hosts and by DNS. Any thread.
// Without an address, the result is empty and `*reason` says why.
std::vector<boost::asio::ip::address> ResolveHost(const std::string& host, std::string* reason);

}  // namespace hashrange
