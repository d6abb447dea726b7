// Tests a server whose host is the test: it hands over bytes, and does what the server says.
#include "server/hosted/hosted_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/raw_client.h"

namespace hashrange {
namespace {

using Next = HostedServer::Next;
using Handle = HostedServer::Handle;
using testing::ElementsAre;
using testing::IsEmpty;

// As long as the server's clock has ticks for a request, and for a part of an answer.
constexpr int kPatienceTicks = 30;
constexpr int kSendTicks = 10;

class HostedServerTest : public testing::Test {
 protected:
  struct Step {
    std::string sent;  // without ids and dates
    Next next;

    bool operator==(const Step&) const = default;
    friend void PrintTo(const Step& step, std::ostream* out) {
      *out << "next " << static_cast<int>(step.next) << " after " << step.sent;
    }
  };

  void SetUp() override { Start({}); }
  void Start(const HostedServer::Options& options) {
    server_ = std::make_unique<HostedServer>(database_, options);
    server_->Listens("http://127.0.0.1:8000", 8000, true);
  }

  Step After(Next next) { return {WithoutIdsAndDates(std::string(server_->output())), next}; }
  Step Receive(Handle connection, std::string_view bytes) {
    Step step{"", Next::kRead};
    while (!bytes.empty() && step.next == Next::kRead) {
      const std::span<char> room = server_->Room(connection);
      const std::size_t count = std::min(room.size(), bytes.size());
      if (count > 0) std::memcpy(room.data(), bytes.data(), count);
      bytes.remove_prefix(count);
      const Step each = After(server_->Receive(connection, count));
      step = {step.sent + each.sent, each.next};
    }
    return step;
  }
  std::vector<Handle> Tick(int ticks) {
    std::vector<Handle> closed;
    for (int i = 0; i < ticks; ++i) {
      for (const Handle each : server_->Tick()) closed.push_back(each);
    }
    return closed;
  }

