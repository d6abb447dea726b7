// Tests over real sockets that clients cannot take more than the server's limits.
#include "server/exchange/limits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/memory/live_memory.h"
#include "server/http/started_server.h"
#include "support/eventually.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

constexpr std::size_t kLargest = 16 << 20;

const std::string kNoMemory = RefusedAnswer(
    "503 Service Unavailable",
    R"({"__type":"com.amazon.coral.service#ServiceUnavailableException","Message":)"
    R"("The requests under way, and the answers that their clients do not read, take all of the )"
    R"(server's --request-memory."})");
const std::string kNoPlace = RefusedAnswer(
    "503 Service Unavailable",
    R"({"__type":"com.amazon.coral.service#ServiceUnavailableException","Message":)"
    R"("Requests under way take all of the server's --max-connections. The last places are for its )"
    R"(control API."})");

class LimitsTest : public testing::Test {
 protected:
  void Start(int max_connections, std::chrono::milliseconds patience = std::chrono::seconds(9)) {
    HttpServer::Options options;
    options.threads = threads_;
    options.request_memory_bytes = Limits::kMinRequestBytes;
    options.max_connections = max_connections;
    options.patience = patience;
    // A body that begins with "late" is answered after an hour. "large" is answered with much, and
    // "large late" after an hour, too. Any other body is answered with its size.
    const auto size = [this](const ApiRequest& request, OutputBuffer& out) {
      const std::string_view body(request.body.data(), request.body.size());
      if (body.starts_with("large")) {
        ++large_;
        out.Append(std::string(kLargest, 'x'));
      } else {
        out.Append(std::to_string(body.size()));
      }
      if (body.find("late") == body.npos) return ApiAnswer{};
      ++held_;
      return ApiAnswer{.send_after_ms = 3'600'000};
    };
    const ControlHandler control{
        [](const ControlRequest& request) { return ControlAnswer{.body = request.path}; },
        [](const ControlRequest&) { return false; }};
    server_ = nullptr;
    server_ = StartServer({size, control}, options);
  }
  std::unique_ptr<RawClient> Connect() { return std::make_unique<RawClient>(server_->port()); }

  using Clients = std::vector<std::unique_ptr<RawClient>>;
  // Returns new connections, on each of which `request` was sent.
  Clients SendOnEach(int count, const std::string& request) {
    Clients clients;
    for (int i = 0; i < count; ++i) {
      clients.push_back(Connect());
      clients.back()->Send(request);
    }
    return clients;
  }
  // Returns connections that take all of --max-connections 2.
  Clients TakeBothPlaces() {
    Clients clients = SendOnEach(2, Post("late"));
    EXPECT_TRUE(WaitUntilHeld(2));
    return clients;
  }
  // Returns connections whose answers take all of the memory.
  Clients TakeAllMemory() {
    Clients clients = SendOnEach(3, Post("large"));
    EXPECT_EQ(AnswerOtherThan(OkAnswer("1")), kNoMemory);
    return clients;
  }

  bool WaitUntilHeld(int count) {
    return test::Eventually([&] { return held_ >= count; });
  }

  // Returns the first answer of a new connection that is not `other`, or `other` after ten seconds.
  std::string AnswerOtherThan(const std::string& other) {
    for (int i = 0; i < 2000; ++i) {
      const auto client = Connect();
      client->Send(Post("a"));
      const std::string answer = client->ReadAnswer();
      if (answer != other) return answer;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return other;
  }

  int threads_ = 2;
  std::atomic<int> held_{0};
  std::atomic<int> large_{0};  // how many large answers were made
  std::unique_ptr<HttpServer> server_;
};

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
  EXPECT_EQ(answers[first_is_refused ? 0 : 1], kNoMemory);
}

TEST_F(LimitsTest, ALargestBodyFitsAgainWhenAnotherIsDone) {
  Start(0);
  Clients clients;
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

TEST_F(LimitsTest, AnswersThatAreNotReadTakeTheirMemory) {
  Start(0);
  Clients clients;
  for (int i = 1; i <= 3; ++i) {
    clients.push_back(Connect());
    // The requests behind the first one are not answered before the first answer is read.
    for (int n = 0; n < 20; ++n) clients.back()->Send(Post("large"));
  }
  EXPECT_EQ(AnswerOtherThan(OkAnswer("1")), kNoMemory);
  EXPECT_EQ(large_, 3);
  const auto control = Connect();
  control->Send("GET /_hashrange/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string refused = control->ReadToEnd();
  EXPECT_EQ(refused.substr(9, 3), "503");
  EXPECT_EQ(refused.substr(refused.find("\r\n\r\n") + 4),
            R"({"error":"The requests under way, and the answers that their clients do not read, )"
            R"(take all of the server's --request-memory."})");
  clients.clear();
  EXPECT_EQ(AnswerOtherThan(kNoMemory), OkAnswer("1"));
}

TEST_F(LimitsTest, AnswersThatAreHeldTakeTheirMemory) {
  Start(0);
  const Clients clients = SendOnEach(3, Post("large late"));
  ASSERT_TRUE(WaitUntilHeld(2));
  EXPECT_EQ(AnswerOtherThan(OkAnswer("1")), kNoMemory);
}

