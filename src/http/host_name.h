// Names of hosts as Host and Origin say them. Pure; any thread; nothing is allocated.
#pragma once

#include <string_view>

namespace hashrange {

// "127.0.0.1:8000" without the port, "localhost." without the full stop of the root; "[::1]"
// keeps its brackets. Empty when what stands behind the name is no port.
std::string_view HostWithoutPort(std::string_view host);

// Of a name without its port. ASCII letters are the same in either case.
bool SameName(std::string_view a, std::string_view b);
// "localhost", a name below it, or an address of this machine's alone.
bool IsLoopbackName(std::string_view name);
// An address and no name, so that nobody elsewhere says what it leads to.
bool IsAddress(std::string_view name);

}  // namespace hashrange
