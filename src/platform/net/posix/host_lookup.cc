#include "platform/net/host_lookup.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <memory>

namespace hashrange {

std::vector<boost::asio::ip::address> LookUpHost(const std::string& host, std::string* reason) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found)) {
    *reason = ::gai_strerror(code);
    return {};
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);
  std::vector<boost::asio::ip::address> addresses;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    boost::asio::ip::tcp::endpoint endpoint;
    if (at->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), at->ai_addr, at->ai_addrlen);
    if (std::ranges::find(addresses, endpoint.address()) == addresses.end()) {
      addresses.push_back(endpoint.address());
    }
  }
  if (addresses.empty()) *reason = "it has no IP address";
  return addresses;
}

}  // namespace hashrange
