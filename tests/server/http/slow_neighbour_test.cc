// Ready answers are not delayed by other connections of the same thread that take long.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "server/http/started_server.h"
#include "support/eventually.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

// One thread serves all connections; bodies are commands.
class SlowNeighbourTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpServer::Options options;
    options.threads = 1;
    const auto obey = [this](const ApiRequest& request, OutputBuffer& out) {
      return Obey({request.body.data(), request.body.size()}, out);
    };
    server_ = StartServer({obey}, options);
  }

  void TearDown() override { server_.reset(); }  // before the members that its handler uses

  ApiAnswer Obey(std::string_view body, OutputBuffer& out) {
    std::string answer(body);
    if (body == "wait until all are sent") {
      is_waiting_ = true;
      WaitFor(all_are_sent_);
    } else if (body == "fast") {
      fast_is_served_ = true;
    } else if (body == "slow") {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    } else if (body == "wait for the client of fast") {
      // Without "fast" before it, this connection was served first, and the try shows nothing.
      if (!fast_is_served_) {
        answer = "first";
      } else {
        answer = WaitFor(fast_has_arrived_) ? "answered meanwhile" : "answered afterwards";
      }
    }
    out.Append(answer);
    return {};
  }

  static bool WaitFor(const std::atomic<bool>& flag) {
    return test::Eventually([&] { return flag.load(); });
  }

  // Sends a request on each connection while the server's thread is blocked, so that one poll finds
  // all of them. The first body is "fast", the last "wait for the client of fast". Returns the
  // answer to the last.
  std::string ServeTogether(RawClient& fast, RawClient* between, RawClient& waiting) {
    is_waiting_ = all_are_sent_ = fast_is_served_ = fast_has_arrived_ = false;
    RawClient blocker(server_->port());
    blocker.Send(Post("wait until all are sent"));
    EXPECT_TRUE(WaitFor(is_waiting_));
    fast.Send(Post("fast"));
    if (between) between->Send(Post("slow"));
    waiting.Send(Post("wait for the client of fast"));
    all_are_sent_ = true;
    EXPECT_EQ(fast.ReadAnswer(), OkAnswer("fast"));
    fast_has_arrived_ = true;
    if (between) {
      EXPECT_EQ(between->ReadAnswer(), OkAnswer("slow"));
    }
    return waiting.ReadAnswer();
  }

  std::unique_ptr<HttpServer> server_;
  std::atomic<bool> is_waiting_ = false;
  std::atomic<bool> all_are_sent_ = false;
  std::atomic<bool> fast_is_served_ = false;
  std::atomic<bool> fast_has_arrived_ = false;
};

constexpr int kMostTries = 20;

TEST_F(SlowNeighbourTest, AnAnswerIsSentBeforeAConnectionThatWasSlowIsServed) {
  RawClient fast(server_->port());
  RawClient slow(server_->port());
  std::string answer = OkAnswer("first");
  for (int i = 0; i < kMostTries && answer == OkAnswer("first"); ++i) {
    slow.Send(Post("slow"));
    EXPECT_EQ(slow.ReadAnswer(), OkAnswer("slow"));
    answer = ServeTogether(fast, nullptr, slow);
  }
  EXPECT_EQ(answer, OkAnswer("answered meanwhile"));
}

TEST_F(SlowNeighbourTest, AnAnswerIsSentAfterTheFirstSlowRequest) {
  RawClient fast(server_->port());
  std::string answer = OkAnswer("first");
  for (int i = 0; i < kMostTries && answer == OkAnswer("first"); ++i) {
    RawClient slow(server_->port());
    RawClient waiting(server_->port());
    answer = ServeTogether(fast, &slow, waiting);
  }
  EXPECT_EQ(answer, OkAnswer("answered meanwhile"));
}

TEST_F(SlowNeighbourTest, ThePipelineOfOneConnectionIsAnsweredInParts) {
  RawClient client(server_->port());
  std::string answer = OkAnswer("first");
  for (int i = 0; i < kMostTries && answer == OkAnswer("first"); ++i) {
    fast_is_served_ = fast_has_arrived_ = false;
    client.Send(Post("fast") + Post("slow") + Post("wait for the client of fast"));
    EXPECT_EQ(client.ReadAnswer(), OkAnswer("fast"));
    fast_has_arrived_ = true;
    EXPECT_EQ(client.ReadAnswer(), OkAnswer("slow"));
    answer = client.ReadAnswer();
  }
  EXPECT_EQ(answer, OkAnswer("answered meanwhile"));
}

}  // namespace
}  // namespace hashrange
