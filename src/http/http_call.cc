#include "http/http_call.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "base/lower_case.h"
#include "http/resolve_host.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxHeadBytes = 16 << 10;

void SetTimeouts(int socket, std::chrono::milliseconds timeout) {
  timeval time{};
  time.tv_sec = timeout.count() / 1000;
  time.tv_usec = timeout.count() % 1000 * 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
}

// A connected socket that closes itself.
class ClientSocket {
 public:
  ClientSocket() = default;
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;
  ~ClientSocket() {
    if (socket_ >= 0) ::close(socket_);
  }

  // Returns false and sets `*reason` when no connection is made.
  bool Open(const HttpCall& call, std::string* reason) {
    const std::vector<asio::ip::address> addresses = ResolveHost(call.host, reason);
    if (addresses.empty()) return false;
    for (const asio::ip::address& address : addresses) {
      if (OpenAt({address, call.port}, call.timeout)) return true;
      // localhost is 127.0.0.1 first, and not every machine has IPv6.
      if (address == addresses.front()) *reason = std::strerror(errno);
    }
    return false;
  }

  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  // Appends the bytes that have arrived. Returns their number: 0 at the end, −1 on an error.
  ssize_t Receive(std::string* answer) {
    char bytes[64 << 10];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (count > 0) answer->append(bytes, static_cast<std::size_t>(count));
    return count;
  }

 private:
  bool OpenAt(const asio::ip::tcp::endpoint& endpoint, std::chrono::milliseconds timeout) {
    const int family = endpoint.protocol().family();
    const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    SetTimeouts(socket, timeout);
    if (::connect(socket, endpoint.data(), static_cast<socklen_t>(endpoint.size())) == 0) {
      socket_ = socket;
      return true;
    }
    const int failure = errno;
    ::close(socket);
    errno = failure;
    return false;
  }

  int socket_ = -1;
};

std::string RequestText(const HttpCall& call) {
  const bool is_ipv6 = call.host.find(':') != call.host.npos;
  std::string text = call.method + " " + call.target + " HTTP/1.1\r\nHost: ";
  text += (is_ipv6 ? "[" + call.host + "]" : call.host) + ":" + std::to_string(call.port);
  text += "\r\nConnection: close\r\n";
  if (!call.token.empty()) text += "Authorization: Bearer " + call.token + "\r\n";
  if (!call.body.empty()) {
    text +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(call.body.size()) +
        "\r\n";
  }
  return text + "\r\n" + call.body;
}

// The names of header fields may be written in any case; `name` is in lower case.
bool IsNamed(std::string_view field, std::string_view name) {
  return std::ranges::equal(field, name, {}, [](char c) { return LowerCase(c); });
}

// Returns the value of a header field; nothing when `head` does not have the field.
std::optional<std::string_view> FindField(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !IsNamed(line.substr(0, colon), name)) continue;
    const std::string_view value = line.substr(colon + 1);
    return value.substr(std::min(value.find_first_not_of(' '), value.size()));
  }
  return std::nullopt;
}

template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return number;
}

// Returns the status in a line such as "HTTP/1.1 200 OK"; 0 when the line has another form.
int ParseStatus(std::string_view head) {
  if (!head.starts_with("HTTP/1.") || head.size() < 12) return 0;
  return ParseNumber<int>(head.substr(9, 3)).value_or(0);
}

// Reads the whole answer. Returns status 0 and sets `*reason` when there is no valid answer.
HttpReply ReadReply(ClientSocket& socket, const HttpCall& call, std::string* reason) {
  std::string answer;
  std::size_t head_end = answer.npos;
  std::optional<std::size_t> body_bytes;
  const auto is_whole = [&] { return body_bytes && answer.size() >= head_end + *body_bytes; };
  ssize_t count = 1;
  while (count > 0 && !is_whole()) {
    count = socket.Receive(&answer);
    if (answer.size() > call.max_answer_bytes + kMaxHeadBytes) {
      *reason = "the answer is too long";
      return {};
    }
    if (head_end != answer.npos) continue;
    const std::size_t at = answer.find("\r\n\r\n");
    if (at == answer.npos) continue;
    head_end = at + 4;
    const auto length = FindField(std::string_view(answer).substr(0, at), "content-length");
    if (length) body_bytes = ParseNumber<std::size_t>(*length);
  }
  if (answer.empty()) {
    *reason = count < 0 && errno == EAGAIN ? "no answer in time" : "no answer";
    return {};
  }
  const int status = head_end == answer.npos ? 0 : ParseStatus(answer);
  if (status == 0) {
    *reason = "something else answers there";
    return {};
  }
  if (body_bytes ? !is_whole() : count < 0) {
    *reason = "the answer is cut off";
    return {};
  }
  std::string type(
      FindField(std::string_view(answer).substr(0, head_end), "content-type").value_or(""));
  if (body_bytes) answer.resize(head_end + *body_bytes);
  answer.erase(0, head_end);
  return {status, std::move(type), std::move(answer)};
}

}  // namespace

HttpReply SendHttpCall(const HttpCall& call, std::string* reason) {
  ClientSocket socket;
  if (!socket.Open(call, reason)) return {};
  if (!socket.Send(RequestText(call))) {
    *reason = std::strerror(errno);
    return {};
  }
  return ReadReply(socket, call, reason);
}

bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason) {
  HttpCall call;
  call.host = host;
  call.port = port;
  call.timeout = timeout;
  const HttpReply reply = SendHttpCall(call, reason);
  if (reply.status == 200 && reply.body.starts_with("healthy: ")) return true;
  if (reply.status != 0) *reason = "something else answers there";
  return false;
}

}  // namespace hashrange
