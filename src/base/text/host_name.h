// The names of hosts, as the headers Host and Origin and the URLs of endpoints have them. Pure
// functions that allocate nothing; any thread.
#pragma once

#include <string_view>

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

}  // namespace hashrange
