#include "http/health_probe.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

namespace hashrange {
namespace {

// What the server answers fits many times over; who sends more is no Hashrange.
constexpr std::size_t kMaxAnswerBytes = 4096;

void SetTimeouts(int socket, std::chrono::milliseconds timeout) {
  timeval time{};
  time.tv_sec = timeout.count() / 1000;
  time.tv_usec = timeout.count() % 1000 * 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
}

// A connected socket, or -1 with errno set.
int Connect(const addrinfo* addresses, std::chrono::milliseconds timeout) {
  for (const addrinfo* at = addresses; at != nullptr; at = at->ai_next) {
    const int socket = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (socket < 0) continue;
    SetTimeouts(socket, timeout);
    if (::connect(socket, at->ai_addr, at->ai_addrlen) == 0) return socket;
    const int failure = errno;
    ::close(socket);
    errno = failure;
  }
  return -1;
}

std::string Exchange(int socket, std::string_view request) {
  if (::send(socket, request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  std::string answer;
  char bytes[512];
  while (answer.size() < kMaxAnswerBytes) {
    const ssize_t count = ::recv(socket, bytes, sizeof(bytes), 0);
    if (count <= 0) break;
    answer.append(bytes, static_cast<std::size_t>(count));
  }
  return answer;
}

}  // namespace

bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* addresses = nullptr;
  const std::string service = std::to_string(port);
  if (const int code = ::getaddrinfo(host.c_str(), service.c_str(), &hints, &addresses)) {
    *reason = ::gai_strerror(code);
    return false;
  }
  const int socket = Connect(addresses, timeout);
  const int failure = errno;
  ::freeaddrinfo(addresses);
  if (socket < 0) {
    *reason = std::strerror(failure);
    return false;
  }
  const std::string answer =
      Exchange(socket, "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
  ::close(socket);
  if (answer.starts_with("HTTP/1.1 200 ") && answer.find("\r\n\r\nhealthy: ") != answer.npos) {
    return true;
  }
  *reason = answer.empty() ? "no answer" : "something else answers there";
  return false;
}

}  // namespace hashrange
