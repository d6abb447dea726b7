// Tests over real sockets that answers wait for the log of changes. The body of a request is the
// position that its answer waits for.
#include "server/http/worker.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/http/started_server.h"
#include "support/manual_durability.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

ApiAnswer WaitForPosition(const ApiRequest& request, OutputBuffer& out) {
  const std::string body(request.body.data(), request.body.size());
  out.Append(body);
  return {.safe_after = std::stoull(body)};
}

class WaitingAnswersTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpServer::Options options;
    options.threads = 2;
    options.grace = std::chrono::milliseconds(50);
    server_ = StartServer({.api = WaitForPosition, .durability = &log_}, options);
  }

  ManualDurability log_;  // outlives the server
  std::unique_ptr<HttpServer> server_;
};

TEST_F(WaitingAnswersTest, AnAnswerComesWhenItsPositionIsSafeAndNotBefore) {
  RawClient client(server_->port()), other(server_->port());
  client.Send(Post("7"));
  other.Send(Post("0"));
  EXPECT_EQ(other.ReadAnswer(), OkAnswer("0"));
  log_.MakeSafe(6);
  other.Send(Post("6"));
  EXPECT_EQ(other.ReadAnswer(), OkAnswer("6"));
  // Answers of one connection are in order, so an answer to "7" would come before this one.
  client.Send(Post("1"));
  log_.MakeSafe(7);
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("7"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("1"));
}

TEST_F(WaitingAnswersTest, APositionThatIsSafeAlreadyDoesNotWait) {
  log_.MakeSafe(9);
  RawClient client(server_->port());
  client.Send(Post("9") + Post("1"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("9"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("1"));
}

TEST_F(WaitingAnswersTest, EarlierAnswersOfABatchDoNotWait) {
  RawClient client(server_->port());
  client.Send(Post("0") + Post("3") + Post("5") + Post("0"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("0"));
  log_.MakeSafe(3);
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("3"));
  log_.MakeSafe(8);
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("5"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("0"));
}

TEST_F(WaitingAnswersTest, AClientThatHasLeftDisturbsNobody) {
  RawClient client(server_->port());
  {
    RawClient leaving(server_->port());
    leaving.Send(Post("2"));
  }
  client.Send(Post("2"));
  log_.MakeSafe(2);
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("2"));
}

TEST_F(WaitingAnswersTest, NoWakeUpIsLostBetweenManyClientsAndTheLog) {
  constexpr int kClients = 8;
  constexpr int kRequests = 200;
  std::atomic<std::uint64_t> asked{0};
  std::atomic<bool> stopping{false};
  // Everything that was asked for becomes safe a moment later, while more is asked for.
  std::thread log([&] {
    for (std::uint64_t safe = 0; !stopping;) {
      if (asked == safe) std::this_thread::yield();
      safe = asked;
      log_.MakeSafe(safe);
    }
  });
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] {
      RawClient client(server_->port());
      for (int n = 0; n < kRequests; ++n) {
        const std::string position = std::to_string(++asked);
        client.Send(Post(position));
        ASSERT_EQ(client.ReadAnswer(), OkAnswer(position));
      }
    });
  }
  for (std::thread& client : clients) client.join();
  stopping = true;
  log.join();
}

TEST_F(WaitingAnswersTest, TheServerStopsWhileAnswersWait) {
  RawClient client(server_->port());
  client.Send(Post("0") + Post("4"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("0"));
  server_->Stop();
  EXPECT_EQ(client.ReadToEnd(), "");
}

}  // namespace
}  // namespace hashrange
