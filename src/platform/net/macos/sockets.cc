#include "platform/net/sockets.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/tcp_fsm.h>
#include <sys/socket.h>

namespace hashrange {

bool IsEstablished(int socket) {
  tcp_connection_info info{};
  socklen_t size = sizeof(info);
  if (::getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) != 0) return false;
  return info.tcpi_state == TCPS_ESTABLISHED || info.tcpi_state == TCPS_CLOSE_WAIT;
}

int UnacknowledgedBytes(int socket) {
  int count = 0;
  socklen_t size = sizeof(count);
  return ::getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? count : 0;
}

}  // namespace hashrange
