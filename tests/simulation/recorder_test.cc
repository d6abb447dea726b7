// Tests of the recorder behind the dispatcher: what it records of each kind of call, and that there
// is no gate while it is switched off.
#include "simulation/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

// "Query 200: app/GSI query(begins_with) x1 0.5 [GSI 0.5] 3/3/0"
std::string RecordText(const RequestRecord& record) {
  static constexpr const char* kKinds[] = {"read", "write", "check", "query", "scan"};
  std::ostringstream text;
  text << record.operation << " " << record.http_status << record.error;
  for (const RequestAccess& access : record.accesses) {
    text << (access.in_transaction ? "; *" : "; ") << access.table
         << (access.index.empty() ? "" : "/") << access.index << " "
         << kKinds[static_cast<int>(access.kind)];
    if (!access.sort_key.empty()) text << "(" << access.sort_key << ")";
    text << " x" << access.count << " " << access.units;
    for (const auto& index : access.index_units) {
      text << " [" << index.index << " " << index.units << "]";
    }
    text << " " << access.examined << "/" << access.returned << "/" << access.written;
  }
  return text.str();
}

// Refuses every access.
class Refusal : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access&) override {
    return Error{ErrorCode::kProvisionedThroughputExceededException, "too fast", nullptr};
  }
  void Leave(Call&, const Access&, const Usage&) override {}
  void End(Call& call, const CallOutcome&) override {
    call.drop = true;
    call.send_after_ms = 7;
  }
};

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
        {"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"},
                     {"AttributeName":"s","KeyType":"RANGE"}]}]})");
    for (const char* sort : {"1", "2", "3"}) {
      api_.Ok("PutItem", std::string(R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":")")
                             .append(sort)
                             .append(R"("},"g":{"S":"x"},"n":{"S":")")
                             .append(sort)
                             .append(R"("}}})"));
    }
  }

  std::vector<std::string> Take() {
    std::vector<std::string> texts;
    for (const auto& record : recorder_.list().Find({}).records)
      texts.push_back(RecordText(*record));
    recorder_.list().Remove({});
    return texts;
  }

  ManualClock clock_{1'800'000'000'000};
  Recorder recorder_{chain_, clock_};
  GateChain chain_;
  Api api_{{.gate = &chain_.slot()}};
};

TEST_F(RecorderTest, IsInTheChainOnlyWhileItIsAskedFor) {
  EXPECT_EQ(chain_.slot().load(), nullptr);
  recorder_.StartList(10);
  EXPECT_EQ(chain_.slot().load(), &chain_);
  recorder_.StopList();
  EXPECT_EQ(chain_.slot().load(), nullptr);
  recorder_.StartCounting();
  EXPECT_EQ(chain_.slot().load(), &chain_);
  recorder_.StartList(10);
  recorder_.StopList();
  EXPECT_EQ(chain_.slot().load(), &chain_);
}

TEST_F(RecorderTest, ListsReadsWithWhatTheyExamined) {
  recorder_.StartList(100);
  api_.Ok("Query", R"j({"TableName":"app","IndexName":"GSI",
    "KeyConditionExpression":"g = :g AND begins_with(s, :s)","FilterExpression":"n <> :two",
    "ExpressionAttributeValues":{":g":{"S":"x"},":s":{"S":""},":two":{"S":"2"}}})j");
  api_.Ok("Scan", R"({"TableName":"app","Limit":2})");
  api_.Ok("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"9"}}})");
  api_.Ok("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}},
    {"p":{"S":"a"},"s":{"S":"2"}},{"p":{"S":"a"},"s":{"S":"9"}}]}}})");
  api_.Ok("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE p IN ['a', 'b']"})");
  api_.Ok("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE p='a' AND '1' < s"})");
  EXPECT_THAT(Take(),
              ElementsAre("Query 200; app/GSI query(begins_with) x1 0.5 [GSI 0.5] 3/2/0",
                          "Scan 200; app scan x1 0.5 2/2/0", "GetItem 200; app read x1 0.5 0/0/0",
                          "BatchGetItem 200; app read x3 1.5 2/2/0",
                          "ExecuteStatement 200; app query(none) x2 1 3/3/0",
                          "ExecuteStatement 200; app query(>) x1 0.5 2/2/0"));
}

