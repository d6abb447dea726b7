// Tests an exchange without a socket: the test is its owner, hands it bytes, and moves its clock.
#include "server/exchange/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "support/manual_durability.h"
#include "support/raw_client.h"

namespace hashrange {
namespace {

using Next = Exchange::Next;
using Idleness = Exchange::Idleness;

// As long as the clock has ticks for a request, and for a part of an answer.
constexpr int kPatienceTicks = 30;
constexpr int kSendTicks = 10;

class FakePeer : public ExchangePeer {
 public:
  bool IsLoopback() override { return is_loopback; }
  PeerUser User() override { return user; }
  bool HasSent() override { return has_sent; }

  bool is_loopback = true;
  PeerUser user = PeerUser::kOwn;
  bool has_sent = false;
};

// Echoes the body; some bodies are commands.
ApiAnswer Obey(const ApiRequest& request, OutputBuffer& out) {
  const std::string body(request.body.data(), request.body.size());
  out.Append(body);
  ApiAnswer answer;
  answer.drop = body.ends_with("drop");
  if (body.starts_with("late")) answer.send_after_ms = 20;
  if (body.starts_with("safe after ")) answer.safe_after = std::stoull(body.substr(11));
  if (body == "long" && request.may_leave) {
    answer.body_to_repeat = std::make_unique<std::string>(body);
  }
  return answer;
}

class ExchangeTest : public testing::Test {
 protected:
  // What the owner sends and does next.
  struct Step {
    std::string sent;  // without ids and dates
    Next next;

    bool operator==(const Step&) const = default;
    friend void PrintTo(const Step& step, std::ostream* out) {
      *out << "next " << static_cast<int>(step.next) << " after " << step.sent;
    }
  };

  void SetUp() override { Open(); }
  void Open(bool has_spare_place = false) {
    exchange_.reset();
    server_.limits.TakeConnection();
    exchange_ = std::make_unique<Exchange>(server_, clock_, peer_, has_spare_place);
  }

  // Gives the exchange the bytes, in rooms as it offers them, and gives it its turn until nothing
  // that has arrived is left. On a slow machine, it wants more turns.
  Step Receive(std::string_view bytes) {
    Step step = ReceiveOnce(bytes);
    if (step.next != Next::kServe) return step;
    const Step rest = Serve();
    return {step.sent + rest.sent, rest.next};
  }
  Step ReceiveOnce(std::string_view bytes) {
    Output out;
    Next next = Next::kRead;
    while (!bytes.empty() && next == Next::kRead) {
      const std::span<char> room = exchange_->BeginReading();
      if (room.empty()) {
        next = exchange_->RefuseForMemory(out);
        break;
      }
      exchange_->BeginsToWait();
      const std::size_t count = std::min(room.size(), bytes.size());
      std::memcpy(room.data(), bytes.data(), count);
      bytes.remove_prefix(count);
      exchange_->Received(count);
      next = exchange_->Proceed(exchange_->Answer(out, Exchange::SteadyClock::now()));
    }
    if (next == Next::kRead) {
      exchange_->BeginReading();
      exchange_->BeginsToWait();
    }
    return {WithoutIdsAndDates(std::string(out.pending())), next};
  }
  // Answers what has arrived already.
  Step Serve() {
    Output out;
    std::string sent;
    Next next = Next::kServe;
    while (next == Next::kServe) {
      out.BeginSlice();
      next = exchange_->Proceed(exchange_->Answer(out, Exchange::SteadyClock::now()));
      sent.append(out.pending());
      out.bytes.Clear();
    }
    return {WithoutIdsAndDates(sent), next};
  }
  Step SendHeld() {
    const OutputBuffer held = exchange_->TakeHeld();
    return {WithoutIdsAndDates(std::string(held.view())),
            exchange_->Proceed(exchange_->after_held())};
  }
  void Tick(int ticks) {
    for (int i = 0; i < ticks; ++i) clock_.Tick();
  }

