// Tests the client of the command line with servers that give wrong answers.
#include "remote/client/http_call.h"

#include <gtest/gtest.h>

#include <string>

#include "remote/client/scripted_server.h"

namespace hashrange {
namespace {

using test::ScriptedRequest;
using test::ScriptedServer;

// Returns "200 body", or why there is no answer.
std::string Ask(const std::string& answer, HttpCall call = {}) {
  ScriptedServer server([&](int, const ScriptedRequest&) { return answer; });
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
  ScriptedServer server([](int, const ScriptedRequest&) {
    return std::string("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{}");
  });
  call.port = server.port();
  std::string reason;
  const HttpReply reply = SendHttpCall(call, &reason);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_EQ(reply.body, "{}");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].head + requests[0].body,
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
