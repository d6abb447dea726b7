// The names of hosts: as the headers Host and Origin have them, and the addresses that they stand
// for. Any thread. All but ResolveHost are pure and allocate nothing.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Returns "127.0.0.1:8000" without its port and "localhost." without the full stop at its end;
// "[::1]" keeps its brackets. Empty when the text after the name is not a port.
std::string_view HostWithoutPort(std::string_view host);

// Returns whether two names without ports are equal; the case of ASCII letters does not matter.
bool SameName(std::string_view a, std::string_view b);
// Returns whether `name` is "localhost" or a name below localhost.
bool IsLocalhost(std::string_view name);
// Returns whether `name` is "localhost", a name below localhost, or a loopback address.
bool IsLoopbackName(std::string_view name);
// Returns whether `name` is written as an IP address. Nobody can make an address resolve to another
// machine, as is possible with a name.
bool IsAddress(std::string_view name);

// Returns the addresses of `host`, an IP address or a name, each once. localhost and the names
// below it are 127.0.0.1 and ::1 and ask nobody (RFC 6761, 6.3), so they also work where the system
// has no files about names, as in a container that holds this program alone. Other names are looked
// up in /etc/hosts and by DNS.
// Without an address, the result is empty and `*reason` says why.
std::vector<boost::asio::ip::address> ResolveHost(const std::string& host, std::string* reason);

}  // namespace hashrange
