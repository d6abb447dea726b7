#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/net/sockets.h"

namespace hashrange {

bool IsClosedByPeer(int socket) {
  char byte;
  return ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

bool IsSilent(int socket) {
  char byte;
  return ::recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

std::vector<boost::asio::ip::address> OwnAddresses() {
  namespace ip = boost::asio::ip;
  std::vector<ip::address> addresses;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return addresses;
  for (const ifaddrs* each = first; each; each = each->ifa_next) {
    if (!each->ifa_addr || !(each->ifa_flags & IFF_UP)) continue;
    if (each->ifa_addr->sa_family == AF_INET) {
      sockaddr_in address{};
      std::memcpy(&address, each->ifa_addr, sizeof(address));
      addresses.emplace_back(ip::address_v4(ntohl(address.sin_addr.s_addr)));
    } else if (each->ifa_addr->sa_family == AF_INET6) {
      sockaddr_in6 address{};
      std::memcpy(&address, each->ifa_addr, sizeof(address));
      ip::address_v6::bytes_type bytes;
      std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
      const ip::address_v6 found(bytes);
      if (!found.is_link_local()) addresses.emplace_back(found);
    }
  }
  freeifaddrs(first);
  std::ranges::stable_partition(addresses, &ip::address::is_loopback);
  return addresses;
}

}  // namespace hashrange
