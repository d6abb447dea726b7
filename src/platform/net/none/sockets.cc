// Connections as the weakest system knows them: a peer that has gone is noticed when its connection
// is read or written.
#include "platform/net/sockets.h"

namespace hashrange {

bool IsEstablished(int) { return true; }
int UnacknowledgedBytes(int) { return 0; }
bool IsClosedByPeer(int) { return false; }
bool IsSilent(int) { return false; }

std::vector<boost::asio::ip::address> OwnAddresses() {
  return {boost::asio::ip::address_v4::loopback()};
}

}  // namespace hashrange
