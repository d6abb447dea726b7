// Endpoints that throttle, fail, lose answers or answer what the service never does.
#include <memory>

#include "hashrange/server.h"
#include "remote/copy/copy_endpoint.h"
#include "remote/copy/copy_fixture.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

using CopyEndpoint = CopyTest;

TEST_F(CopyEndpoint, ThrottlesFailuresAndUnprocessedItemsAreWaitedFor) {
  MakeTable(source_, "app", 500);
  AddFaults(source_, R"([{"match":{"operation":"Scan","every":2},
    "do":{"throttle":"TableReadProvisionedThroughputExceeded"}},
    {"match":{"operation":"Scan","every":5},"do":{"drop":"before"}}])");
  AddFaults(destination_, R"([{"match":{"operation":"BatchWriteItem","every":2},
    "do":{"unprocessed":20}},
    {"match":{"operation":"BatchWriteItem","every":3},"do":{"error":{"type":"InternalServerError"}}},
    {"match":{"operation":"BatchWriteItem","every":5},"do":{"status":503}},
    {"match":{"operation":"BatchWriteItem","every":7},"do":{"drop":"after"}}])");
  EXPECT_THAT(Copied(), ElementsAre("app>app 500 verified"));
  source_.Control("DELETE", "faults");
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
}

TEST_F(CopyEndpoint, OnlyFinalRefusalsOfTagsAreNotes) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  std::string error = "ThrottlingException";
  from_.after_call = [&error](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != "ListTagsOfResource" && operation != "DescribeTimeToLive") return;
    reply.status = 400;
    reply.error = error;
  };
  request_.patience.until_failure = std::chrono::milliseconds(20);
  EXPECT_EQ(Failure(),
            "http://source:8000 refuses DescribeTimeToLive of the table app: ThrottlingException");
  EXPECT_THAT(notes_, ElementsAre());
  error = "SlowDown";
  EXPECT_EQ(Failure(), "http://source:8000 refuses DescribeTimeToLive of the table app: SlowDown");
  EXPECT_THAT(notes_, ElementsAre());
  error = "UnknownOperationException";
  EXPECT_THAT(Copied(), ElementsAre("app>app 0 verified"));
  EXPECT_THAT(notes_, ElementsAre("the time to live of app is not copied: http://source:8000 "
                                  "refuses DescribeTimeToLive of the table app: "
                                  "UnknownOperationException",
                                  "the tags of app are not copied: http://source:8000 refuses "
                                  "ListTagsOfResource of the table app: "
                                  "UnknownOperationException"));
}

TEST_F(CopyEndpoint, ASourceThatGoesAwayIsNoRefusal) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  from_.after_call = [](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != "DescribeTimeToLive") return;
    reply = {};
    reply.message = "http://source:8000 closed the connection";
  };
  request_.patience.until_failure = std::chrono::milliseconds(20);
  EXPECT_EQ(Failure(), "http://source:8000 closed the connection");
  EXPECT_THAT(notes_, ElementsAre());
}

TEST_F(CopyEndpoint, AnEndpointThatRefusesForTooLongEndsTheCopy) {
  MakeTable(source_, "app", 30);
  AddFaults(destination_, R"([{"match":{"operation":"BatchWriteItem"},
    "do":{"error":{"type":"ThrottlingException","message":"Slow down."}}}])");
  request_.patience.until_failure = std::chrono::milliseconds(20);
  EXPECT_EQ(Failure(),
            "http://destination:8000 refuses BatchWriteItem of the table app: ThrottlingException, "
            "Slow down; 0 of 1 table is copied, app is created at http://destination:8000, perhaps "
            "with some of its items; to continue, run the same command with --resume; to begin "
            "anew, remove what was copied and " +
                request_.state_file.string());
  destination_.Control("DELETE", "faults");
  request_.resumes = true;
  EXPECT_THAT(Copied(), ElementsAre("app>app 30 verified"));
}

TEST_F(CopyEndpoint, TheUserIsToldWhatACopyWaitsFor) {
  MakeTable(source_, "app", 30);
  AddFaults(destination_, R"([{"match":{"operation":"BatchWriteItem","times":20},
    "do":{"error":{"type":"ThrottlingException","message":"Slow down."}}}])");
  request_.segments = 1;
  request_.patience.until_note = std::chrono::milliseconds(1);
  EXPECT_THAT(Copied(), ElementsAre("app>app 30 verified"));
  ASSERT_FALSE(notes_.empty());
  EXPECT_EQ(notes_.front(),
            "http://destination:8000 refuses BatchWriteItem of the table app: ThrottlingException, "
            "Slow down; the copy goes on when it is served again");
}

