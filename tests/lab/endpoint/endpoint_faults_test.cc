// Endpoints that throttle, fail, hang, refuse or go away: a run ends, says why in one sentence, and
// removes what it has made.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <string>

#include "endpoint_server.h"
#include "lab/endpoint/endpoint_fill.h"

namespace hashrange {
namespace {

constexpr const char* kGets = R"(
lab: 1
seed: 5
entities: {Thing: {count: 100, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 250/s}}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
traffic: [{for: 400ms, rate: 1}]
client: {attempts: 3, base_delay: 1ms}
)";

class EndpointFaultsTest : public EndpointServerTest {
 protected:
  // Answer all calls of the operation with an error, or a throttle.
  void AddError(const std::string& operation, const std::string& type, const std::string& message) {
    AddFault(R"({"match":{"operation":")" + operation + R"("},"do":{"error":{"type":")" + type +
             R"(","message":")" + message + R"("}}})");
  }
  void AddThrottle(const std::string& operation, const std::string& reason) {
    AddFault(R"({"match":{"operation":")" + operation + R"("},"do":{"throttle":")" + reason +
             R"("}})");
  }
  // As after a CreateTable that was executed, whose answer was lost, and that was sent again.
  void AddTableInUse() {
    AddError("CreateTable", "ResourceInUseException", "Table already exists.");
  }
  // Returns the sentence by which a run does not even begin.
  std::string Refusal() {
    const auto result = Run(FileOf(kGets));
    EXPECT_FALSE(result.ok());
    return result.ok() ? "" : result.error().message;
  }
};