TEST_F(RecorderTest, ListsWritesWithTheUnitsOfTheirIndexes) {
  recorder_.StartList(100);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"},"g":{"S":"x"}}})");
  api_.Ok("BatchWriteItem", R"({"RequestItems":{"app":[
    {"PutRequest":{"Item":{"p":{"S":"b"},"s":{"S":"2"}}}},
    {"DeleteRequest":{"Key":{"p":{"S":"b"},"s":{"S":"1"}}}}]}})");
  api_.Ok("TransactWriteItems", R"j({"TransactItems":[
    {"Put":{"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"3"}}}},
    {"ConditionCheck":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
      "ConditionExpression":"attribute_exists(p)"}}]})j");
  EXPECT_THAT(Take(), ElementsAre("PutItem 200; app write x1 2 [GSI 1] 0/0/1",
                                  "BatchWriteItem 200; app write x2 3 [GSI 1] 1/0/2",
                                  "TransactWriteItems 200; *app write x1 2 0/0/1; *app check x1 2 "
                                  "1/0/0"));
}

TEST_F(RecorderTest, ListsTheUnitsOfAReplayAsReads) {
  recorder_.StartList(10);
  recorder_.StartCounting();
  const char* write = R"({"ClientRequestToken":"t","TransactItems":[
      {"Put":{"TableName":"app","Item":{"p":{"S":"r"},"s":{"S":"1"}}}},
      {"Delete":{"TableName":"app","Key":{"p":{"S":"r"},"s":{"S":"2"}}}}]})";
  api_.Ok("TransactWriteItems", write);
  api_.Ok("TransactWriteItems", write);
  EXPECT_THAT(Take(), ElementsAre("TransactWriteItems 200; *app write x2 4 0/0/1",
                                  "TransactWriteItems 200; *app read x2 4 0/0/0"));
  const auto series = recorder_.statistics().Series();
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].read_units, 4);
  EXPECT_EQ(series[0].write_units, 4);
}

TEST_F(RecorderTest, ListsCallsThatFail) {
  recorder_.StartList(100);
  const Api::Reply wrong = api_.Call("GetItem", R"({"TableName":"app"})");
  api_.Call("GetItem", "{");
  api_.Call("NoSuchOperation", "{}");
  api_.Call("GetItem", R"({"TableName":"none","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  api_.Call("PutItem", R"j({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}},
    "ConditionExpression":"attribute_not_exists(p)"})j");
  const auto records = recorder_.list().Find({.operation = "GetItem"}).records;
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]->answer_bytes, wrong.body.size());
  EXPECT_EQ(records[0]->account_id, "000000000000");
  EXPECT_THAT(Take(), ElementsAre("GetItem 400ValidationException", " 400SerializationException",
                                  "DynamoDB_20120810.NoSuchOperation 400UnknownOperationException",
                                  "GetItem 400ResourceNotFoundException",
                                  "PutItem 400ConditionalCheckFailedException; app write x1 1 "
                                  "1/0/0"));
}

TEST_F(RecorderTest, ListsCallsThatAreNotImplemented) {
  recorder_.StartList(100);
  api_.SignAs("111122223333", "eu-west-1");
  api_.Call("CreateBackup", "{}");
  const auto records = recorder_.list().Find({.account_id = "111122223333"}).records;
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]->operation, "CreateBackup");
  EXPECT_EQ(records[0]->region, "eu-west-1");
  EXPECT_EQ(records[0]->message, "Hashrange does not implement CreateBackup.");
}

TEST_F(RecorderTest, ListsTheBeginningOfALongErrorMessage) {
  recorder_.StartList(100);
  api_.Call("PutItem", R"j({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}},
    "ConditionExpression":"attribute_not_exists(p)"})j");
  std::string name;
  while (name.size() < 300'000) name += "é";
  api_.Call("GetItem", R"({"TableName":")" + name + R"(","Key":{"p":{"S":"a"}}})");
  const auto records = recorder_.list().Find({}).records;
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]->message, "The conditional request failed");
  const std::string& message = records[1]->message;
  EXPECT_TRUE(message.starts_with("1 validation error detected: Value 'éé")) << message;
  EXPECT_TRUE(message.ends_with("éé…")) << message;
  EXPECT_LE(message.size(), RequestRecord::kMaxMessageBytes + 3);
}

