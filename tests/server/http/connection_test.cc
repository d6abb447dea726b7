// Tests connections over real sockets; the body of a request may be a command for the handler.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "base/clock.h"
#include "server/http/started_server.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

const std::string kTooLarge = RefusedAnswer(
    "413 Request Entity Too Large",
    R"({"__type":"com.amazon.coral.service#RequestEntityTooLargeException","Message":)"
    R"("A body may have 16 MiB; a seed of more is read from a path."})");
const std::string kMalformed = RefusedAnswer(
    "400 Bad Request", R"({"__type":"com.amazon.coral.service#SerializationException","Message":)"
                       R"("This is no HTTP request, or its head has more than 16 KiB."})");

// More than a socket takes for a client that reads nothing.
constexpr std::size_t kLarger = 12 << 20;

// Echoes short bodies, and answers long ones with their size; some bodies are commands.
ApiAnswer Obey(const ApiRequest& request, OutputBuffer& out) {
  const std::string_view body(request.body.data(), request.body.size());
  ApiAnswer answer;
  if (body == "drop") {
    answer.drop = true;
  } else if (body == "drop late") {
    answer.drop = true;
    answer.send_after_ms = 100;
  } else if (body == "late") {
    answer.send_after_ms = 20;
  } else if (body == "large") {
    out.Append(std::string(3 << 20, 'x'));
    return answer;
  } else if (body == "larger") {
    out.Append(std::string(kLarger, 'x'));
    return answer;
  } else if (body == "number") {
    out.Append(std::to_string(request.connection));
    return answer;
  }
  if (body.size() > 1000) {
    out.Append(std::to_string(body.size()));
  } else {
    out.Append(body);
  }
  return answer;
}

class ConnectionTest : public testing::Test {
 protected:
  void SetUp() override { Start(std::chrono::seconds(30)); }

  void Start(std::chrono::milliseconds patience) {
    HttpServer::Options options;
    options.threads = 2;
    options.patience = patience;
    server_ = StartServer({Obey}, options);
    port_ = server_->port();
  }

  std::unique_ptr<HttpServer> server_;
  std::uint16_t port_ = 0;
};

TEST_F(ConnectionTest, StaysForTheNextRequest) {
  RawClient client(port_);
  for (const char* body : {"one", "two", "three"}) {
    client.Send(Post(body));
    EXPECT_EQ(client.ReadAnswer(), OkAnswer(body));
  }
}

TEST_F(ConnectionTest, EachConnectionHasANumberOfItsOwn) {
  RawClient one(port_), other(port_);
  const auto number = [](RawClient& client) {
    client.Send(Post("number"));
    return client.ReadAnswer();
  };
  const std::string first = number(one);
  EXPECT_EQ(number(one), first);
  EXPECT_NE(number(other), first);
  EXPECT_NE(first, OkAnswer("0"));
}

TEST_F(ConnectionTest, AnswersAPipelineInOrder) {
  RawClient client(port_);
  std::string requests;
  std::string answers;
  for (int i = 0; i < 200; ++i) {
    requests += Post(std::to_string(i));
    answers += OkAnswer(std::to_string(i));
  }
  client.Send(requests);
  client.EndSending();
  EXPECT_EQ(client.ReadToEnd(), answers);
}

