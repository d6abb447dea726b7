#include "server/net/resolve_host.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <memory>

#include "server/net/host_name.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;
using asio::ip::address;

std::vector<address> LookUp(const std::string& host, std::string* reason) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found)) {
    *reason = ::gai_strerror(code);
    return {};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  std::vector<address> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    asio::ip::tcp::endpoint endpoint;
    if (at->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), at->ai_addr, at->ai_addrlen);
    if (std::ranges::find(addresses, endpoint.address()) == addresses.end()) {
      addresses.push_back(endpoint.address());
    }
  }
  if (addresses.empty()) *reason = "it has no IP address";
  return addresses;
}

}  // namespace

std::vector<address> ResolveHost(const std::string& host, std::string* reason) {
  boost::system::error_code is_a_name;
  const address literal = asio::ip::make_address(host, is_a_name);
  if (!is_a_name) return {literal};
  const bool ends_with_dot = host.ends_with('.');
  if (IsLocalhost(std::string_view(host).substr(0, host.size() - (ends_with_dot ? 1 : 0))))
    return {asio::ip::address_v4::loopback(), asio::ip::address_v6::loopback()};
  return LookUp(host, reason);
}

}  // namespace hashrange
