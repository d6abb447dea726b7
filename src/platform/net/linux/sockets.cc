#include "platform/net/sockets.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace hashrange {

bool IsEstablished(int socket) {
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  return info.tcpi_state == TCP_ESTABLISHED || info.tcpi_state == TCP_CLOSE_WAIT;
}

int UnacknowledgedBytes(int socket) {
  int count = 0;
  return ::ioctl(socket, SIOCOUTQ, &count) == 0 ? count : 0;
}

}  // namespace hashrange
