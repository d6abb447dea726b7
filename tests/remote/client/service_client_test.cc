#include "remote/client/service_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/checksums.h"
#include "remote/client/certificates.h"
#include "remote/client/scoped_environment.h"
#include "remote/client/scripted_server.h"

namespace hashrange {
namespace {

using std::chrono::milliseconds;
using test::JsonAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;
using testing::HasSubstr;
using testing::MatchesRegex;

// A test does not wait longer than this for anything.
constexpr std::chrono::seconds kLongestWait{10};

// Returns whether the condition becomes true.
bool IsSoon(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

std::string ErrorAnswer(int status, const std::string& name) {
  return JsonAnswer(
      status, R"({"__type":"com.amazonaws.dynamodb.v20120810#)" + name + R"(","message":"why"})");
}

class ServiceClientTest : public testing::Test {
 protected:
  ServiceClient::Options Options(int port, const std::string& scheme = "http") const {
    ServiceClient::Options options;
    options.endpoint = ParseEndpointUrl(scheme + "://localhost:" + std::to_string(port)).value();
    options.credentials = credentials_.get();
    options.base_delay = options.longest_delay = milliseconds(1);
    options.answer_timeout = kLongestWait;
    return options;
  }

  std::unique_ptr<CredentialSource> credentials_ = GivenCredentials({"AKID", "secret", "", 0});
};

std::unique_ptr<ServiceClient> Open(const ServiceClient::Options& options) {
  auto client = ServiceClient::Open(options);
  EXPECT_TRUE(client.ok());
  return std::move(client).value();
}

// Returns "200 body", "400 error: message" or "0: message", and the attempts.
std::string Text(const ServiceReply& reply) {
  std::string text = std::to_string(reply.status);
  if (reply.ok()) {
    text += " " + reply.body;
  } else {
    text += (reply.error.empty() ? "" : " " + reply.error) + ": " + reply.message;
  }
  return text + " (" + std::to_string(reply.attempts) + ")";
}

std::string Text(std::future<ServiceReply> reply) {
  return reply.wait_for(kLongestWait) == std::future_status::ready ? Text(reply.get()) : "none";
}

TEST_F(ServiceClientTest, SendsSignedRequestsOnOneConnection) {
  ScriptedServer server(
      [](int, const ScriptedRequest& request) { return JsonAnswer(200, request.body); });
  const auto client = Open(Options(server.port()));
  EXPECT_EQ(Text(client->Call("GetItem", R"({"a":1})")), R"(200 {"a":1} (1))");
  EXPECT_EQ(Text(client->Call("GetRecords", "{}")), "200 {} (1)");
  EXPECT_EQ(server.connections(), 1);
  const auto requests = server.requests();
  const std::string port = std::to_string(server.port());
  EXPECT_THAT(requests[0].head,
              MatchesRegex("POST / HTTP/1.1\r\nHost: localhost:" + port +
                           "\r\nContent-Type: application/x-amz-json-1.0\r\n"
                           "X-Amz-Target: DynamoDB_20120810.GetItem\r\nX-Amz-Date: [0-9TZ]+\r\n"
                           "Authorization: AWS4-HMAC-SHA256 Credential=AKID/[0-9]+/us-east-1/"
                           "dynamodb/aws4_request, SignedHeaders=content-type;host;x-amz-date;"
                           "x-amz-target, Signature=[0-9a-f]+\r\n"
                           "User-Agent: hashrange\r\nContent-Length: 7\r\n\r\n"));
  EXPECT_THAT(requests[1].head, HasSubstr("X-Amz-Target: DynamoDBStreams_20120810.GetRecords"));
}

TEST_F(ServiceClientTest, TriesAgainWhatMaySucceed) {
  ScriptedServer server([](int number, const ScriptedRequest&) -> std::string {
    if (number == 0) return ErrorAnswer(400, "ThrottlingException");
    if (number == 1) return ErrorAnswer(500, "InternalServerError");
    return JsonAnswer(200, "{}");
  });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("PutItem", "{}")), "200 {} (3)");
}

TEST_F(ServiceClientTest, EndsAfterItsAttempts) {
  ScriptedServer server(
      [](int, const ScriptedRequest&) { return ErrorAnswer(400, "ThrottlingException"); });
  const auto client = Open(Options(server.port()));
  EXPECT_EQ(Text(client->Call("PutItem", "{}")), "400 ThrottlingException: why (3)");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST_F(ServiceClientTest, AnEndpointThatFailsAlwaysIsSoonAskedOnceForEachCall) {
  ScriptedServer server(
      [](int, const ScriptedRequest&) { return ErrorAnswer(500, "InternalServerError"); });
  auto options = Options(server.port());
  options.max_attempts = 51;
  const auto client = Open(options);
  EXPECT_EQ(client->Call("PutItem", "{}").attempts, 51);
  EXPECT_EQ(client->Call("PutItem", "{}").attempts, 51);
  EXPECT_EQ(client->Call("PutItem", "{}").attempts, 1);
}

TEST_F(ServiceClientTest, OtherErrorsAreFinal) {
  ScriptedServer server(
      [](int, const ScriptedRequest&) { return ErrorAnswer(400, "ResourceNotFoundException"); });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("GetItem", "{}")),
            "400 ResourceNotFoundException: why (1)");
}

TEST_F(ServiceClientTest, AConnectionThatWasClosedMeanwhileIsReplacedAtOnce) {
  ScriptedServer server([](int number, const ScriptedRequest&) -> std::string {
    return number == 1 ? "" : JsonAnswer(200, "{}");  // closes when the second request comes
  });
  auto options = Options(server.port());
  options.base_delay = options.longest_delay = std::chrono::hours(1);
  const auto client = Open(options);
  EXPECT_EQ(Text(client->Call("GetItem", "{}")), "200 {} (1)");
  EXPECT_EQ(Text(client->Call("GetItem", "{}")), "200 {} (2)");
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(ServiceClientTest, WithOneAttemptNothingIsSentTwice) {
  ScriptedServer server([](int number, const ScriptedRequest&) -> std::string {
    return number == 1 ? "" : JsonAnswer(200, "{}");
  });
  auto options = Options(server.port());
  options.max_attempts = 1;
  const auto client = Open(options);
  EXPECT_EQ(Text(client->Call("PutItem", "{}")), "200 {} (1)");
  EXPECT_EQ(Text(client->Call("PutItem", "{}")),
            "0: " + options.endpoint.Text() + " does not answer: the connection was closed (1)");
  EXPECT_EQ(server.requests().size(), 2u);
}

// Nothing was sent on the closed connection, so this is no second attempt.
TEST_F(ServiceClientTest, AnIdleConnectionThatTheEndpointHasClosedIsNotUsed) {
  ScriptedServer server([](int number, const ScriptedRequest&) {
    // The server closes; that is no header, so the client does not know.
    return JsonAnswer(200, number == 0 ? R"("Connection: close")" : "{}");
  });
  auto options = Options(server.port());
  options.max_attempts = 1;
  const auto client = Open(options);
  EXPECT_EQ(Text(client->Call("PutItem", "{}")), R"(200 "Connection: close" (1))");
  EXPECT_TRUE(IsSoon([&] { return server.closed_connections() > 0; }));
  EXPECT_EQ(Text(client->Call("PutItem", "{}")), "200 {} (1)");
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(ServiceClientTest, AnAnswerIsNotWaitedForOnceWorkIsStopped) {
  std::atomic<bool> stop{false};
  ScriptedServer server([&stop](int number, const ScriptedRequest&) {
    if (number == 0) return JsonAnswer(200, "{}");
    stop = true;
    return ScriptedServer::kHang;
  });
  auto options = Options(server.port());
  options.answer_timeout = std::chrono::hours(1);
  const auto client = Open(options);
  EXPECT_EQ(Text(client->Call("Scan", "{}", &stop)), "200 {} (1)");
  EXPECT_EQ(Text(client->Call("Scan", "{}", &stop)),
            "0: " + options.endpoint.Text() + " had not answered when the work was stopped (0)");
}

TEST_F(ServiceClientTest, ATextThatIsNoRegionIsAnError) {
  auto options = Options(1);
  options.region = "x\r\nX-Evil: 1";
  const auto client = ServiceClient::Open(options);
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().message,
            "\"x\r\nX-Evil: 1\" is no Region: a Region is written as in eu-west-1");
}

TEST_F(ServiceClientTest, AFreshConnectionThatIsClosedIsOne) {
  ScriptedServer server([](int, const ScriptedRequest&) { return std::string(); });
  auto options = Options(server.port());
  options.max_attempts = 2;
  EXPECT_EQ(Text(Open(options)->Call("GetItem", "{}")),
            "0: " + options.endpoint.Text() + " does not answer: the connection was closed (2)");
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(ServiceClientTest, AHangingEndpointIsLeft) {
  ScriptedServer server([](int, const ScriptedRequest&) { return ScriptedServer::kHang; });
  auto options = Options(server.port());
  options.answer_timeout = milliseconds(30);
  EXPECT_EQ(Text(Open(options)->Call("GetItem", "{}")),
            "0: " + options.endpoint.Text() + " does not answer: no answer in time (3)");
  EXPECT_EQ(server.connections(), 3);
}

TEST_F(ServiceClientTest, AWrongChecksumIsAFailure) {
  ScriptedServer server([](int number, const ScriptedRequest&) {
    return JsonAnswer(200, "{}",
                      "x-amz-crc32: " + std::to_string(Crc32("{}") + (number == 0)) + "\r\n");
  });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("GetItem", "{}")), "200 {} (2)");
}

TEST_F(ServiceClientTest, AnAnswerThatIsTooLongIsAFailure) {
  ScriptedServer server(
      [](int, const ScriptedRequest&) { return JsonAnswer(200, std::string(10'000, ' ')); });
  auto options = Options(server.port());
  options.max_answer_bytes = 9'999;
  options.max_attempts = 1;
  EXPECT_EQ(Text(Open(options)->Call("Scan", "{}")),
            "0: " + options.endpoint.Text() + " does not answer: the answer is too long (1)");
}

TEST_F(ServiceClientTest, WhatIsNoServiceIsNamed) {
  ScriptedServer server([](int, const ScriptedRequest&) {
    return std::string("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\n<html");
  });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("GetItem", "{}")), "404:  (1)");
  auto options = Options(1);
  options.max_attempts = 1;
  EXPECT_EQ(Text(Open(options)->Call("GetItem", "{}")),
            "0: http://localhost:1 does not answer: Connection refused (1)");
  options.endpoint.host = "no.such.host.invalid";
  EXPECT_THAT(Open(options)->Call("GetItem", "{}").message,
              testing::StartsWith("http://no.such.host.invalid:1 does not answer: its name"));
}

TEST_F(ServiceClientTest, ANameThatIsNoOperationIsNotSent) {
  ScriptedServer server([](int, const ScriptedRequest&) { return JsonAnswer(200, "{}"); });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("GetItem\r\nX: y", "{}")),
            "0: \"GetItem\r\nX: y\" is not the name of an operation (1)");
  EXPECT_EQ(server.connections(), 0);
}

TEST_F(ServiceClientTest, TakesOverTheTimeOfTheService) {
  ScriptedServer server([](int number, const ScriptedRequest& request) {
    if (number > 0) {
      EXPECT_THAT(request.head, HasSubstr("X-Amz-Date: 20300101T0000"));
      return JsonAnswer(200, "{}");
    }
    return JsonAnswer(400,
                      R"({"__type":"com.amazon.coral.service#InvalidSignatureException",)"
                      R"("message":"Signature expired: now earlier than then"})",
                      "Date: Tue, 01 Jan 2030 00:00:00 GMT\r\n");
  });
  EXPECT_EQ(Text(Open(Options(server.port()))->Call("GetItem", "{}")), "200 {} (2)");
}

// An attempt with the wrong time does not count, and calls that were signed together all learn it.
TEST_F(ServiceClientTest, CallsThatAreSentTogetherTakeOverTheTime) {
  std::atomic<int> waiting{0};
  ScriptedServer server([&waiting](int, const ScriptedRequest& request) {
    if (request.head.find("X-Amz-Date: 2030") != std::string::npos) return JsonAnswer(200, "{}");
    ++waiting;
    EXPECT_TRUE(IsSoon([&waiting] { return waiting >= 2; }));
    return JsonAnswer(400, R"({"__type":"x#RequestTimeTooSkewed","message":"Too far"})",
                      "Date: Tue, 01 Jan 2030 00:00:00 GMT\r\n");
  });
  auto options = Options(server.port());
  options.max_attempts = 1;
  std::promise<ServiceReply> first;
  std::promise<ServiceReply> second;
  const auto client = Open(options);
  client->Send("GetItem", "{}", [&](ServiceReply reply) { first.set_value(std::move(reply)); });
  client->Send("GetItem", "{}", [&](ServiceReply reply) { second.set_value(std::move(reply)); });
  EXPECT_EQ(Text(first.get_future()), "200 {} (2)");
  EXPECT_EQ(Text(second.get_future()), "200 {} (2)");
}

TEST_F(ServiceClientTest, AServiceWhoseTimeNeverFitsRefuses) {
  ScriptedServer server([](int number, const ScriptedRequest&) {
    return JsonAnswer(400, R"({"__type":"x#RequestTimeTooSkewed","message":"Too far"})",
                      number % 2 == 0 ? "Date: Tue, 01 Jan 2030 00:00:00 GMT\r\n"
                                      : "Date: Wed, 01 Jan 2020 00:00:00 GMT\r\n");
  });
  auto options = Options(server.port());
  options.max_attempts = 1;
  EXPECT_EQ(Text(Open(options)->Call("GetItem", "{}")), "400 RequestTimeTooSkewed: Too far (2)");
}

TEST_F(ServiceClientTest, UsesAsManyConnectionsAsItMay) {
  std::promise<void> open;
  const std::shared_future<void> opened = open.get_future();
  ScriptedServer server([&](int, const ScriptedRequest&) {
    opened.wait();
    return JsonAnswer(200, "{}");
  });
  auto options = Options(server.port());
  options.max_connections = 3;
  constexpr int kCalls = 20;
  std::atomic<int> succeeded{0};
  std::promise<void> all;
  std::atomic<int> done{0};
  const auto client = Open(options);
  for (int i = 0; i < kCalls; ++i) {
    client->Send("GetItem", "{}", [&](ServiceReply reply) {
      succeeded += reply.ok();
      if (++done == kCalls) all.set_value();
    });
  }
  open.set_value();
  EXPECT_EQ(all.get_future().wait_for(kLongestWait), std::future_status::ready);
  EXPECT_EQ(succeeded, kCalls);
  EXPECT_EQ(server.connections(), 3);
}

TEST_F(ServiceClientTest, OpenCallsEndWithTheClient) {
  ScriptedServer server([](int, const ScriptedRequest&) { return ScriptedServer::kHang; });
  auto options = Options(server.port());
  options.max_connections = 2;
  auto client = Open(options);
  std::vector<std::string> replies;
  for (int i = 0; i < 5; ++i) {
    client->Send("GetItem", "{}", [&](ServiceReply reply) { replies.push_back(Text(reply)); });
  }
  client.reset();
  EXPECT_EQ(replies, std::vector<std::string>(5, "0: The client was closed before " +
                                                     options.endpoint.Text() + " answered (0)"));
}

class TlsClientTest : public ServiceClientTest {
 protected:
  TlsClientTest() : file_(testing::TempDir() + "tls_" + std::to_string(::getpid()) + ".pem") {}
  ~TlsClientTest() override { std::remove(file_.c_str()); }