  ManualDurability log_;
  ExchangeServer server_{.handler = Obey,
                         .routing = {{{}, {}}},
                         .limits = Limits(Limits::kMinRequestBytes, 2),
                         .control_token = "",
                         .file_folders = {"/data"},
                         .has_control = true,
                         .durability = &log_};
  ExchangeClock clock_{std::chrono::seconds(30)};
  FakePeer peer_;
  std::unique_ptr<Exchange> exchange_;
};

TEST_F(ExchangeTest, APipelineIsAnsweredInOrder) {
  EXPECT_EQ(Receive(Post("one") + Post("two")),
            (Step{OkAnswer("one") + OkAnswer("two"), Next::kRead}));
  EXPECT_EQ(Receive(Post("three")), (Step{OkAnswer("three"), Next::kRead}));
}

TEST_F(ExchangeTest, ABatchEndsSoThatOthersHaveTheirTurn) {
  std::string requests, answers;
  for (int i = 0; i < 32; ++i) {
    requests += Post("a");
    answers += OkAnswer("a");
  }
  const Step batch = ReceiveOnce(requests + Post("b"));
  EXPECT_EQ(batch.next, Next::kServe);
  const Step rest = Serve();
  EXPECT_EQ(batch.sent + rest.sent, answers + OkAnswer("b"));
  EXPECT_EQ(rest.next, Next::kRead);
}

TEST_F(ExchangeTest, ARequestMayComeByteByByte) {
  const std::string request = Post("body");
  for (std::size_t i = 0; i + 1 < request.size(); ++i) {
    EXPECT_EQ(Receive(request.substr(i, 1)), (Step{"", Next::kRead})) << i;
  }
  EXPECT_EQ(Receive(request.substr(request.size() - 1)), (Step{OkAnswer("body"), Next::kRead}));
}

TEST_F(ExchangeTest, ChunksAreOneBody) {
  EXPECT_EQ(Receive("POST / HTTP/1.1\r\nContent-Type: application/json\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc"),
            (Step{"", Next::kRead}));
  EXPECT_EQ(Receive("\r\n0\r\n\r\n" + Post("next")),
            (Step{OkAnswer("abc") + OkAnswer("next"), Next::kRead}));
}

TEST_F(ExchangeTest, SaysContinueOnce) {
  const std::string request = Post("abc", "Expect: 100-continue\r\n");
  EXPECT_EQ(Receive(request.substr(0, request.size() - 3)),
            (Step{"HTTP/1.1 100 Continue\r\n\r\n", Next::kRead}));
  EXPECT_EQ(Receive("a"), (Step{"", Next::kRead}));
  EXPECT_EQ(Receive("bc"), (Step{OkAnswer("abc"), Next::kRead}));
}

TEST_F(ExchangeTest, EndsAfterAnAnswerWhenTheClientAsks) {
  EXPECT_EQ(Receive(Post("a", "Connection: close\r\n") + Post("never")),
            (Step{OkAnswer("a", "Connection: close\r\n"), Next::kLinger}));
}

TEST_F(ExchangeTest, Http10EndsUnlessAskedToStay) {
  const std::string head = "POST / HTTP/1.0\r\nContent-Type: application/json\r\n";
  EXPECT_EQ(Receive(head + "Connection: keep-alive\r\nContent-Length: 1\r\n\r\na"),
            (Step{OkAnswer("a", "Connection: keep-alive\r\n"), Next::kRead}));
  EXPECT_EQ(Receive(head + "Content-Length: 1\r\n\r\nb"),
            (Step{OkAnswer("b", "Connection: close\r\n"), Next::kLinger}));
}

TEST_F(ExchangeTest, AHeadGetsNoBody) {
  EXPECT_EQ(Receive("HEAD / HTTP/1.1\r\n\r\n"),
            (Step{"HTTP/1.1 404 Not Found\r\nServer: Server\r\nDate: <date>\r\n"
                  "Content-Length: 29\r\nx-amzn-RequestId: <id>\r\nx-amz-crc32: 3552371480\r\n\r\n",
                  Next::kRead}));
}

TEST_F(ExchangeTest, WhatCannotBeReadIsRefusedAndEndsTheConnection) {
  const struct {
    std::string request, status, type, sentence;
  } kCases[] = {
      {"nonsense\r\n\r\n", "400 Bad Request", "SerializationException",
       "This is no HTTP request, or its head has more than 16 KiB."},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 HTTP Version Not Supported",
       "SerializationException", "This server speaks HTTP/1.1, and HTTP/2 not at all."},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "501 Not Implemented",
       "NotImplementedException",
       "A body comes as it is or in chunks: no other Transfer-Encoding is read."},
      {"POST / HTTP/1.1\r\nContent-Length: 16777217\r\n\r\n", "413 Request Entity Too Large",
       "RequestEntityTooLargeException",
       "A body may have 16 MiB; a seed of more is read from a path."},
  };
  for (const auto& [request, status, type, sentence] : kCases) {
    Open();
    const std::string refused =
        RefusedAnswer(status, R"({"__type":"com.amazon.coral.service#)" + type +
                                  R"(","Message":")" + sentence + "\"}");
    EXPECT_EQ(Receive(Post("a") + request), (Step{OkAnswer("a") + refused, Next::kLinger}));
  }
}