TEST_F(EndpointFaultsTest, CallsThatAreAlwaysThrottledFail) {
  AddThrottle("GetItem", "TableReadProvisionedThroughputExceeded");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  const std::string calls = std::to_string(modelled_.patterns[0].calls);
  const std::string requests = std::to_string(3 * modelled_.patterns[0].calls);
  EXPECT_EQ(CountsText(run),
            "ask: " + calls + " " + calls + " 0 " + requests + " " + requests + " 0 0 0 0\n");
  // The lab's own lateness is that of later requests, too.
  EXPECT_EQ(run.lateness_us.count(), run.patterns[0].run.requests);
  EXPECT_EQ(run.ended_early_because, "");
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, FailuresOfTheServerAreTriedAgain) {
  AddFault(R"({"match":{"operation":"GetItem"},"do":{"error":{"type":"InternalServerError"}}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  const std::string calls = std::to_string(modelled_.patterns[0].calls);
  const std::string requests = std::to_string(3 * modelled_.patterns[0].calls);
  EXPECT_EQ(CountsText(run),
            "ask: " + calls + " " + calls + " 0 " + requests + " 0 " + requests + " 0 0 0\n");
  EXPECT_TRUE(run.patterns[0].run.error.starts_with("GetItem was answered by InternalServerError"))
      << run.patterns[0].run.error;
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, APageOfHtmlIsAFailureOfTheServer) {
  AddFault(R"({"match":{"operation":"GetItem","times":2},"do":{"status":503}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.patterns[0].run.failed, 0U);
  EXPECT_EQ(run.patterns[0].run.broken, 2U);
  EXPECT_EQ(run.patterns[0].run.requests, run.patterns[0].run.calls + 2);
}

TEST_F(EndpointFaultsTest, RequestsWhoseConnectionEndsAreTriedAgain) {
  AddFault(R"({"match":{"operation":"GetItem","times":4},"do":{"drop":"before"}})");
  LabFile file = FileOf(kGets);
  file.client.attempts = 9;
  const EndpointLayoutRun run = RunOne(file);
  EXPECT_EQ(run.patterns[0].run.calls, modelled_.patterns[0].calls);
  EXPECT_EQ(run.patterns[0].run.failed, 0U);
  EXPECT_EQ(run.patterns[0].units.different, 0U);
}

TEST_F(EndpointFaultsTest, TheFillPutsAgainWhatWasNotProcessed) {
  AddFault(R"({"match":{"operation":"BatchWriteItem","times":3},"do":{"unprocessed":2}})");
  AddFault(R"({"match":{"operation":"BatchWriteItem","times":2},"do":{"drop":"after"}})");
  AddFault(
      R"({"match":{"operation":"BatchWriteItem","times":2},"do":{"throttle":"TableWriteProvisionedThroughputExceeded"}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because, "");
  EXPECT_EQ(run.items_filled, 100U);
  EXPECT_EQ(run.patterns[0].run.items, run.patterns[0].run.calls);
}

TEST_F(EndpointFaultsTest, AFillThatPutsNothingIsGivenUp) {
  AddThrottle("BatchWriteItem", "TableWriteProvisionedThroughputExceeded");
  options_.limits.fill_silence = std::chrono::milliseconds(300);
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_TRUE(run.ended_early_because.starts_with(
      "While the tables were filled, no item was put for 0.3 s; the latest answer: BatchWriteItem "
      "at " +
      server_->endpoint() + " was answered by ProvisionedThroughputExceededException: "))
      << run.ended_early_because;
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, AFillThatIsRefusedIsGivenUp) {
  AddError("BatchWriteItem", "AccessDeniedException", "Not you.");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because, "BatchWriteItem at " + server_->endpoint() +
                                         " was answered by AccessDeniedException: Not you.");
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, ATableThatIsRefusedEndsTheLayout) {
  AddError("CreateTable", "ValidationException", "No streams.");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because, "CreateTable at " + server_->endpoint() +
                                         " was answered by ValidationException: No streams.");
  EXPECT_EQ(run.left_behind, "");
}

TEST_F(EndpointFaultsTest, ATableWhoseCreationWasNotAnsweredIsRemoved) {
  AddFault(R"({"match":{"operation":"CreateTable"},"do":{"drop":"after"}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_TRUE(
      run.ended_early_because.starts_with("CreateTable was not answered: " + server_->endpoint()))
      << run.ended_early_because;
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, UnderTheUsersOwnPrefixSuchATableIsNamed) {
  AddFault(R"({"match":{"operation":"CreateTable"},"do":{"drop":"after"}})");
  options_.prefix = "mine-";
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_TRUE(run.ended_early_because.ends_with(
      "; the table mine-1-things may exist nevertheless, and is not removed"))
      << run.ended_early_because;
  EXPECT_EQ(Tables(), R"({"TableNames":["mine-1-things"]})");
}

TEST_F(EndpointFaultsTest, ATableThatExistsAtItsCreationIsRemoved) {
  AddTableInUse();
  AddError("DeleteTable", "AccessDeniedException", "Not you.");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because,
            "CreateTable at " + server_->endpoint() +
                " was answered by ResourceInUseException: Table already exists.");
  EXPECT_TRUE(run.left_behind.ends_with("1-things is left behind, as DeleteTable at " +
                                        server_->endpoint() +
                                        " was answered by AccessDeniedException: Not you."))
      << run.left_behind;
}

TEST_F(EndpointFaultsTest, UnderTheUsersOwnPrefixATableThatExistsAtItsCreationIsNamed) {
  AddTableInUse();
  options_.prefix = "mine-";
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because,
            "CreateTable at " + server_->endpoint() +
                " was answered by ResourceInUseException: Table already exists.; the table "
                "mine-1-things may exist nevertheless, and is not removed");
  EXPECT_EQ(run.left_behind, "");
}

TEST_F(EndpointFaultsTest, ATableThatCannotBeRemovedIsNamed) {
  AddError("DeleteTable", "AccessDeniedException", "Not you.");
  options_.prefix = "mine-";
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.ended_early_because, "");
  EXPECT_EQ(run.left_behind, "The table mine-1-things is left behind, as DeleteTable at " +
                                 server_->endpoint() +
                                 " was answered by AccessDeniedException: Not you.");
}