TEST_F(LimitsTest, AnAnswerThatIsReadReleasesItsMemory) {
  Start(0);
  Clients clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(Connect());
    clients.back()->Send(Post("large"));
    EXPECT_EQ(clients.back()->ReadAnswer(), OkAnswer(std::string(kLargest, 'x')));
  }
  for (const auto& client : clients) {
    client->Send(Post("a"));
    EXPECT_EQ(client->ReadAnswer(), OkAnswer("1"));
  }
}

// It has a third of the time that a request may take.
TEST_F(LimitsTest, AClientThatDoesNotReadLosesTheMemoryOfItsAnswers) {
  Start(0, std::chrono::milliseconds(2000));
  const auto slow = Connect();
  slow->Send(Post("a").substr(0, 20));
  const Clients clients = TakeAllMemory();
  EXPECT_EQ(AnswerOtherThan(kNoMemory), OkAnswer("1"));
  slow->Send(Post("a").substr(20));
  EXPECT_EQ(slow->ReadAnswer(), OkAnswer("1"));
}

// The threads keep no memory of large answers either.
TEST_F(LimitsTest, NothingIsKeptOfLargeAnswers) {
  Start(0);
  const auto bytes = [] { return CountLiveMemory().of(MemoryPart::kBuffers); };
  const std::int64_t before = bytes();
  const auto one = Connect(), two = Connect();  // each on a thread of its own
  for (RawClient* client : {one.get(), two.get()}) {
    client->Send(Post("large"));
    EXPECT_EQ(client->ReadAnswer(), OkAnswer(std::string(kLargest, 'x')));
  }
  EXPECT_TRUE(test::Eventually([&] { return bytes() - before < 1 << 20; }));
}

// A client that sends requests and reads nothing is refused once, not again and again.
TEST_F(LimitsTest, ARefusalEndsTheConnection) {
  Start(0);
  const Clients clients = TakeAllMemory();
  const auto client = Connect();
  client->Send(Post("a") + Post("a") + Post("a"));
  EXPECT_EQ(client->ReadToEnd(), kNoMemory);
}

TEST_F(LimitsTest, AClientThatDoesNotCloseItsEndIsDisconnected) {
  Start(0, std::chrono::milliseconds(300));
  const auto client = Connect();
  client->Send(Post("a", "Connection: close\r\n"));
  EXPECT_EQ(client->ReadToEnd(), OkAnswer("1", "Connection: close\r\n"));
  // What is sent to a connection that the server has closed is refused.
  EXPECT_TRUE(test::Eventually([&] { return !client->Send("x"); }));
}

class IdleTest : public LimitsTest, public testing::WithParamInterface<int> {};

TEST_P(IdleTest, ANewConnectionTakesThePlaceOfTheOneThatIsIdleLongest) {
  // On a busy machine the first pauses may be too short to tell the times apart.
  std::string used, idlest, last;
  for (const int pause_ms : {30, 300, 2000}) {
    threads_ = GetParam();
    Start(3, std::chrono::milliseconds(300));
    Clients clients;
    const auto use = [](RawClient& client, const char* body) {
      client.Send(Post(body));
      return client.ReadAnswer();
    };
    for (int i = 0; i < 3; ++i) {
      clients.push_back(Connect());
      EXPECT_EQ(use(*clients.back(), "a"), OkAnswer("1"));
      std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    }
    EXPECT_EQ(use(*clients[0], "a"), OkAnswer("1"));
    clients.push_back(Connect());
    EXPECT_EQ(use(*clients.back(), "bb"), OkAnswer("2"));
    idlest = clients[1]->ReadToEnd();
    used = use(*clients[0], "ccc");
    last = use(*clients[2], "ccc");
    EXPECT_EQ(idlest + used + last, OkAnswer("3") + OkAnswer("3")) << "only one is closed";
    if (idlest.empty() && used == last) return;
  }
  EXPECT_EQ(idlest, "");
  EXPECT_EQ(used, OkAnswer("3"));
  EXPECT_EQ(last, OkAnswer("3"));
}

INSTANTIATE_TEST_SUITE_P(Threads, IdleTest, testing::Values(1, 2));

