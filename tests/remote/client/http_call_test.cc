// Tests the client of the command line with servers that give wrong answers.
#include "remote/client/http_call.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

namespace hashrange {
namespace {

// Takes one connection, reads a request until it holds `until`, answers and closes.
class OneAnswer {
 public:
  OneAnswer(std::string answer, std::string until) : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    LimitWaits(listener_);
    socklen_t size = sizeof(address);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, answer, until] { Serve(answer, until); });
  }
  ~OneAnswer() {
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }

  std::uint16_t port() const { return port_; }
  // Returns the request that was received.
  const std::string& request() {
    thread_.join();
    return request_;
  }

 private:
  // A client that does not come, or does not send, is not waited for.
  static void LimitWaits(int socket) {
    const timeval longest{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
  }

  void Serve(const std::string& answer, const std::string& until) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    LimitWaits(socket);
    char bytes[1024];
    while (request_.find(until) == request_.npos) {
      const ssize_t count = ::recv(socket, bytes, sizeof(bytes), 0);
      if (count <= 0) break;
      request_.append(bytes, static_cast<std::size_t>(count));
    }
    ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL);
    ::close(socket);
  }

  int listener_;
  std::uint16_t port_ = 0;
  std::string request_;
  std::thread thread_;
};

// Returns "200 body", or why there is no answer.
std::string Ask(const std::string& answer, HttpCall call = {}) {
  OneAnswer server(answer, "\r\n\r\n" + call.body);
  call.port = server.port();
  std::string reason;
  const HttpReply reply = SendHttpCall(call, &reason);
  return reply.status == 0 ? reason : std::to_string(reply.status) + " " + reply.body;
}

TEST(HttpCall, SendsWhatItIsGiven) {
  HttpCall call;
  call.method = "POST";
  call.target = "/_hashrange/clock?x=1";
  call.authorization = "Bearer secret";
  call.body = R"({"scale":2})";
  OneAnswer server("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}", call.body);
  call.port = server.port();
  std::string reason;
  const HttpReply reply = SendHttpCall(call, &reason);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_EQ(reply.body, "{}");
  EXPECT_EQ(server.request(),
            "POST /_hashrange/clock?x=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(call.port) +
                "\r\nConnection: close\r\nAuthorization: Bearer secret\r\n"
                "Content-Type: application/json\r\nContent-Length: 11\r\n\r\n"
                R"({"scale":2})");
}

TEST(HttpCall, AnswersEndWhereTheySay) {
  EXPECT_EQ(Ask("HTTP/1.1 404 Not Found\r\ncontent-length:  3\r\n\r\nno!rest"), "404 no!");
  EXPECT_EQ(Ask("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), "200 ");
  EXPECT_EQ(Ask("HTTP/1.0 503 \r\n\r\nto the end"), "503 to the end");
}

TEST(HttpCall, InvalidAnswersAreErrors) {
  EXPECT_EQ(Ask(""), "the connection was closed");
  EXPECT_EQ(Ask("SSH-2.0-OpenSSH\r\n\r\n"), "something else answers there");
  EXPECT_EQ(Ask("HTTP/1.1 200 OK\r\n"), "the answer is cut off");
  EXPECT_EQ(Ask("HTTP/1.1 2x0 OK\r\n\r\n"), "something else answers there");
  EXPECT_EQ(Ask("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"), "the answer is cut off");
  HttpCall call;
  call.max_answer_bytes = 10;
  EXPECT_EQ(Ask("HTTP/1.1 200 OK\r\n\r\n" + std::string(100'000, 'x'), call),
            "the answer is too long");
}

TEST(HttpCall, AClosedPortIsAnError) {
  HttpCall call;
  call.port = 1;
  std::string reason;
  EXPECT_EQ(SendHttpCall(call, &reason).status, 0);
  EXPECT_EQ(reason, "Connection refused");
  call.host = "no.such.host.invalid";
  EXPECT_EQ(SendHttpCall(call, &reason).status, 0);
  EXPECT_FALSE(reason.empty());
}

}  // namespace
}  // namespace hashrange
