#include "server/http/http_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "platform/net/sockets.h"
#include "remote/client/http_call.h"
#include "server/http/started_server.h"
#include "support/log_lines.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

// Echoes the body: "late" after 50 ms, "never" after an hour, any other at once.
ApiAnswer Echo(const ApiRequest& request, OutputBuffer& out) {
  const std::string_view body(request.body.data(), request.body.size());
  out.Append(body);
  ApiAnswer answer;
  if (body == "late") answer.send_after_ms = 50;
  if (body == "never") answer.send_after_ms = 3'600'000;
  return answer;
}

std::unique_ptr<HttpServer> StartAt(std::uint16_t port, std::string* error) {
  HttpServer::Options options;
  options.port = port;
  options.threads = 2;
  return HttpServer::Start({Echo}, options, error);
}

std::unique_ptr<HttpServer> Started(int threads = 2,
                                    std::chrono::milliseconds grace = std::chrono::seconds(10)) {
  HttpServer::Options options;
  options.threads = threads;
  options.grace = grace;
  return StartServer({Echo}, options);
}

// An empty host: the server listens on the loopback addresses.
HttpServer::Options AnyPort(const std::string& host = "") {
  HttpServer::Options options;
  options.host = host;
  options.port = 0;
  options.threads = 1;
  return options;
}

TEST(HttpServerTest, SaysWhereItListens) {
  const auto server = Started();
  EXPECT_GT(server->port(), 0);
  EXPECT_EQ(server->endpoint(), "http://127.0.0.1:" + std::to_string(server->port()));
}

TEST(HttpServerTest, AServerOnAllAddressesNamesALoopbackAddressFirst) {
  const auto server = StartServer({Echo}, AnyPort("0.0.0.0"));
  EXPECT_EQ(server->endpoint(), "http://127.0.0.1:" + std::to_string(server->port()));
}

TEST(HttpServerTest, AServerOnAllAddressesNamesEachOfThem) {
  const auto server = StartServer({Echo}, AnyPort("0.0.0.0"));
  std::vector<std::string> expected;
  for (const auto& address : OwnAddresses()) {
    if (!address.is_v4()) continue;
    expected.push_back("http://" + address.to_string() + ":" + std::to_string(server->port()));
  }
  EXPECT_EQ(server->endpoints(), expected);
}

TEST(HttpServerTest, AServerOnLoopbackAddressesNamesBoth) {
  const auto server = Started();
  const std::string port = std::to_string(server->port());
  const auto own = OwnAddresses();
  std::vector<std::string> expected = {"http://127.0.0.1:" + port};
  if (std::ranges::count(own, boost::asio::ip::make_address("::1")) > 0) {
    expected.push_back("http://[::1]:" + port);
  }
  EXPECT_EQ(server->endpoints(), expected);
}

TEST(HttpServerTest, APortThatIsTakenIsNamedWithItsAddress) {
  std::string error;
  const auto server = StartServer({Echo}, AnyPort("127.0.0.2"));
  HttpServer::Options options = AnyPort("0.0.0.0");
  options.port = server->port();
  EXPECT_EQ(HttpServer::Start({Echo}, options, &error), nullptr);
  EXPECT_EQ(error, "port " + std::to_string(server->port()) +
                       " on 0.0.0.0 is taken by another program (choose one with --port)");
}

TEST(HttpServerTest, APortThatIsTakenOnTheSecondAddressIsNamed) {
  std::string error;
  const auto server = HttpServer::Start({Echo}, AnyPort("::1"), &error);
  if (!server) GTEST_SKIP() << error;
  EXPECT_EQ(StartAt(server->port(), &error), nullptr);
  EXPECT_EQ(error, "port " + std::to_string(server->port()) +
                       " on [::1] is taken by another program (choose one with --port)");
}