  // Returns what a call gives at a server with such a certificate. The client trusts that one only.
  std::string Ask(const test::CertificateOrder& order, const std::string& host = "localhost") {
    test::WriteCertificate(order, file_);
    ScriptedServer server([](int, const ScriptedRequest&) { return JsonAnswer(200, "{}"); }, file_);
    auto options = Options(server.port(), "https");
    options.endpoint.host = host;
    options.ca_file = file_;
    const ServiceReply reply = Open(options)->Call("GetItem", "{}");
    const std::string text = Text(reply);
    const std::size_t colon = text.find("answer: ");
    return colon == text.npos ? text : text.substr(colon + 8);
  }

  const std::string file_;
};

TEST_F(TlsClientTest, AcceptsWhatItTrusts) {
  EXPECT_EQ(Ask({}), "200 {} (1)");
  EXPECT_EQ(Ask({.host = "127.0.0.1"}, "127.0.0.1"), "200 {} (1)");
}

TEST_F(TlsClientTest, RefusesOtherCertificates) {
  EXPECT_EQ(Ask({.days = -1}), "its certificate is not accepted: certificate has expired (1)");
  EXPECT_EQ(Ask({.host = "example.com"}), "its certificate is not accepted: hostname mismatch (1)");
  EXPECT_EQ(Ask({.host = "example.com"}, "127.0.0.1"),
            "its certificate is not accepted: IP address mismatch (1)");
  EXPECT_EQ(Ask({}, "127.0.0.1"), "its certificate is not accepted: IP address mismatch (1)");
}

TEST_F(TlsClientTest, RefusesWhomItDoesNotTrust) {
  const std::string other = file_ + ".other";
  test::WriteCertificate({}, file_);
  test::WriteCertificate({}, other);
  ScriptedServer server([](int, const ScriptedRequest&) { return JsonAnswer(200, "{}"); }, file_);
  auto options = Options(server.port(), "https");
  test::ScopedEnvironment environment(testing::TempDir());
  environment.Set("AWS_CA_BUNDLE", other);
  EXPECT_THAT(Text(Open(options)->Call("GetItem", "{}")),
              HasSubstr("its certificate is not accepted: self-signed certificate (1)"));
  std::remove(other.c_str());
}

TEST_F(TlsClientTest, APlainServerIsNoTlsServer) {
  ScriptedServer server([](int, const ScriptedRequest&) { return JsonAnswer(200, "{}"); });
  test::WriteCertificate({}, file_);
  auto options = Options(server.port(), "https");
  options.ca_file = file_;
  options.max_attempts = 1;
  options.connect_timeout = milliseconds(200);
  EXPECT_THAT(Text(Open(options)->Call("GetItem", "{}")), testing::StartsWith("0: "));
}

TEST_F(TlsClientTest, AFileWithoutCertificatesIsAnError) {
  auto options = Options(1, "https");
  options.ca_file = file_ + ".none";
  const auto client = ServiceClient::Open(options);
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().message,
            "The file " + file_ + ".none has no certificates that can be read");
}

}  // namespace
}  // namespace hashrange