TEST_F(LimitsTest, BusyConnectionsLeavePlacesForTheControlApi) {
  Start(2);
  const Clients busy = TakeBothPlaces();
  // One after another, these have a spare place each: none is left behind by those before it.
  for (int i = 0; i < Limits::kSparePlaces + 2; ++i) {
    const auto client = Connect();
    client->Send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(client->ReadAnswer().substr(9, 3), "200");
    client->Send("GET /_hashrange/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(client->ReadAnswer().ends_with("\r\n\r\na"));
    client->Send(Post("a"));
    ASSERT_EQ(client->ReadToEnd(), kNoPlace);
  }
}

TEST_F(LimitsTest, IdleConnectionsInSparePlacesLockNobodyOut) {
  Start(2);
  const Clients busy = TakeBothPlaces();
  Clients idle;
  for (int i = 0; i < Limits::kSparePlaces + 2; ++i) {
    idle.push_back(Connect());
    idle.back()->Send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(idle.back()->ReadAnswer().substr(9, 3), "200");
  }
  const auto control = Connect();
  control->Send("GET /_hashrange/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(control->ReadAnswer().ends_with("\r\n\r\na"));
  // The place of a connection in a spare place is a spare one.
  control->Send(Post("a"));
  EXPECT_EQ(control->ReadToEnd(), kNoPlace);
}

// Neither are clients locked out when the spare places are taken, too.
TEST_F(LimitsTest, WithoutASparePlaceAnIdleConnectionMakesRoomAsWell) {
  Start(2);
  const Clients clients = SendOnEach(2 + Limits::kSparePlaces, Post("a").substr(0, 20));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Connect()->ReadToEnd(), "") << "none is idle";
  clients.front()->Send(Post("a").substr(20));
  EXPECT_EQ(clients.front()->ReadAnswer(), OkAnswer("1"));
  const auto other = Connect();
  other->Send(Post("bb"));
  EXPECT_EQ(other->ReadAnswer(), OkAnswer("2"));
  EXPECT_EQ(clients.front()->ReadToEnd(), "");
}

TEST_F(LimitsTest, AnIdleConnectionMakesRoomBeforeOneThatHasStalled) {
  threads_ = 1;
  const std::string request = Post("a");
  std::string of_idle, of_stalled;
  // On a busy machine the first patience may be over too soon.
  for (const std::chrono::milliseconds patience :
       {std::chrono::milliseconds(600), std::chrono::milliseconds(6000)}) {
    Start(2, patience);
    const auto stalled = Connect(), idle = Connect();
    stalled->Send(request.substr(0, 20));
    std::this_thread::sleep_for(patience / 2);  // from a third on, it has stalled
    idle->Send(request);
    EXPECT_EQ(idle->ReadAnswer(), OkAnswer("1"));
    const auto other = Connect();
    other->Send(request);
    EXPECT_EQ(other->ReadAnswer(), OkAnswer("1"));
    of_idle = idle->ReadToEnd();
    stalled->Send(request.substr(20));
    of_stalled = stalled->ReadAnswer();
    if (of_idle.empty() && of_stalled == OkAnswer("1")) return;
  }
  EXPECT_EQ(of_idle, "");
  EXPECT_EQ(of_stalled, OkAnswer("1"));
}

TEST_F(LimitsTest, APlaceThatIsFreeAgainIsAnOrdinaryOne) {
  Start(2);
  Clients busy = TakeBothPlaces();
  EXPECT_EQ(AnswerOtherThan(""), kNoPlace);
  busy.pop_back();
  EXPECT_EQ(AnswerOtherThan(kNoPlace), OkAnswer("1"));
}

TEST_F(LimitsTest, ASparePlaceBecomesAnOrdinaryOne) {
  std::string answer;
  for (const int pause_ms : {100, 1000, 5000}) {  // until the server has seen the end of one
    Start(2, std::chrono::milliseconds(300));
    Clients busy = TakeBothPlaces();
    held_ = 0;
    const auto spare = Connect();
    spare->Send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(spare->ReadAnswer().substr(9, 3), "200");
    busy.pop_back();
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    spare->Send(Post("a"));
    answer = spare->ReadAnswer();
    if (answer == OkAnswer("1")) return;
  }
  EXPECT_EQ(answer, OkAnswer("1"));
}

// Both have sent half a request. When a third of their patience is over, one of them is closed for
// a new connection; the other has the rest of its time.
TEST_F(LimitsTest, AConnectionThatHasStalledMakesRoom) {
  threads_ = 1;  // so that both are disconnected at once when their patience is over
  Start(2, std::chrono::seconds(3));
  const auto one = Connect(), two = Connect();
  const std::string request = Post("a");
  for (RawClient* client : {one.get(), two.get()}) client->Send(request.substr(0, 20));
  EXPECT_EQ(AnswerOtherThan(kNoPlace), OkAnswer("1"));
  for (RawClient* client : {one.get(), two.get()}) client->Send(request.substr(20));
  one->EndSending();
  two->EndSending();
  const std::string answers = one->ReadToEnd() + two->ReadToEnd();
  EXPECT_EQ(answers, OkAnswer("1"));
}

TEST_F(LimitsTest, AHeldAnswerWithoutAClientIsDroppedWhenConnectionsRunOut) {
  Start(2);
  for (int i = 0; i < 2; ++i) Connect()->Send(Post("late"));
  ASSERT_TRUE(WaitUntilHeld(2));
  const auto is_answered = [&] {
    const auto client = Connect();
    client->Send(Post("a"));
    return client->ReadAnswer() == OkAnswer("1");
  };
  EXPECT_TRUE(test::Eventually(is_answered)) << "the places did not come back";
}

TEST_F(LimitsTest, AHeldAnswerHoldsNoMemoryOfItsRequest) {
  Start(0);
  Clients clients;
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