  Database database_;
  std::unique_ptr<HostedServer> server_;
};

std::string Call(std::string_view operation, std::string_view json, std::string_view fields = "") {
  return "POST / HTTP/1.1\r\nHost: localhost:8000\r\nContent-Type: application/x-amz-json-1.0\r\n"
         "X-Amz-Target: DynamoDB_20120810." +
         std::string(operation) +
         "\r\nX-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 "
         "Credential=111122223333/20260101/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=host, Signature=0\r\n" +
         std::string(fields) + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" +
         std::string(json);
}

std::string ControlCall(std::string_view path, std::string_view json,
                        std::string_view fields = "Host: localhost:8000\r\n") {
  return "POST /_hashrange/" + std::string(path) + " HTTP/1.1\r\n" + std::string(fields) +
         "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + std::string(json);
}

std::string BodyOf(const std::string& answer) {
  return answer.substr(std::min(answer.size(), answer.find("\r\n\r\n") + 4));
}

constexpr char kNoTables[] = R"({"TableNames":[]})";

TEST_F(HostedServerTest, AnswersCalls) {
  const Handle connection = server_->Open(true);
  EXPECT_NE(connection, HostedServer::kNone);
  const Step step = Receive(connection, Call("ListTables", "{}"));
  EXPECT_EQ(BodyOf(step.sent), kNoTables);
  EXPECT_EQ(step.next, Next::kRead);
  const std::string half = Call("ListTables", "{}");
  EXPECT_EQ(Receive(connection, half.substr(0, 100)), (Step{"", Next::kRead}));
  EXPECT_EQ(BodyOf(Receive(connection, half.substr(100)).sent), kNoTables);
}

TEST_F(HostedServerTest, AnswersAHealthRequestAndEndsWhenAsked) {
  const Handle connection = server_->Open(true);
  const Step step =
      Receive(connection, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(BodyOf(step.sent), "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(step.next, Next::kLinger);
}

TEST_F(HostedServerTest, ManyRequestsAreServedInBatches) {
  const Handle connection = server_->Open(true);
  constexpr int kRequests = 40;  // more than a batch
  std::string requests;
  for (int i = 0; i < kRequests; ++i) requests += "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  Step step = Receive(connection, requests);
  EXPECT_EQ(step.next, Next::kServe);
  std::string sent = step.sent;
  while (step.next == Next::kServe) {
    step = After(server_->Serve(connection));
    sent += step.sent;
  }
  EXPECT_EQ(step.next, Next::kRead);
  int found = 0;
  for (std::size_t at = 0; (at = sent.find("healthy", at)) != sent.npos; ++at) ++found;
  EXPECT_EQ(found, kRequests);
}

TEST_F(HostedServerTest, ControlCallsAreMadeAtOnce) {
  const Handle connection = server_->Open(true);
  const Step step = Receive(connection, ControlCall("clock", R"({"frozen":1000})"));
  EXPECT_EQ(step.sent.substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_EQ(step.next, Next::kServe);
  EXPECT_EQ(After(server_->Serve(connection)), (Step{"", Next::kRead}));
}

TEST_F(HostedServerTest, OnlyACallerWithTheTokenNamesFiles) {
  const std::string path = R"({"path":"/nowhere"})";
  EXPECT_EQ(BodyOf(Receive(server_->Open(true), ControlCall("seed", path)).sent),
            R"({"error":"Only the server's own user and callers with its control token may use )"
            R"(any path; other callers may use paths below the folders of hashrange serve )"
            R"(--files."})");
  Start({.control_token = "a token of some length"});
  const std::string token = "Authorization: Bearer a token of some length\r\n";
  EXPECT_EQ(BodyOf(Receive(server_->Open(true), ControlCall("seed", path, token)).sent),
            R"({"error":"/nowhere: there is no such file or folder."})");
}

TEST_F(HostedServerTest, ControlCallsFromElsewhereAreRefused) {
  const Step step = Receive(server_->Open(false), ControlCall("reset", ""));
  EXPECT_EQ(BodyOf(step.sent),
            R"({"error":"The control API answers this machine only, and no proxy on it, unless )"
            R"(the server was started with --control-token."})");
  Start({.control_token = "a token of some length"});
  const Handle connection = server_->Open(false);
  EXPECT_EQ(Receive(connection, ControlCall("reset", "")).sent.substr(0, 12), "HTTP/1.1 401");
  EXPECT_EQ(Receive(connection,
                    ControlCall("reset", "", "Authorization: Bearer a token of some length\r\n"))
                .sent.substr(0, 12),
            "HTTP/1.1 200");
}

TEST_F(HostedServerTest, HostsAndOriginsAreChecked) {
  Start({.cors = {"https://app.example"}, .allowed_hosts = {"db.internal"}});
  const Handle connection = server_->Open(true);
  const auto status = [&](const std::string& host, const std::string& fields) {
    return Receive(connection, "GET / HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n")
        .sent.substr(9, 3);
  };
  EXPECT_EQ(status("localhost:8000", ""), "200");
  EXPECT_EQ(status("db.internal", ""), "200");
  EXPECT_EQ(status("evil.example", ""), "403");
  EXPECT_EQ(status("localhost", "Origin: https://app.example\r\n"), "200");
  EXPECT_EQ(status("localhost", "Origin: https://evil.example\r\n"), "403");
}

TEST_F(HostedServerTest, TheRootMayBeRefused) {
  Start({.answers_root_with_400 = true});
  const Step step = Receive(server_->Open(true), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(step.sent.substr(9, 3), "400");
  EXPECT_EQ(step.next, Next::kLinger);
}

TEST_F(HostedServerTest, AFaultHoldsAnAnswerOrDropsIt) {
  const Handle connection = server_->Open(true);
  Receive(connection,
          ControlCall("faults", R"({"rules":[{"match":{"operation":"ListTables","times":1},)"
                                R"("do":{"latency":"70ms"}}]})"));
  server_->Serve(connection);
  EXPECT_EQ(Receive(connection, Call("ListTables", "{}")), (Step{"", Next::kHold}));
  EXPECT_EQ(server_->hold_ms(connection), 70);
  const Step held = After(server_->SendHeld(connection));
  EXPECT_EQ(BodyOf(held.sent), kNoTables);
  EXPECT_EQ(held.next, Next::kServe);
  EXPECT_EQ(After(server_->Serve(connection)), (Step{"", Next::kRead}));
  Receive(connection,
          ControlCall("faults", R"({"rules":[{"match":{"operation":"ListTables","times":1},)"
                                R"("do":{"drop":"before"}}]})"));
  server_->Serve(connection);
  EXPECT_EQ(Receive(connection, Call("ListTables", "{}")), (Step{"", Next::kClose}));
}

TEST_F(HostedServerTest, ASlowRequestIsClosed) {
  const Handle idle = server_->Open(true), slow = server_->Open(true);
  Receive(slow, "POST / HTTP/1.1\r\n");
  EXPECT_THAT(Tick(kPatienceTicks - 1), IsEmpty());
  EXPECT_THAT(Tick(1), ElementsAre(slow));
  server_->Close(slow);
  EXPECT_THAT(Tick(kPatienceTicks), IsEmpty());
  EXPECT_EQ(BodyOf(Receive(idle, Call("ListTables", "{}")).sent), kNoTables);
}

TEST_F(HostedServerTest, AnAnswerThatIsNotTakenIsClosed) {
  const Handle connection = server_->Open(true);
  Receive(connection, Call("ListTables", "{}", "Connection: close\r\n"));
  server_->CountUnsent(connection, 1000);
  EXPECT_THAT(Tick(kSendTicks - 1), IsEmpty());
  server_->CountUnsent(connection, 500);
  EXPECT_THAT(Tick(kSendTicks - 1), IsEmpty());
  // What comes after the answer is said again.
  EXPECT_EQ(After(server_->Sent(connection)), (Step{"", Next::kLinger}));
  EXPECT_THAT(Tick(kPatienceTicks - 1), IsEmpty());
  EXPECT_THAT(Tick(1), ElementsAre(connection));
}

TEST_F(HostedServerTest, WhenAllPlacesAreTakenTheOneThatIsIdleLongestGivesItsPlace) {
  Start({.max_connections = 2});
  const Handle first = server_->Open(true);
  Tick(1);
  const Handle second = server_->Open(true);
  Tick(1);
  Receive(first, Call("ListTables", "{}"));
  const Handle third = server_->Open(true);
  EXPECT_NE(third, HostedServer::kNone);
  EXPECT_EQ(server_->displaced(), second);
  server_->Close(second);
  EXPECT_EQ(BodyOf(Receive(third, Call("ListTables", "{}")).sent), kNoTables);
  EXPECT_EQ(server_->Open(true), second) << "numbers are used again";
  EXPECT_EQ(server_->displaced(), first);
}

TEST_F(HostedServerTest, BusyConnectionsLeavePlacesForTheControlApi) {
  Start({.max_connections = 1});
  Receive(server_->Open(true), "POST ");
  const Handle spare = server_->Open(true);
  EXPECT_EQ(server_->displaced(), HostedServer::kNone);
  EXPECT_EQ(Receive(spare, ControlCall("reset", "{}")).sent.substr(0, 12), "HTTP/1.1 200");
  server_->Serve(spare);
  EXPECT_EQ(Receive(spare, Call("ListTables", "{}")).sent.substr(0, 12), "HTTP/1.1 503");
  std::vector<Handle> more;
  for (int i = 0; i < Limits::kSparePlaces - 1; ++i) {
    more.push_back(server_->Open(true));
    Receive(more.back(), "POST ");
  }
  server_->Close(spare);
  Receive(server_->Open(true), "POST ");
  EXPECT_EQ(server_->Open(true), HostedServer::kNone);
}

TEST_F(HostedServerTest, AHeldAnswerWithoutAClientIsDroppedWhenConnectionsRunOut) {
  Start({.max_connections = 1});
  const Handle connection = server_->Open(true);
  Receive(connection, ControlCall("faults", R"({"rules":[{"match":{"operation":"ListTables"},)"
                                            R"("do":{"latency":"60s"}}]})"));
  server_->Serve(connection);
  EXPECT_EQ(Receive(connection, Call("ListTables", "{}")).next, Next::kHold);
  EXPECT_THAT(Tick(2 * kPatienceTicks), IsEmpty());
  server_->PeerHasEnded(connection);
  EXPECT_THAT(Tick(1), ElementsAre(connection));
}

TEST_F(HostedServerTest, WhenTheHostStopsRequestsUnderWayAreAnswered) {
  const Handle idle = server_->Open(true), busy = server_->Open(true);
  const std::string request = Call("ListTables", "{}");
  Receive(busy, request.substr(0, 50));
  EXPECT_THAT(server_->Drain(), ElementsAre(idle));
  const Step step = Receive(busy, request.substr(50));
  EXPECT_EQ(BodyOf(step.sent), kNoTables);
  EXPECT_EQ(step.next, Next::kClose);
}

TEST_F(HostedServerTest, AConnectionThatIsNotOpenIsClosed) {
  EXPECT_EQ(server_->Receive(7, 0), Next::kClose);
  EXPECT_EQ(server_->Serve(HostedServer::kNone), Next::kClose);
  EXPECT_TRUE(server_->Room(7).empty());
  server_->Close(7);
}

}  // namespace
}  // namespace hashrange