TEST_F(RecorderTest, ListsWhatAnotherGateMadeOfTheCall) {
  Refusal refusal;
  chain_.Activate(GateChain::Place::kFaults, refusal);
  recorder_.StartList(100);
  api_.Call("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  const auto records = recorder_.list().Find({}).records;
  ASSERT_EQ(records.size(), 1u);
  EXPECT_TRUE(records[0]->dropped);
  EXPECT_EQ(records[0]->delay_ms, 7);
  EXPECT_THAT(Take(),
              ElementsAre("GetItem 400ProvisionedThroughputExceededException; app read x0 0 "
                          "0/0/0"));
  chain_.Deactivate(GateChain::Place::kFaults);
}

TEST_F(RecorderTest, RecordsCallerTimeAndSizes) {
  recorder_.StartList(100);
  api_.SignAs("111122223333", "eu-west-1");
  const std::string answer = api_.Ok("ListTables", "{}");
  const auto records = recorder_.list().Find({.account_id = "111122223333"}).records;
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]->region, "eu-west-1");
  EXPECT_EQ(records[0]->epoch_ms, 1'800'000'000'000);
  EXPECT_EQ(records[0]->request_bytes, 2u);
  EXPECT_EQ(records[0]->answer_bytes, answer.size());
  EXPECT_LT(records[0]->duration_us, 10'000'000);
}

// A recorder that is switched off and on during a call records nothing of the call.
TEST_F(RecorderTest, IgnoresCallsThatBeganBeforeIt) {
  Call call;
  call.operation = "GetItem";
  recorder_.StartList(100);
  recorder_.Begin(call);
  recorder_.StopList();
  recorder_.StartList(100);
  recorder_.End(call, {});
  EXPECT_THAT(Take(), ElementsAre());
  recorder_.Begin(call);
  recorder_.End(call, {});
  EXPECT_THAT(Take(), ElementsAre("GetItem 200"));
}

TEST_F(RecorderTest, CountsWhatIsNotListed) {
  recorder_.StartCounting();
  api_.Ok("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  api_.Call("GetItem", R"({"TableName":"none","Key":{"p":{"S":"a"},"s":{"S":"1"}}})");
  api_.Call("GetItem", R"({"TableName":"app"})");
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"b"},"s":{"S":"1"},"g":{"S":"x"}}})");
  EXPECT_THAT(Take(), ElementsAre());
  const auto operations = recorder_.statistics().Operations();
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_EQ(operations[0].operation, "GetItem");
  EXPECT_EQ(operations[0].requests, 3u);
  ASSERT_EQ(operations[0].errors.size(), 2u);
  const auto series = recorder_.statistics().Series();
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].table, "app");
  EXPECT_EQ(series[0].index, "");
  EXPECT_EQ(series[0].read_units, 0.5);
  EXPECT_EQ(series[0].write_units, 1);
  EXPECT_EQ(series[0].written, 1u);
  EXPECT_EQ(series[1].index, "GSI");
  EXPECT_EQ(series[1].write_units, 1);
}

// The recorder is switched on and off during calls.
TEST_F(RecorderTest, ListedCallsAreCompleteWhileItIsSwitched) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string get =
          R"({"TableName":"app","Key":{"p":{"S":"k"},"s":{"S":")" + std::to_string(i) + "\"}}}";
      while (!stop) api_.Call("GetItem", get);
    });
  }
  for (int round = 0; round < 200; ++round) {
    recorder_.StartList(50);
    if (round == 100) recorder_.StartCounting();
    for (const auto& record : recorder_.list().Find({}).records) {
      EXPECT_EQ(RecordText(*record), "GetItem 200; app read x1 0.5 0/0/0");
    }
    recorder_.list().Remove({.since = 5});
    recorder_.StopList();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  for (const OperationTotals& totals : recorder_.statistics().Operations()) {
    EXPECT_EQ(totals.operation, "GetItem");
  }
}

}  // namespace
}  // namespace hashrange