TEST_F(ExchangeTest, ALingeringConnectionEndsWhenItsTimeIsOver) {
  EXPECT_EQ(Receive("nonsense\r\n\r\n").next, Next::kLinger);
  exchange_->BeginLingering();
  EXPECT_TRUE(exchange_->is_lingering());
  EXPECT_FALSE(exchange_->RoomToDiscard().empty());
  Tick(kPatienceTicks - 1);
  EXPECT_FALSE(exchange_->IsOverdue());
  EXPECT_EQ(exchange_->idleness(), Idleness::kStalled);
  Tick(1);
  EXPECT_TRUE(exchange_->IsOverdue());
}

TEST_F(ExchangeTest, AHeldAnswerIsSentWithWhatFollowsLater) {
  EXPECT_EQ(Receive(Post("first") + Post("late") + Post("last")),
            (Step{OkAnswer("first"), Next::kHold}));
  EXPECT_EQ(exchange_->hold_ms(), 20);
  exchange_->BeginHolding();
  EXPECT_TRUE(exchange_->is_holding());
  EXPECT_EQ(exchange_->idleness(), Idleness::kBusy);
  EXPECT_FALSE(exchange_->MustWait());
  EXPECT_EQ(SendHeld(), (Step{OkAnswer("late"), Next::kServe}));
  EXPECT_FALSE(exchange_->is_holding());
  EXPECT_EQ(Serve(), (Step{OkAnswer("last"), Next::kRead}));
}

TEST_F(ExchangeTest, ADroppedAnswerEndsTheConnection) {
  EXPECT_EQ(Receive(Post("first") + Post("drop") + Post("never")),
            (Step{OkAnswer("first"), Next::kClose}));
  Open();
  EXPECT_EQ(Receive(Post("first") + Post("late drop")), (Step{OkAnswer("first"), Next::kHold}));
  EXPECT_EQ(SendHeld(), (Step{"", Next::kClose}));
}

TEST_F(ExchangeTest, AnAnswerWaitsUntilItsChangeIsSafe) {
  EXPECT_EQ(Receive(Post("safe after 3")), (Step{"", Next::kWait}));
  EXPECT_EQ(exchange_->safe_after(), 3u);
  EXPECT_TRUE(exchange_->MustWait());
  log_.MakeSafe(3);
  EXPECT_FALSE(exchange_->MustWait());
  EXPECT_EQ(SendHeld(), (Step{OkAnswer("safe after 3"), Next::kServe}));
  EXPECT_EQ(Receive(Post("safe after 2")), (Step{OkAnswer("safe after 2"), Next::kRead}));
}

TEST_F(ExchangeTest, ALongCallIsHandedToTheOwner) {
  EXPECT_EQ(Receive(Post("first") + Post("long") + Post("last")),
            (Step{OkAnswer("first"), Next::kLongCall}));
  const auto call = exchange_->TakeLongCall();
  EXPECT_FALSE(call->request().may_leave);
  Output out;
  const ApiAnswer answer =
      RouteRequest(server_.handler, server_.routing, call->request(), false, out);
  EXPECT_EQ(exchange_->Settle(answer, 0, exchange_->after_held(), out), Next::kServe);
  EXPECT_EQ(WithoutIdsAndDates(std::string(out.pending())), OkAnswer("long"));
  EXPECT_EQ(Serve(), (Step{OkAnswer("last"), Next::kRead}));
}

TEST_F(ExchangeTest, AHalfRequestHasItsPatienceFromItsFirstByte) {
  EXPECT_EQ(Receive(Post("a")).next, Next::kRead);
  Tick(10 * kPatienceTicks);
  EXPECT_FALSE(exchange_->IsOverdue()) << "no request is under way";
  const std::string request = Post("abc");
  Receive(request.substr(0, 20));
  Tick(kPatienceTicks - 1);
  Receive(request.substr(20, 20));
  EXPECT_FALSE(exchange_->IsOverdue());
  Tick(1);
  EXPECT_TRUE(exchange_->IsOverdue());
  // A request that ends in time takes the deadline with it.
  Open();
  Receive(request.substr(0, 20));
  Tick(kPatienceTicks - 1);
  EXPECT_EQ(Receive(request.substr(20)), (Step{OkAnswer("abc"), Next::kRead}));
  Tick(kPatienceTicks);
  EXPECT_FALSE(exchange_->IsOverdue());
}

