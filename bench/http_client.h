// A connection that sends one request at a time and waits for its answer; load.cc and probe.cc use
// it. Blocking; each client belongs to one thread.
#ifndef BENCH_HTTP_CLIENT_H_
#define BENCH_HTTP_CLIENT_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hashrange::bench {

// Returns a whole POST of `body`; `headers` are lines such as "X-Amz-Target: …".
inline std::string PostRequest(std::span<const std::string_view> headers, std::string_view body) {
  std::string request = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const std::string_view header : headers) request.append(header).append("\r\n");
  request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return request.append(body);
}

class HttpClient {
 public:
  static constexpr int kTimeoutSeconds = 60;

  // Connects to a server on this machine. If that fails, the first Call reports it.
  explicit HttpClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const int on = 1;
    const timeval timeout{kTimeoutSeconds, 0};
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  ~HttpClient() { ::close(socket_); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Returns the answer's HTTP status, or 0 when the connection failed; `body()` is its body
  // until the next call. Answers are expected to have a Content-Length.
  int Call(std::string_view request) {
    return Send(request) && ReadHead() && ReadBody() ? status_ : 0;
  }
  std::string_view body() const { return std::string_view(received_).substr(head_bytes_); }

 private:
  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  bool Receive() {
    char bytes[1 << 16];
    const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
    if (count <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  bool ReadHead() {
    received_.clear();
    std::size_t end = std::string::npos;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
      if (!Receive()) return false;
    }
    head_bytes_ = end + 4;
    constexpr std::string_view kStatusLine = "HTTP/1.1 ";
    return received_.starts_with(kStatusLine) && ReadNumber(kStatusLine.size(), status_) &&
           ReadNumber(FindLength(), body_bytes_);
  }

  // Returns where the value of Content-Length begins, in either spelling that servers use.
  std::size_t FindLength() const {
    for (const std::string_view name : {"\r\nContent-Length: ", "\r\ncontent-length: "}) {
      const std::size_t at = received_.find(name);
      if (at < head_bytes_) return at + name.size();
    }
    return head_bytes_;
  }

  template <typename Integer>
  bool ReadNumber(std::size_t at, Integer& number) const {
    const char* const end = received_.data() + head_bytes_;
    return std::from_chars(received_.data() + at, end, number).ec == std::errc();
  }

  bool ReadBody() {
    while (received_.size() < head_bytes_ + body_bytes_) {
      if (!Receive()) return false;
    }
    return true;
  }

  const int socket_;
  std::string received_;
  std::size_t head_bytes_ = 0;
  std::size_t body_bytes_ = 0;
  int status_ = 0;
};

}  // namespace hashrange::bench

#endif  // BENCH_HTTP_CLIENT_H_