// A site can make any name of its own resolve to 127.0.0.1, so its pages call with that name.
TEST(HttpServerTest, OnlyAServerOnLoopbackAddressesChecksTheHost) {
  for (const auto& [host, status] :
       {std::pair("", "403"), {"127.0.0.1", "403"}, {"0.0.0.0", "200"}}) {
    const auto server = StartServer({Echo}, AnyPort(host));
    RawClient client(server->port());
    client.Send("GET / HTTP/1.1\r\nHost: db.example:8000\r\n\r\n");
    EXPECT_EQ(client.ReadAnswer().substr(9, 3), status) << host;
  }
}

// Returns the warnings of a server when it begins to listen.
std::vector<std::string> WarningsAtStart(const HttpServer::Options& options) {
  const test::LogLines log(LogLevel::kWarning);
  std::string error;
  const auto server = HttpServer::Start({Echo}, options, &error);
  EXPECT_EQ(error, "");
  std::vector<std::string> lines = log.lines();
  for (std::string& line : lines) {
    const std::string port = ":" + std::to_string(server->port());
    for (std::size_t at = 0; (at = line.find(port)) != line.npos;) line.erase(at, port.size());
  }
  return lines;
}

TEST(HttpServerTest, WarnsWhenOtherMachinesMayReachIt) {
  EXPECT_EQ(WarningsAtStart(AnyPort()), std::vector<std::string>());
  std::string addresses;
  for (const auto& address : OwnAddresses()) {
    if (!address.is_v4()) continue;
    addresses.append(addresses.empty() ? "http://" : ", http://").append(address.to_string());
  }
  HttpServer::Options open = AnyPort("0.0.0.0");
  const std::string tables =
      "other machines may reach " + addresses +
      ": whoever does can read and change all tables, as signatures are not verified; ";
  EXPECT_EQ(WarningsAtStart(open),
            std::vector{tables + "the control API answers this machine only"});
  open.control_token = "0123456789abcdef";
  EXPECT_EQ(WarningsAtStart(open),
            std::vector{tables + "the control API answers every caller with the control token"});
}

TEST(HttpServerTest, WarnsOfOriginsOfAnySiteAndOfAShortToken) {
  HttpServer::Options options = AnyPort();
  options.cors = {"https://app.example", "*", "null"};
  options.control_token = "0123456789abcde";
  EXPECT_EQ(WarningsAtStart(options),
            (std::vector<std::string>{
                "--cors *, --cors null lets pages of every site that a browser on this network "
                "opens read and change all tables",
                "the control token has less than 16 characters, so that others may guess it"}));
}

TEST(HttpServerTest, RefusesATakenPort) {
  std::string error;
  const auto server = Started();
  EXPECT_EQ(StartAt(server->port(), &error), nullptr);
  EXPECT_EQ(error, "port " + std::to_string(server->port()) +
                       " on 127.0.0.1 is taken by another program (choose one with --port)");
}

TEST(HttpServerTest, RefusesConnectionsUntilItListens) {
  std::string error, reason;
  const auto server = HttpServer::Bind({Echo}, AnyPort(), &error);
  ASSERT_EQ(error, "");
  const auto is_up = [&] {
    return ProbeHealth("127.0.0.1", server->port(), std::chrono::seconds(2), &reason);
  };
  EXPECT_FALSE(is_up());
  EXPECT_EQ(reason, "Connection refused");
  ASSERT_TRUE(server->Listen(&error)) << error;
  EXPECT_TRUE(is_up());
}

// A released port may be taken by another test that runs at the same time.
constexpr int kPortTries = 5;

TEST(HttpServerTest, AServerThatNeverListensReleasesItsPort) {
  std::unique_ptr<HttpServer> again;
  std::string error;
  for (int i = 0; i < kPortTries && !again; ++i) {
    auto server = HttpServer::Bind({Echo}, AnyPort(), &error);
    ASSERT_EQ(error, "");
    const std::uint16_t port = server->port();
    server = nullptr;
    again = StartAt(port, &error);
  }
  EXPECT_NE(again, nullptr) << error;
}

