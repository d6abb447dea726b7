#include "remote/client/scripted_server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace hashrange::test {

// A connection, perhaps by TLS.
struct ScriptedServer::Stream {
  int socket;
  SSL* tls = nullptr;

  bool Receive(std::string& text) {
    char bytes[4096];
    const auto count = tls != nullptr ? SSL_read(tls, bytes, sizeof(bytes))
                                      : static_cast<int>(::recv(socket, bytes, sizeof(bytes), 0));
    if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  void Send(const std::string& text) {
    if (tls != nullptr) {
      SSL_write(tls, text.data(), static_cast<int>(text.size()));
    } else {
      ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    }
  }

  // Reads one request; false: the connection was closed before.
  bool ReadRequest(ScriptedRequest& request) {
    std::string text;
    std::size_t head_end = text.npos;
    std::size_t body_bytes = 0;
    while (head_end == text.npos || text.size() < head_end + body_bytes) {
      if (!Receive(text)) return false;
      if (head_end != text.npos) continue;
      const std::size_t end = text.find("\r\n\r\n");
      if (end == text.npos) continue;
      head_end = end + 4;
      const std::size_t length = text.find("Content-Length: ");
      if (length < end) body_bytes = std::stoul(text.substr(length + 16));
    }
    request.head = text.substr(0, head_end);
    request.body = text.substr(head_end);
    return true;
  }
};

ScriptedServer::ScriptedServer(Script script) : ScriptedServer(std::move(script), "") {}

ScriptedServer::ScriptedServer(Script script, const std::string& certificate_file)
    : script_(std::move(script)), certificate_file_(certificate_file) {
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::listen(listener_, 64), 0);
  socklen_t size = sizeof(address);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

ScriptedServer::~ScriptedServer() {
  is_closing_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  {
    const std::lock_guard lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  for (std::thread& thread : threads_) thread.join();
  for (const int socket : sockets_) ::close(socket);
  ::close(listener_);
}

std::vector<ScriptedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void ScriptedServer::Accept() {
  for (;;) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    if (is_closing_) return;
    threads_.emplace_back([this, socket, number = connections_++] { Serve(socket, number); });
  }
}

void ScriptedServer::Serve(int socket, int connection) {
  Stream stream{socket};
  SSL_CTX* context = nullptr;
  bool is_open = true;
  if (!certificate_file_.empty()) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to connections that the client has closed
    context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate_chain_file(context, certificate_file_.c_str());
    SSL_CTX_use_PrivateKey_file(context, certificate_file_.c_str(), SSL_FILETYPE_PEM);
    stream.tls = SSL_new(context);
    SSL_set_fd(stream.tls, socket);
    is_open = SSL_accept(stream.tls) == 1;
  }
  while (is_open) {
    ScriptedRequest request;
    request.connection = connection;
    if (!stream.ReadRequest(request)) break;
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = static_cast<int>(requests_.size());
      requests_.push_back(request);
    }
    const std::string answer = script_(number, request);
    if (answer == kHang) continue;
    if (!answer.empty()) stream.Send(answer);
    constexpr char kClose[] = "Connection: close";
    is_open = !answer.empty() && answer.find(kClose) == answer.npos &&
              request.head.find(kClose) == request.head.npos;
  }
  if (stream.tls != nullptr) SSL_shutdown(stream.tls);
  ::shutdown(socket, SHUT_RDWR);
  ++closed_connections_;
  SSL_free(stream.tls);
  SSL_CTX_free(context);
}

std::string JsonAnswer(int status, const std::string& body, const std::string& more_headers) {
  return "HTTP/1.1 " + std::to_string(status) +
         " X\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + more_headers + "\r\n" + body;
}

}  // namespace hashrange::test