TEST_F(ConnectionTest, APipelineKeepsItsOrderAroundALateAnswer) {
  RawClient client(port_);
  client.Send(Post("first") + Post("late") + Post("last"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("first"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("late"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("last"));
}

TEST_F(ConnectionTest, ADroppedAnswerEndsTheConnectionAfterThoseBeforeIt) {
  RawClient client(port_);
  client.Send(Post("first") + Post("drop"));
  EXPECT_EQ(client.ReadToEnd(), OkAnswer("first"));
}

TEST_F(ConnectionTest, ALateDropEndsTheConnectionWhenItsTimeHasCome) {
  RawClient client(port_);
  const Stopwatch watch;
  client.Send(Post("first") + Post("drop late") + Post("never"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("first"));
  EXPECT_EQ(client.ReadToEnd(), "");
  EXPECT_GE(watch.elapsed(), std::chrono::milliseconds(100));
}

TEST_F(ConnectionTest, SendsAnswersThatTheSocketTakesInPieces) {
  RawClient client(port_);
  const std::string large(3 << 20, 'x');
  client.Send(Post("large") + Post("late") + Post("large") + Post("end"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer(large));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("late"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer(large));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("end"));
}

TEST_F(ConnectionTest, ClosesWhenTheClientAsks) {
  RawClient client(port_);
  client.Send(Post("a", "Connection: close\r\n") + Post("never"));
  EXPECT_EQ(client.ReadToEnd(), OkAnswer("a", "Connection: close\r\n"));
}

TEST_F(ConnectionTest, Http10ClosesUnlessAskedToStay) {
  RawClient client(port_);
  const std::string head = "POST / HTTP/1.0\r\nContent-Type: application/json\r\n";
  client.Send(head + "Connection: keep-alive\r\nContent-Length: 1\r\n\r\na");
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("a", "Connection: keep-alive\r\n"));
  client.Send(head + "Content-Length: 1\r\n\r\nb");
  EXPECT_EQ(client.ReadToEnd(), OkAnswer("b", "Connection: close\r\n"));
}

TEST_F(ConnectionTest, AnswersAClientThatHasFinishedSending) {
  RawClient client(port_);
  client.Send(Post("late"));
  client.EndSending();
  EXPECT_EQ(client.ReadToEnd(), OkAnswer("late"));
}

TEST_F(ConnectionTest, SaysContinueBeforeTheBody) {
  RawClient client(port_);
  const std::string request = Post("abc", "Expect: 100-continue\r\n");
  client.Send(request.substr(0, request.size() - 3));
  EXPECT_EQ(client.ReadAnswer(), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("abc");
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("abc"));
}

TEST_F(ConnectionTest, TakesChunksAsTheyCome) {
  RawClient client(port_);
  const std::string head =
      "POST / HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  client.Send(head + "3\r\nab");
  client.Send("c\r\n2\r");
  client.Send("\nde\r\n0\r\n\r\n" + Post("next"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("abcde"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("next"));
}

TEST_F(ConnectionTest, TakesExactly16MiB) {
  RawClient client(port_);
  client.Send(Post(std::string(16 << 20, ' ')));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("16777216"));
  client.Send(Post("next"));
  EXPECT_EQ(client.ReadAnswer(), OkAnswer("next"));
}

TEST_F(ConnectionTest, RefusesMoreThan16MiB) {
  RawClient client(port_);
  client.Send(Post(std::string((16 << 20) + 1, ' ')));
  client.EndSending();
  EXPECT_EQ(client.ReadToEnd(), kTooLarge);
}

TEST_F(ConnectionTest, RefusesChunksOfMoreThan16MiB) {
  RawClient client(port_);
  std::string request = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 17; ++i) request += "100000\r\n" + std::string(1 << 20, ' ') + "\r\n";
  client.Send(request + "0\r\n\r\n");
  client.EndSending();
  EXPECT_EQ(client.ReadToEnd(), kTooLarge);
}

TEST_F(ConnectionTest, RefusesInvalidHttpAfterAnsweringTheRequestsBefore) {
  RawClient client(port_);
  client.Send(Post("a") + "\x01 nonsense\r\n\r\n");
  EXPECT_EQ(client.ReadToEnd(), OkAnswer("a") + kMalformed);
}

TEST_F(ConnectionTest, RefusesAHeadAbove16KiB) {
  RawClient client(port_);
  client.Send("GET / HTTP/1.1\r\nX: " + std::string(16 << 10, 'x') + "\r\n\r\n");
  EXPECT_EQ(client.ReadToEnd(), kMalformed);
}

TEST_F(ConnectionTest, RefusesHttp2WithASentence) {
  RawClient client(port_);
  client.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string(9, '\0'));
  client.EndSending();
  EXPECT_EQ(client.ReadToEnd(),
            RefusedAnswer("505 HTTP Version Not Supported",
                          R"({"__type":"com.amazon.coral.service#SerializationException",)"
                          R"("Message":"This server speaks HTTP/1.1, and HTTP/2 not at all."})"));
}

TEST_F(ConnectionTest, RefusesTransferEncodingsOtherThanChunked) {
  for (const char* coding : {"gzip", "gzip, chunked", "identity", "chunked, gzip", ""}) {
    RawClient client(port_);
    client.Send("POST / HTTP/1.1\r\nTransfer-Encoding: " + std::string(coding) +
                "\r\n\r\n0\r\n\r\n");
    client.EndSending();
    EXPECT_EQ(client.ReadToEnd(),
              RefusedAnswer("501 Not Implemented",
                            R"({"__type":"com.amazon.coral.service#NotImplementedException",)"
                            R"("Message":"A body comes as it is or in chunks: no other )"
                            R"(Transfer-Encoding is read."})"))
        << coding;
  }
}

TEST_F(ConnectionTest, EndsAHalfRequestWhenPatienceIsOver) {
  Start(std::chrono::milliseconds(60));
  RawClient idle(port_);
  idle.Send(Post("a"));
  EXPECT_EQ(idle.ReadAnswer(), OkAnswer("a"));
  for (const char* half :
       {"P", "POST / HTTP/1.1\r\nA: b\r\n", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab"}) {
    RawClient client(port_);
    client.Send(half);
    EXPECT_EQ(client.ReadToEnd(), "");
  }
  // The connection without a request under way is still there.
  idle.Send(Post("b"));
  EXPECT_EQ(idle.ReadAnswer(), OkAnswer("b"));
}

TEST_F(ConnectionTest, EndsARequestThatComesByteByByteWhenPatienceIsOver) {
  Start(std::chrono::milliseconds(60));
  constexpr int kBytes = 2000;
  RawClient client(port_);
  client.Send("POST / HTTP/1.1\r\nConnection: close\r\nContent-Length: " + std::to_string(kBytes) +
              "\r\n\r\n");
  std::atomic<bool> has_ended{false};
  std::thread sender([&] {
    for (int i = 0; i < kBytes && !has_ended; ++i) {
      client.Send("x");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  // If each byte renewed the deadline, the whole request would arrive and be answered.
  EXPECT_EQ(client.ReadToEnd(), "");
  has_ended = true;
  sender.join();
}

// Between two times at which the socket has room, such a client takes longer than the server waits
// for a client that takes nothing.
TEST_F(ConnectionTest, KeepsAClientThatReadsItsAnswerSlowly) {
  constexpr std::size_t kPiece = 64 << 10;
  // On a busy machine the first patience may be too short.
  for (const int patience_ms : {120, 1200}) {
    Start(std::chrono::milliseconds(patience_ms));
    RawClient client(port_, 64 << 10);
    client.Send(Post("larger"));
    std::size_t received = 0;
    for (std::size_t count = 0; received < kLarger && (count = client.Drop(kPiece)) > 0;) {
      received += count;
      std::this_thread::sleep_for(std::chrono::milliseconds(patience_ms / 40));
    }
    if (received >= kLarger) return;
  }
  FAIL() << "a client that reads was disconnected";
}

TEST_F(ConnectionTest, EndsAClientThatDoesNotReadItsAnswer) {
  Start(std::chrono::milliseconds(60));
  std::string requests;
  for (int i = 0; i < 8; ++i) requests += Post("large");
  // On a busy machine the first wait may be too short. A server that never ends the connection
  // sends everything after each wait.
  for (const int wait_ms : {150, 1000, 5000}) {
    RawClient client(port_);
    client.Send(requests);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    if (client.ReadToEnd().size() < 24u << 20) return;
  }
  FAIL() << "everything was sent to a client that did not read";
}

}  // namespace
}  // namespace hashrange
