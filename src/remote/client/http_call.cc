#include "remote/client/http_call.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <utility>

#include "remote/client/endpoint_url.h"
#include "remote/client/http_connection.h"
#include "server/net/resolve_host.h"

namespace hashrange {
namespace {

namespace asio = boost::asio;

std::string HeadOf(const HttpCall& call) {
  EndpointUrl url;
  url.host = call.host;
  url.port = call.port;
  std::string head = call.method + " " + call.target + " HTTP/1.1\r\nHost: " + url.HostHeader();
  head += "\r\nConnection: close\r\n";
  if (!call.authorization.empty()) head += "Authorization: " + call.authorization + "\r\n";
  if (!call.body.empty()) {
    head +=
        "Content-Type: application/json\r\nContent-Length: " + std::to_string(call.body.size()) +
        "\r\n";
  }
  return head + "\r\n";
}

asio::awaitable<void> Exchange(asio::io_context& io, const HttpConnection::Endpoints& addresses,
                               const HttpCall& call, HttpAnswer& answer) {
  HttpConnection connection(io, nullptr);
  answer.failure = co_await connection.Connect(addresses, call.host, ClientNow() + call.timeout);
  if (answer.failure.has_failed()) co_return;
  const std::string head = HeadOf(call);
  answer = co_await connection.Exchange(head, call.body, call.max_answer_bytes,
                                        ClientNow() + call.timeout);
}

}  // namespace

HttpReply SendHttpCall(const HttpCall& call, std::string* reason) {
  HttpConnection::Endpoints addresses;
  for (const auto& address : ResolveHost(call.host, reason)) {
    addresses.emplace_back(address, call.port);
  }
  if (addresses.empty()) return {};
  HttpAnswer answer;
  asio::io_context io(1);
  asio::co_spawn(io, Exchange(io, addresses, call, answer), asio::detached);
  io.run();
  if (answer.status == 0) *reason = std::move(answer.failure.why);
  return {answer.status, std::move(answer.content_type), std::move(answer.body)};
}

bool ProbeHealth(const std::string& host, std::uint16_t port, std::chrono::milliseconds timeout,
                 std::string* reason) {
  HttpCall call;
  call.host = host;
  call.port = port;
  call.timeout = timeout;
  const HttpReply reply = SendHttpCall(call, reason);
  if (reply.status == 200 && reply.body.starts_with("healthy: ")) return true;
  // A server with --like dynamodb-local.
  constexpr std::string_view kUnsigned =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",)";
  if (reply.status == 400 && reply.body.starts_with(kUnsigned)) return true;
  if (reply.status != 0) *reason = "something else answers there";
  return false;
}

}  // namespace hashrange