TEST_F(EndpointFaultsTest, ARemovalIsTriedAgain) {
  AddFault(R"({"match":{"operation":"DeleteTable","times":2},"do":{"drop":"before"}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.left_behind, "");
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, WritesWhoseConditionDoesNotHoldCostMoney) {
  AddFault(
      R"({"match":{"operation":"PutItem"},"do":{"error":{"type":"ConditionalCheckFailedException"}}})");
  const LabFile file = FileOf(R"(
lab: 1
seed: 5
entities: {Thing: {count: 100, attributes: {id: {uuid: true}, note: {text: 3000}}}}
access_patterns: {make: {create: Thing, rate: 100/s}}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
traffic: [{for: 400ms, rate: 1}]
)");
  const EndpointLayoutRun run = RunOne(file);
  const PatternRun& make = run.patterns[0].run;
  EXPECT_GT(make.calls, 0U);
  EXPECT_EQ(make.conditions, make.calls);
  EXPECT_EQ(modelled_.patterns[0].write_units.mean(), 4);
  EXPECT_NEAR(run.spent_usd, static_cast<double>(4 * (100 + make.calls)) * 0.625e-6, 1e-12);
}

constexpr const char* kTwoTables = R"(
lab: 1
seed: 5
entities:
  Thing: {count: 10, attributes: {id: {sequence: 4}}}
  Other: {count: 10, attributes: {id: {sequence: 4}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 10/s}}
layouts: {only: {tables: {others: {key: [PK], items: {Other: {PK: "{id}"}}}, things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
traffic: [{for: 100ms, rate: 1}]
)";

TEST_F(EndpointFaultsTest, ASilenceEndsTheRemovalOfAllTables) {
  AddFault(
      R"({"match":{"operation":"DeleteTable","table":"mine-1-others"},"do":{"drop":"before"}})");
  AddFault(
      R"({"match":{"operation":"DeleteTable","table":"mine-1-things"},"do":{"error":{"type":"AccessDeniedException","message":"Not you."}}})");
  options_.prefix = "mine-";
  options_.limits.silence = std::chrono::milliseconds(300);
  const EndpointLayoutRun run = RunOne(FileOf(kTwoTables));
  EXPECT_TRUE(
      run.left_behind.starts_with("The tables mine-1-others, mine-1-things are left behind, as "
                                  "DeleteTable was not answered: " +
                                  options_.url.Text()))
      << run.left_behind;
}

TEST_F(EndpointFaultsTest, ASilenceEndsTheWaitForATable) {
  // The first two ask whether the table is missing.
  AddFault(R"({"match":{"operation":"DescribeTable","skip":2},"do":{"drop":"before"}})");
  options_.limits.silence = std::chrono::milliseconds(300);
  options_.limits.until_active = std::chrono::milliseconds(5'000);
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_TRUE(
      run.ended_early_because.starts_with("DescribeTable was not answered: " + options_.url.Text()))
      << run.ended_early_because;
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointFaultsTest, CredentialsThatAreRefusedAreOneSentence) {
  AddError("DescribeTable", "UnrecognizedClientException",
           "The security token included in the request is invalid.");
  EXPECT_EQ(Refusal(), "DescribeTable at " + server_->endpoint() +
                           " was answered by UnrecognizedClientException: The security token "
                           "included in the request is invalid.");
}

TEST_F(EndpointFaultsTest, AnEndpointThatIsNotThereIsOneSentence) {
  options_.limits.probe = std::chrono::milliseconds(300);
  server_->Stop();
  const std::string refusal = Refusal();
  EXPECT_TRUE(refusal.starts_with("DescribeTable was not answered: " + options_.url.Text()))
      << refusal;
}

TEST_F(EndpointFaultsTest, AnEndpointThatHangsIsOneSentence) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  options_.url.port = ntohs(address.sin_port);
  options_.limits.answer = options_.limits.probe = std::chrono::milliseconds(200);
  const std::string refusal = Refusal();
  EXPECT_TRUE(refusal.starts_with("DescribeTable was not answered: " + options_.url.Text()))
      << refusal;
  ::close(listener);
}

TEST_F(EndpointFaultsTest, AnEndpointThatGoesAwayEndsTheRun) {
  options_.limits.answer = std::chrono::milliseconds(200);
  options_.limits.silence = std::chrono::milliseconds(300);
  options_.prefix = "mine-";
  options_.progress = [this](double done) {
    if (done > 0.302) server_->Stop();  // soon after the fill
  };
  LabFile file = FileOf(kGets);
  file.traffic[0].length_ms = 60'000;
  options_.traffic.rate = 0.1;
  const EndpointLayoutRun run = RunOne(file);
  EXPECT_TRUE(run.ended_early_because.starts_with("The endpoint answered nothing for 0.3 s: "))
      << run.ended_early_because;
  EXPECT_TRUE(
      run.left_behind.starts_with("The table mine-1-things is left behind, as DeleteTable was not "
                                  "answered: " +
                                  options_.url.Text()))
      << run.left_behind;
  EXPECT_GT(run.patterns[0].run.calls, 0U);
}

TEST_F(EndpointFaultsTest, ARefusalByTheLastAnswerIsSaid) {
  AddFault(
      R"({"match":{"operation":"GetItem"},"do":{"error":{"type":"ValidationException","message":"No."},"latency":"500ms"}})");
  const LabFile file = FileOf(R"(
lab: 1
seed: 5
entities: {Thing: {count: 10, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 250/s}}
layouts:
  only:
    tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}
    serve: {ask: [{GetItem: {TableName: things, Key: {PK: {S: "{id}"}}}}]}
traffic: [{for: 100ms, rate: 1}]
)");
  options_.limits.most_open_calls = 1;
  const EndpointLayoutRun run = RunOne(file);
  ASSERT_EQ(run.patterns[0].run.requests, 1U);  // its answer comes after all arrivals
  EXPECT_TRUE(run.ended_early_because.ends_with(
      "a request of `serve` for \"ask\" is refused: GetItem was answered by ValidationException: "
      "No."))
      << run.ended_early_because;
}

TEST_F(EndpointFaultsTest, SlowAnswersDelayNoLaterCall) {
  AddFault(R"({"match":{"operation":"GetItem"},"do":{"latency":"300ms"}})");
  const EndpointLayoutRun run = RunOne(FileOf(kGets));
  EXPECT_EQ(run.patterns[0].run.calls, modelled_.patterns[0].calls);
  EXPECT_EQ(run.patterns[0].latency_us.CountAbove(250'000), run.patterns[0].run.calls);
  EXPECT_EQ(run.patterns[0].not_made, 0U);
  // If a call waited for the one before, there would never be a second one beyond the bound.
  options_.limits.most_open_calls = 2;
  EXPECT_GT(RunOne(FileOf(kGets)).patterns[0].not_made, 0U);
}

class EndpointFillTest : public EndpointServerTest {};

TEST_F(EndpointFillTest, ATwinThatCannotBeReadIsAnError) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 1/s}}
layouts: {only: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}}
)");
  LayoutDatabase twin(file, file.layouts[0], nullptr);  // without tables
  const auto client = OpenEndpointClient(options_, 1);
  ASSERT_TRUE(client.ok()) << client.error().message;
  SpendCount spend(std::nullopt);
  EndpointFill fill({**client, twin, spend, options_.limits});
  const auto is_filled = fill.Run([](std::uint64_t) {});
  ASSERT_FALSE(is_filled.ok());
  EXPECT_TRUE(is_filled.error().message.starts_with("The twin of things cannot be read: {"))
      << is_filled.error().message;
}

}  // namespace
}  // namespace hashrange