TEST_F(CopyEndpoint, ItemsThatStayUnprocessedEndTheCopy) {
  MakeTable(source_, "app", 25);
  request_.segments = 1;
  to_.batch_answer =
      R"({"UnprocessedItems":{"app":[{"PutRequest":{"Item":{"pk":{"S":"item 0"}}}}]}})";
  request_.patience.until_failure = std::chrono::milliseconds(20);
  EXPECT_THAT(Failure(), testing::StartsWith(
                             "http://destination:8000 leaves items of the table app unprocessed: "
                             "its capacity does not suffice; "));
}

TEST_F(CopyEndpoint, UnprocessedItemsOfAnotherNameAreNotTakenForNone) {
  MakeTable(source_, "app", 25);
  request_.segments = 1;
  const std::string requests = R"([{"PutRequest":{"Item":{"pk":{"S":"item 0"}}}}])";
  for (const std::string& unprocessed :
       {R"({"arn:aws:dynamodb:us-east-1:000000000000:table/app":)" + requests + "}",
        std::string(R"({"app":{"PutRequest":{}}})"), requests}) {
    to_.batch_answer = R"({"UnprocessedItems":)" + unprocessed + "}";
    EXPECT_THAT(Failure(), testing::StartsWith("the answer of BatchWriteItem has UnprocessedItems "
                                               "that are not of the table app; "))
        << unprocessed;
    request_.resumes = true;
  }
}

TEST_F(CopyEndpoint, ALostAnswerOfCreateTableIsNoError) {
  MakeTable(source_, "app", 10);
  to_.after_call = [&](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation == "CreateTable" && reply.ok()) reply.status = 0;
  };
  EXPECT_THAT(Copied(), ElementsAre("app>app 10 verified"));
  EXPECT_EQ(to_.Calls("CreateTable"), 2U);
}

TEST_F(CopyEndpoint, ATableThatIsNotYetKnownIsWaitedFor) {
  MakeTable(source_, "app", 10);
  int unknown = 3;
  to_.after_call = [&](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != "DescribeTable" || to_.Calls("CreateTable") == 0 || unknown-- <= 0) return;
    reply.status = 400;
    reply.error = "ResourceNotFoundException";
  };
  EXPECT_THAT(Copied(), ElementsAre("app>app 10 verified"));
}

TEST_F(CopyEndpoint, ATableThatIsNeverActiveEndsTheCopy) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  to_.after_call = [&](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != "DescribeTable" || !reply.ok()) return;
    reply.body = std::regex_replace(reply.body, std::regex("ACTIVE"), "CREATING");
  };
  request_.patience.until_failure = std::chrono::milliseconds(20);
  EXPECT_THAT(
      Failure(),
      testing::StartsWith(
          "the table app at http://destination:8000 has the status CREATING; 0 of 1 table is "));
}

TEST_F(CopyEndpoint, AnEndpointWithoutTimeToLiveIsNamed) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  Ok(source_, "UpdateTimeToLive",
     R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"exp"}})");
  for (const int status : {400, 501}) {
    to_.after_call = [status](std::string_view operation, const std::string&, ServiceReply& reply) {
      if (!operation.ends_with("TimeToLive")) return;
      reply.status = status;
      reply.error = status == 400 ? "UnknownOperationException" : "";
      reply.body = "{}";
    };
    request_.prefix = "dev" + std::to_string(status) + "-";
    EXPECT_THAT(Copied(), ElementsAre("app>" + request_.prefix + "app 0 verified"));
  }
  EXPECT_THAT(notes_, ElementsAre("the time to live of dev400-app is not switched on: "
                                  "http://destination:8000 refuses UpdateTimeToLive of the table "
                                  "dev400-app: UnknownOperationException",
                                  "the time to live of dev501-app is not switched on: "
                                  "http://destination:8000 refuses UpdateTimeToLive of the table "
                                  "dev501-app: HTTP status 501"));
}

// A unit waits 50 ms for its turn, which is longer than the patience.
TEST_F(CopyEndpoint, WaitsForThePaceAreNoFailures) {
  MakeTable(source_, "app", 1);
  request_.segments = 1;
  request_.verifies = false;
  request_.write_units_a_second = 20;
  request_.patience.until_failure = std::chrono::milliseconds(30);
  int calls = 0;
  to_.before_call = [&](std::string_view operation) {
    if (operation != "BatchWriteItem") return;
    to_.batch_answer = ++calls > 3 ? ""
                                   : R"({"UnprocessedItems":{"app":[)"
                                     R"({"PutRequest":{"Item":{"pk":{"S":"item 0"}}}}]}})";
  };
  EXPECT_THAT(Copied(), ElementsAre("app>app 1"));
  EXPECT_EQ(calls, 4);
}

