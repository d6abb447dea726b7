#include "support/raw_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/checksums.h"

namespace hashrange {

RawClient::RawClient(std::uint16_t port, int receive_buffer_bytes)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  timeval patience{10, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  if (receive_buffer_bytes > 0) {
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(receive_buffer_bytes));
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
}

RawClient::~RawClient() { ::close(socket_); }

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;  // the server refused the rest; its answer says why
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawClient::EndSending() { ::shutdown(socket_, SHUT_WR); }

bool RawClient::ReadMore() {
  char bytes[16 << 10];
  const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
  if (count > 0) received_.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

std::string RawClient::ReadAnswer() {
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == received_.npos) {
    if (!ReadMore()) return WithoutIdsAndDates(std::exchange(received_, {}));
  }
  end += 4;
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t length = received_.find(kLength);
  if (length < end) end += std::strtoul(received_.c_str() + length + kLength.size(), nullptr, 10);
  while (received_.size() < end && ReadMore()) {
  }
  std::string answer = received_.substr(0, end);
  received_.erase(0, end);
  return WithoutIdsAndDates(std::move(answer));
}

std::size_t RawClient::Drop(std::size_t most) {
  std::string bytes(most, '\0');
  return static_cast<std::size_t>(std::max<ssize_t>(::recv(socket_, bytes.data(), most, 0), 0));
}

std::string RawClient::ReadToEnd() {
  while (ReadMore()) {
  }
  return WithoutIdsAndDates(std::exchange(received_, {}));
}

std::string WithoutIdsAndDates(std::string text) {
  constexpr std::string_view kField = "x-amzn-RequestId: ";
  constexpr std::size_t kLength = 52;
  for (std::size_t at = 0; (at = text.find(kField, at)) != text.npos;) {
    at += kField.size();
    const std::size_t end = text.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at);
    if (end - at == kLength) text.replace(at, kLength, "<id>");
  }
  constexpr std::string_view kDate = "\r\nDate: ";
  constexpr std::size_t kDateLength = sizeof("Sun, 06 Nov 1994 08:49:37 GMT") - 1;
  for (std::size_t at = 0; (at = text.find(kDate, at)) != text.npos;) {
    at += kDate.size();
    if (text.find(" GMT\r\n", at) == at + kDateLength - 4) text.replace(at, kDateLength, "<date>");
  }
  return text;
}

std::string Post(std::string_view body, std::string_view fields) {
  return "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

std::string OkAnswer(std::string_view body, std::string_view fields) {
  return "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: <date>\r\nContent-Type: "
         "application/json\r\nContent-Length: " +
         std::to_string(body.size()) +
         "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " + std::to_string(Crc32(body)) + "\r\n" +
         std::string(fields) + "\r\n" + std::string(body);
}

std::string RefusedAnswer(std::string_view status, std::string_view body) {
  return "HTTP/1.1 " + std::string(status) +
         "\r\nServer: Server\r\nDate: <date>\r\nContent-Type: application/x-amz-json-1.0\r\n"
         "Content-Length: " +
         std::to_string(body.size()) +
         "\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: " + std::to_string(Crc32(body)) +
         "\r\nConnection: close\r\n\r\n" + std::string(body);
}

}  // namespace hashrange
