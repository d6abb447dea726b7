#include "http/limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/http_server.h"
#include "http/raw_client.h"
#include "http/read_buffer.h"

namespace hashrange {
namespace {

TEST(Limits, NoMoreIsTakenThanTheLimit) {
  Limits limits(100, 2);
  EXPECT_TRUE(limits.TakeBytes(60));
  EXPECT_FALSE(limits.TakeBytes(41));
  EXPECT_TRUE(limits.TakeBytes(40));
  limits.ReturnBytes(60);
  EXPECT_EQ(limits.bytes(), 40);
  EXPECT_TRUE(limits.TakeConnection());
  EXPECT_TRUE(limits.TakeConnection());
  EXPECT_FALSE(limits.TakeConnection());
  limits.ReturnConnection();
  EXPECT_TRUE(limits.TakeConnection());
}

TEST(Limits, ConnectionsLeaveDescriptorsForOtherThings) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 256;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const int most = MaxConnections(0, 2);
  EXPECT_LT(most, 256);
  EXPECT_GT(most, 128);
  EXPECT_LT(MaxConnections(0, 4), most);
  EXPECT_EQ(MaxConnections(7, 2), 7);
  EXPECT_EQ(MaxConnections(1000, 2), most);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

// Fills the buffer until it is full or has `bytes`. Returns its size.
std::size_t Fill(ReadBuffer& buffer, std::size_t bytes) {
  while (buffer.size() < bytes) {
    const auto room = buffer.Prepare();
    if (room.empty()) break;
    buffer.Commit(std::min(room.size(), bytes - buffer.size()));
  }
  return buffer.size();
}

TEST(Limits, ABufferGrowsUpToTheLimit) {
  Limits limits(Limits::kMinRequestBytes, 1);
  ReadBuffer first(&limits);
  EXPECT_EQ(Fill(first, 100), 100u);
  EXPECT_EQ(limits.bytes(), 0);
  EXPECT_EQ(Fill(first, 16 << 20), 16u << 20);
  {
    ReadBuffer second(&limits);
    EXPECT_LT(Fill(second, 17 << 20), 17u << 20);
    EXPECT_TRUE(second.Prepare().empty());
    EXPECT_LE(limits.bytes(), Limits::kMinRequestBytes);
    first.Consume(16 << 20);
    first.ReleaseExcess();
    EXPECT_EQ(limits.bytes(), static_cast<std::int64_t>(second.capacity()));
    EXPECT_FALSE(second.Prepare().empty());
  }
  EXPECT_EQ(limits.bytes(), 0);
}

TEST(Limits, AnIdleBufferReleasesItsBytesWhenTheyAreScarce) {
  Limits limits(256 << 10, 1);
  ReadBuffer idle(&limits), busy(&limits);
  Fill(idle, 10'000);
  idle.Consume(10'000);
  idle.ReleaseExcess();
  EXPECT_EQ(idle.capacity(), 16u << 10);
  Fill(busy, 60'000);
  idle.ReleaseExcess();
  EXPECT_EQ(idle.capacity(), ReadBuffer::kInitialBytes);
  EXPECT_EQ(limits.bytes(), static_cast<std::int64_t>(busy.capacity()));
}

class LimitsTest : public testing::Test {
 protected:
  void Start(int max_connections) {
    HttpServer::Options options;
    options.port = 0;
    options.threads = 2;
    options.request_memory_bytes = Limits::kMinRequestBytes;
    options.max_connections = max_connections;
    options.patience = std::chrono::seconds(9);
    std::string error;
    // A body that begins with "late" is answered after an hour.
    const auto size = [this](const ApiRequest& request, OutputBuffer& out) {
      out.Append(std::to_string(request.body.size()));
      const std::string_view body(request.body.data(), request.body.size());
      if (!body.starts_with("late")) return ApiAnswer{};
      ++held_;
      return ApiAnswer{.send_after_ms = 3'600'000};
    };
    server_ = HttpServer::Start({size}, options, &error);
    ASSERT_EQ(error, "");
  }
  std::unique_ptr<RawClient> Connect() { return std::make_unique<RawClient>(server_->port()); }

  // Returns false when that does not happen within ten seconds.
  bool WaitUntilHeld(int count) {
    for (int i = 0; i < 2000 && held_ < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return held_ >= count;
  }

  std::atomic<int> held_{0};
  std::unique_ptr<HttpServer> server_;
};

constexpr std::size_t kLargest = 16 << 20;

TEST_F(LimitsTest, UnfinishedBodiesTakeNoMoreThanTheirMemory) {
  Start(0);
  const std::string large = Post(std::string(kLargest, ' '));
  const auto one = Connect(), two = Connect();
  one->Send(std::string_view(large).substr(0, large.size() - 1));
  two->Send(std::string_view(large).substr(0, large.size() - 1));
  // One of the two is refused while the other is under way, before its body has arrived.
  one->Send(std::string_view(large).substr(large.size() - 1));
  two->Send(std::string_view(large).substr(large.size() - 1));
  one->EndSending();
  two->EndSending();
  const std::string answers[] = {one->ReadToEnd(), two->ReadToEnd()};
  const bool first_is_refused = answers[0].starts_with("HTTP/1.1 503 ");
  EXPECT_EQ(answers[first_is_refused ? 1 : 0], OkAnswer("16777216"));
  EXPECT_EQ(answers[first_is_refused ? 0 : 1],
            RefusedAnswer("503 Service Unavailable",
                          R"({"__type":"com.amazon.coral.service#ServiceUnavailableException",)"
                          R"("Message":"The bodies of the requests under way take all of the )"
                          R"(server's --request-memory."})"));
}

TEST_F(LimitsTest, ALargestBodyFitsAgainWhenAnotherIsDone) {
  Start(0);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(Connect());
    clients.back()->Send(Post(std::string(kLargest, ' ')));
    EXPECT_EQ(clients.back()->ReadAnswer(), OkAnswer("16777216"));
  }
  for (const auto& client : clients) {
    client->Send(Post("a"));
    EXPECT_EQ(client->ReadAnswer(), OkAnswer("1"));
  }
}

TEST_F(LimitsTest, AnAbortedBodyReleasesItsMemory) {
  Start(0);
  for (int i = 0; i < 4; ++i) {
    Connect()->Send(std::string_view(Post(std::string(kLargest, ' '))).substr(0, kLargest));
  }
  // The server may notice the end of the last connection a moment later.
  for (int i = 0; i < 1000; ++i) {
    const auto client = Connect();
    client->Send(Post(std::string(kLargest, ' ')));
    const std::string answer = client->ReadAnswer();
    if (answer == OkAnswer("16777216")) return;
    ASSERT_EQ(answer.substr(9, 3), "503");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FAIL() << "the memory did not come back";
}

TEST_F(LimitsTest, AConnectionAboveTheLimitIsClosedAndALaterOneIsNot) {
  Start(3);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(Connect());
    clients.back()->Send(Post("a"));
    EXPECT_EQ(clients.back()->ReadAnswer(), OkAnswer("1"));
  }
  EXPECT_EQ(Connect()->ReadToEnd(), "");
  clients.front()->Send(Post("b"));
  EXPECT_EQ(clients.front()->ReadAnswer(), OkAnswer("1"));
  clients.pop_back();
  for (int i = 0; i < 1000; ++i) {  // until the server has seen its end
    const auto client = Connect();
    client->Send(Post("a"));
    const std::string answer = client->ReadAnswer();
    if (answer == OkAnswer("1")) return;
    ASSERT_EQ(answer, "");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FAIL() << "the place did not come back";
}

TEST_F(LimitsTest, AHeldAnswerWithoutAClientIsDroppedWhenConnectionsRunOut) {
  Start(2);
  for (int i = 0; i < 2; ++i) Connect()->Send(Post("late"));
  ASSERT_TRUE(WaitUntilHeld(2));
  for (int i = 0; i < 2000; ++i) {
    const auto client = Connect();
    client->Send(Post("a"));
    if (client->ReadAnswer() == OkAnswer("1")) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FAIL() << "the places did not come back";
}

TEST_F(LimitsTest, AHeldAnswerHoldsNoMemoryOfItsRequest) {
  Start(0);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 1; i <= 4; ++i) {
    clients.push_back(Connect());
    clients.back()->Send(Post("late" + std::string(kLargest - 4, ' ')));
    ASSERT_TRUE(WaitUntilHeld(i));
  }
  const auto client = Connect();
  client->Send(Post(std::string(kLargest, ' ')));
  EXPECT_EQ(client->ReadAnswer(), OkAnswer("16777216"));
}

}  // namespace
}  // namespace hashrange