TEST_F(CopyEndpoint, PagesWithoutAnEndEndTheCopy) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  std::string endless = "ListTables";
  int calls = 0;
  int differing = 10'000;  // pages
  from_.after_call = [&](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != endless) return;
    ++calls;
    reply.status = 200;
    const std::string more = "more" + std::to_string(calls % differing);
    if (endless == "ListTables") {
      reply.body = R"({"TableNames":[],"LastEvaluatedTableName":")" + more + "\"}";
    }
    if (endless == "ListTagsOfResource") reply.body = R"({"Tags":[],"NextToken":")" + more + "\"}";
    if (endless != "Scan") return;
    const char* const keys[] = {"a", "b", "c"};
    reply.body =
        R"({"Items":[],"LastEvaluatedKey":{"pk":{"S":")" + std::string(keys[calls % 3]) + R"("}}})";
  };
  EXPECT_EQ(Failure(), "http://source:8000 answers ListTables without coming to an end");
  EXPECT_EQ(calls, 1'000);
  for (const int circle : {1, 3}) {
    calls = 0;
    differing = circle;
    EXPECT_EQ(Failure(), std::string("http://source:8000 answers ListTables without going on: "
                                     "LastEvaluatedTableName is more") +
                             (circle == 1 ? "0" : "1") + " again");
    EXPECT_EQ(calls, circle + 1);
  }
  request_.tables = {"app"};
  endless = "ListTagsOfResource";
  EXPECT_THAT(Copied(), ElementsAre("app>app 0 verified"));
  EXPECT_THAT(notes_, ElementsAre("the tags of app are not copied: http://source:8000 answers "
                                  "ListTagsOfResource without going on: NextToken is more2 again"));
  endless = "Scan";
  request_.segments = 1;
  request_.prefix = "new-";
  EXPECT_THAT(Failure(), testing::StartsWith("http://source:8000 answers a Scan of the table app "
                                             "without going on; "));
}

TEST_F(CopyEndpoint, TheStopIsNoticedWhileTablesAreListed) {
  request_.stop = &stop_;
  from_.after_call = [&](std::string_view, const std::string&, ServiceReply& reply) {
    stop_ = true;
    reply.body = R"({"TableNames":[],"LastEvaluatedTableName":"app"})";
  };
  EXPECT_EQ(Failure(), "the copy was interrupted before it began");
  EXPECT_EQ(from_.Calls("ListTables"), 1U);
}

TEST_F(CopyEndpoint, ALongStatusIsCut) {
  Ok(source_, "CreateTable", OnDemandTable("app"));
  from_.after_call = [](std::string_view operation, const std::string&, ServiceReply& reply) {
    if (operation != "DescribeTable") return;
    reply.body = std::regex_replace(reply.body, std::regex("ACTIVE"), std::string(250'000, 'x'));
  };
  EXPECT_EQ(Failure(),
            "the table app at http://source:8000 has the status " + std::string(100, 'x'));
}

using testing::ElementsAre;

class ClientEndpointTest : public CopyTest {
 protected:
  static std::unique_ptr<Server> Serve(Database& database) {
    std::string error;
    auto server = Server::Start(database, {.host = "127.0.0.1", .port = 0, .threads = 1}, &error);
    EXPECT_EQ(error, "");
    return server;
  }
  static std::unique_ptr<ClientEndpoint> Open(const std::string& url, const std::string& region) {
    auto endpoint = ClientEndpoint::Open({.url = *ParseEndpointUrl(url), .region = region});
    EXPECT_TRUE(endpoint.ok()) << endpoint.error().message;
    return std::move(*endpoint);
  }
};

TEST_F(ClientEndpointTest, TablesAreCopiedOverHttp) {
  const auto from_server = Serve(source_);
  const auto to_server = Serve(destination_);
  const auto from = Open(from_server->endpoint(), "us-east-1");
  const auto to = Open(to_server->endpoint(), "us-east-1");
  request_.from = from.get();
  request_.to = to.get();
  EXPECT_EQ(Failure(), "there are no tables at " + from_server->endpoint() + " (us-east-1)");
  MakeTable(source_, "app", 300);
  AddFaults(destination_,
            R"([{"match":{"operation":"BatchWriteItem","every":3},"do":{"drop":"after"}}])");
  EXPECT_THAT(Copied(), ElementsAre("app>app 300 verified"));
  EXPECT_EQ(Items(destination_, "app"), Items(source_, "app"));
}

TEST_F(ClientEndpointTest, TheRegionIsInTheName) {
  EXPECT_EQ(Open("http://127.0.0.1:8000", "eu-west-1")->name(),
            "http://127.0.0.1:8000 (eu-west-1)");
}

TEST_F(ClientEndpointTest, WhoDoesNotAnswerIsNamed) {
  auto server = Serve(source_);
  const std::string url = server->endpoint();
  server.reset();
  const auto from = Open(url, "us-east-1");
  request_.from = from.get();
  EXPECT_THAT(Failure(), testing::StartsWith(url + " does not answer: "));
}

}  // namespace
}  // namespace hashrange