// The system lets several sockets bind an address on which no socket listens yet.
TEST(HttpServerTest, RefusesAPortThatAnotherListensOnMeanwhile) {
  std::string error;
  const auto server = HttpServer::Bind({Echo}, AnyPort(), &error);
  ASSERT_EQ(error, "");
  const auto other = StartAt(server->port(), &error);
  ASSERT_EQ(error, "");
  EXPECT_FALSE(server->Listen(&error));
  EXPECT_EQ(error, "port " + std::to_string(other->port()) +
                       " on 127.0.0.1 is taken by another program (choose one with --port)");
}

TEST(HttpServerTest, APortIsFreeAgainAfterStop) {
  std::unique_ptr<HttpServer> again;
  std::string error;
  for (int i = 0; i < kPortTries && !again; ++i) {
    const auto server = Started();
    RawClient client(server->port());
    client.Send(Post("a"));
    EXPECT_EQ(client.ReadAnswer(), OkAnswer("a"));
    server->Stop();
    again = StartAt(server->port(), &error);
  }
  EXPECT_NE(again, nullptr) << error;
}

TEST(HttpServerTest, StopEndsIdleConnectionsAndFinishesRequestsUnderWay) {
  const auto server = Started(1);  // one thread, so that all connections end at once
  RawClient idle(server->port());
  RawClient late(server->port());
  RawClient half(server->port());
  // When the answer to a request has arrived, the server has read the whole packet of the request.
  const std::string begun = Post("half");
  idle.Send(Post("a"));
  late.Send(Post("a") + Post("late"));
  half.Send(Post("a") + begun.substr(0, 40));
  for (RawClient* client : {&idle, &late, &half}) EXPECT_EQ(client->ReadAnswer(), OkAnswer("a"));

  std::thread stop([&server] { server->Stop(); });
  EXPECT_EQ(idle.ReadToEnd(), "");
  half.Send(begun.substr(40));
  EXPECT_EQ(half.ReadToEnd(), OkAnswer("half", "Connection: close\r\n"));
  EXPECT_EQ(late.ReadToEnd(), OkAnswer("late"));  // its head was written before the stop
  stop.join();
}

TEST(HttpServerTest, StopWaitsNoLongerThanItsGrace) {
  const auto server = Started(2, std::chrono::milliseconds(50));
  RawClient never(server->port());
  RawClient half(server->port());
  never.Send(Post("a") + Post("never"));
  half.Send(Post("a") + "POST");
  for (RawClient* client : {&never, &half}) EXPECT_EQ(client->ReadAnswer(), OkAnswer("a"));
  server->Stop();
  EXPECT_EQ(never.ReadToEnd(), "");
  EXPECT_EQ(half.ReadToEnd(), "");
}

TEST(HttpServerTest, ServesManyClientsAtOnceUntilStopped) {
  const auto server = Started(3);
  std::atomic<int> answered{0};
  std::vector<std::unique_ptr<RawClient>> clients;  // all connected before the stop
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<RawClient>(server->port()));
    clients.back()->Send(Post("a"));
    EXPECT_EQ(clients.back()->ReadAnswer(), OkAnswer("a"));
  }
  std::vector<std::thread> threads;
  for (const auto& client : clients) {
    threads.emplace_back([&answered, &client = *client] {
      for (;;) {
        client.Send(Post("a"));
        if (client.ReadAnswer().empty()) return;
        ++answered;
      }
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (answered < 400 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_GE(answered, 400);
  server->Stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(HealthProbeTest, FindsARunningServerAndNoOther) {
  const auto server = Started();
  std::string reason;
  EXPECT_TRUE(ProbeHealth("127.0.0.1", server->port(), std::chrono::seconds(2), &reason)) << reason;
  EXPECT_TRUE(ProbeHealth("localhost", server->port(), std::chrono::seconds(2), &reason)) << reason;
  server->Stop();
  EXPECT_FALSE(ProbeHealth("127.0.0.1", server->port(), std::chrono::seconds(2), &reason));
  EXPECT_EQ(reason, "Connection refused");
}

}  // namespace
}  // namespace hashrange