TEST_F(ExchangeTest, AnUnsentAnswerCountsAndHasItsTime) {
  EXPECT_EQ(Receive(Post("a")).next, Next::kRead);
  exchange_->CountUnsent(1 << 20);
  exchange_->ExtendSending();
  EXPECT_EQ(server_.limits.bytes(), 1 << 20);
  Tick(kSendTicks - 1);
  EXPECT_FALSE(exchange_->IsOverdue());
  exchange_->ExtendSending();
  Tick(kSendTicks - 1);
  EXPECT_FALSE(exchange_->IsOverdue()) << "the peer has taken something";
  Tick(1);
  EXPECT_TRUE(exchange_->IsOverdue());
  exchange_->EndSending();
  EXPECT_FALSE(exchange_->IsOverdue());
  EXPECT_EQ(server_.limits.bytes(), 0);
}

TEST_F(ExchangeTest, IdleAndStalledConnectionsMakeRoom) {
  Receive(Post("a"));
  EXPECT_EQ(exchange_->idleness(), Idleness::kIdle);
  peer_.has_sent = true;
  EXPECT_EQ(exchange_->idleness(), Idleness::kBusy);
  peer_.has_sent = false;
  Receive("POST ");
  EXPECT_EQ(exchange_->idleness(), Idleness::kBusy);
  Tick(kPatienceTicks - 2 * kSendTicks + 1);
  EXPECT_EQ(exchange_->idleness(), Idleness::kStalled);
}

TEST_F(ExchangeTest, TheBeginningOfAWaitIsNotedOnceInATick) {
  exchange_->BeginReading();
  EXPECT_TRUE(exchange_->BeginsToWait());
  const auto since = exchange_->idle_since();
  EXPECT_FALSE(exchange_->BeginsToWait());
  EXPECT_EQ(exchange_->idle_since(), since);
  Tick(1);
  Receive("POST ");
  EXPECT_FALSE(exchange_->BeginsToWait()) << "a request is under way";
}

TEST_F(ExchangeTest, WhenTheServerStopsRequestsUnderWayAreAnswered) {
  const std::string request = Post("a");
  exchange_->BeginReading();
  EXPECT_TRUE(exchange_->CanEnd());
  peer_.has_sent = true;
  EXPECT_FALSE(exchange_->CanEnd());
  peer_.has_sent = false;
  Receive(request.substr(0, 20));
  EXPECT_FALSE(exchange_->CanEnd());
  clock_.Drain();
  // The answer says that it is the last one, and nothing is left to be read.
  EXPECT_EQ(Receive(request.substr(20)),
            (Step{OkAnswer("a", "Connection: close\r\n"), Next::kClose}));
}

TEST_F(ExchangeTest, AStoppedServerLingersWhileInputIsUnread) {
  clock_.Drain();
  peer_.has_sent = true;
  EXPECT_EQ(Receive(Post("a")).next, Next::kLinger);
  EXPECT_EQ(exchange_->Proceed(Next::kRead), Next::kClose);
}

