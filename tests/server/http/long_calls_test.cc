// Calls that may take long are made again on a thread of their own: other connections, and the
// thread that serves them, do not wait, and pipelined answers keep their order.
#include "server/http/long_calls.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "server/http/started_server.h"
#include "support/eventually.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

// One thread serves all connections. A body that begins with "long" leaves it. "long: wait" waits
// until the test lets it go on, "long: drop" drops its connection, "long: late" is sent 20 ms
// later, and "long: throw" throws.
class LongCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    HttpServer::Options options;
    options.threads = 1;
    const auto obey = [this](const ApiRequest& request, OutputBuffer& out) {
      return Obey(request, out);
    };
    server_ = StartServer({obey}, options);
  }
  void TearDown() override { server_.reset(); }  // before the members that its handler uses

  ApiAnswer Obey(const ApiRequest& request, OutputBuffer& out) {
    std::string body(request.body.data(), request.body.size());
    ApiAnswer answer;
    if (body.starts_with("long") && request.may_leave) {
      out.Append("a part of an answer");
      // The parser of a body overwrites it, and the byte behind it.
      for (std::size_t i = 0; i <= request.body.size(); ++i) request.body.data()[i] = '!';
      answer.body_to_repeat = std::make_unique<std::string>(body);
      return answer;
    }
    if (body == "long: wait") EXPECT_TRUE(test::Eventually([&] { return goes_on_.load(); }));
    if (body == "long: throw") throw std::runtime_error("no memory");
    answer.drop = body == "long: drop";
    answer.send_after_ms = body == "long: late" ? 20 : 0;
    if (body.starts_with("long")) {
      EXPECT_NE(std::this_thread::get_id(), short_thread_.load());
      body.append(" ").append(request.target).append(request.pattern).append(request.user_agent);
      body.append(request.authorization.value_or("none")).append(request.host);
    } else {
      short_thread_ = std::this_thread::get_id();
    }
    out.Append(body);
    return answer;
  }

  std::unique_ptr<HttpServer> server_;
  std::atomic<bool> goes_on_ = false;
  std::atomic<std::thread::id> short_thread_;
};

TEST_F(LongCallsTest, OthersAreAnsweredMeanwhileAndPipelinedAnswersKeepTheirOrder) {
  RawClient first(server_->port()), second(server_->port());
  first.Send(Post("a") + Post("long: wait", "X-Amz-Target: t\r\nX-Hashrange-Pattern: p\r\n") +
             Post("b"));
  EXPECT_EQ(first.ReadAnswer(), OkAnswer("a"));
  for (const char* body : {"c", "d"}) {
    second.Send(Post(body));
    EXPECT_EQ(second.ReadAnswer(), OkAnswer(body));
  }
  goes_on_ = true;
  const std::string answer = first.ReadAnswer();
  EXPECT_NE(answer.find("long: wait tpnone"), std::string::npos) << answer;
  EXPECT_EQ(first.ReadAnswer(), OkAnswer("b"));
}

TEST_F(LongCallsTest, AnswersAreDelayedAndDroppedAsThoseOfOtherCalls) {
  RawClient late(server_->port());
  late.Send(Post("long: late") + Post("a"));
  EXPECT_NE(late.ReadAnswer().find("long: late"), std::string::npos);
  EXPECT_EQ(late.ReadAnswer(), OkAnswer("a"));
  for (const char* body : {"long: drop", "long: throw"}) {
    RawClient dropped(server_->port());
    dropped.Send(Post(body));
    EXPECT_EQ(dropped.ReadToEnd(), "") << body;
  }
}

TEST_F(LongCallsTest, AServerThatEndsWaitsForTheCallThatIsMade) {
  RawClient client(server_->port());
  client.Send(Post("long: wait"));
  std::thread stopper([this] { server_->Stop(); });
  goes_on_ = true;
  client.ReadToEnd();
  stopper.join();
}

TEST(LongCalls, WhatWaitsIsBounded) {
  std::atomic<bool> goes_on = false;
  std::atomic<int> made = 0;
  LongCalls calls(1);
  const auto work = [&] {
    EXPECT_TRUE(test::Eventually([&] { return goes_on.load(); }));
    ++made;
  };
  constexpr std::size_t kLarge = 6 << 20;
  int posted = 0;
  while (posted < 100 && calls.Post(kLarge, work)) ++posted;
  EXPECT_EQ(posted, 3);  // the third is taken while less than 16 MB wait
  goes_on = true;
  EXPECT_TRUE(test::Eventually([&] { return made == posted; }));
  EXPECT_TRUE(calls.Post(kLarge, work));
  calls.Stop();
  EXPECT_FALSE(calls.Post(0, work));
}

}  // namespace
}  // namespace hashrange