std::string ControlPost(std::string_view body, std::string_view fields = "") {
  return "POST /_hashrange/clock?a=b HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

TEST_F(ExchangeTest, AControlCallIsHandedToTheOwner) {
  EXPECT_EQ(Receive(Post("first") + ControlPost("{}") + Post("last")),
            (Step{OkAnswer("first"), Next::kControl}));
  const auto call = exchange_->TakeControl();
  EXPECT_EQ(call->method, "POST");
  EXPECT_EQ(call->path, "clock");
  EXPECT_EQ(call->query, "a=b");
  EXPECT_EQ(call->body, "{}");
  EXPECT_TRUE(call->files.may_name_any_file);
  EXPECT_EQ(*call->files.folders, server_.file_folders);
  EXPECT_FALSE(call->is_of_other_user);
  Output out;
  exchange_->AppendAnswerOfControl({.body = "{}"}, true, out);
  EXPECT_EQ(WithoutIdsAndDates(std::string(out.pending())), OkAnswer("{}"));
  EXPECT_EQ(exchange_->Proceed(exchange_->after_held()), Next::kServe);
  EXPECT_EQ(Serve(), (Step{OkAnswer("last"), Next::kRead}));
}

TEST_F(ExchangeTest, TheUserOfAControlCallIsAskedFor) {
  for (const auto& [user, may_name_any_file, is_of_other_user] :
       {std::tuple(PeerUser::kOwn, true, false),
        {PeerUser::kOther, false, true},
        {PeerUser::kUnknown, false, false}}) {
    Open();
    peer_.user = user;
    EXPECT_EQ(Receive(ControlPost("{}")).next, Next::kControl);
    const auto call = exchange_->TakeControl();
    EXPECT_EQ(call->files.may_name_any_file, may_name_any_file);
    EXPECT_EQ(call->is_of_other_user, is_of_other_user);
  }
}

// The files of the console need no token, and are for other machines, too: they hold no data.
TEST_F(ExchangeTest, TheConsoleIsNoControlCall) {
  const ConsoleFile file{"index.html", "text/html", "\"1\"", false, "<p>"};
  server_.routing.console = "read-only";
  server_.routing.console_files = std::span(&file, 1);
  server_.control_token = "secret";
  peer_.is_loopback = false;
  const Step page = Receive("GET /_hashrange/console HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(page.sent.substr(0, 15), "HTTP/1.1 200 OK");
  EXPECT_TRUE(page.sent.ends_with("\r\n\r\n<p>"));
  EXPECT_EQ(page.next, Next::kRead);
  const Step call = Receive(ControlPost("{}"));
  EXPECT_EQ(call.sent.substr(0, 12), "HTTP/1.1 401");
  server_.control_token.clear();
  peer_.is_loopback = true;
  EXPECT_EQ(Receive(ControlPost("{}")).next, Next::kControl);
  EXPECT_EQ(exchange_->TakeControl()->console, "read-only");
}

TEST_F(ExchangeTest, AControlCallFromElsewhereIsRefused) {
  peer_.is_loopback = false;
  const std::string refused =
      R"({"error":"The control API answers this machine only, and no proxy on it, unless the )"
      R"(server was started with --control-token."})";
  const Step step = Receive(ControlPost("{}"));
  EXPECT_EQ(step.sent.substr(step.sent.find("\r\n\r\n") + 4), refused);
  EXPECT_EQ(step.next, Next::kRead);
}

TEST_F(ExchangeTest, WithoutMemoryRequestsAreRefused) {
  const std::string refused = RefusedAnswer(
      "503 Service Unavailable",
      R"({"__type":"com.amazon.coral.service#ServiceUnavailableException","Message":)"
      R"("The requests under way, and the answers that their clients do not read, take all of the )"
      R"(server's --request-memory."})");
  server_.limits.AddBytes(Limits::kMinRequestBytes);
  // The buffer may not grow, so the request is not read to its end.
  EXPECT_EQ(Receive(Post(std::string(20 << 10, ' '))), (Step{refused, Next::kLinger}));
  Open();
  server_.limits.AddBytes(1);
  EXPECT_EQ(Receive(Post("a")), (Step{refused, Next::kLinger}));
  server_.limits.ReturnBytes(Limits::kMinRequestBytes + 1);
  Open();
  EXPECT_EQ(Receive(Post("a")), (Step{OkAnswer("a"), Next::kRead}));
}

TEST_F(ExchangeTest, ASparePlaceIsForTheControlApi) {
  Open(true);
  server_.limits.TakeConnection();
  server_.limits.TakeConnection();
  EXPECT_EQ(
      Receive(Post("a")).sent,
      RefusedAnswer(
          "503 Service Unavailable",
          R"({"__type":"com.amazon.coral.service#ServiceUnavailableException","Message":)"
          R"("Requests under way take all of the server's --max-connections. The last places )"
          R"(are for its control API."})"));
  Open(true);
  EXPECT_EQ(Receive(ControlPost("{}")).next, Next::kControl);
  server_.limits.ReturnConnection();
  Open(true);
  EXPECT_EQ(Receive(Post("a")), (Step{OkAnswer("a"), Next::kRead})) << "the place is ordinary now";
  server_.limits.ReturnConnection();
}

}  // namespace
}  // namespace hashrange
