// The gate: every access of every operation enters the gate once and leaves it once, and each
// operation answers a refused access in its own way.
#include "operation/call/gate.h"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

// Counts the accesses that enter and leave; refuses those whose number is in `refused`.
class CountingGate : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access& access) override {
    const int number = entered_++;
    if (throws || number == throws_at) throw std::bad_alloc();
    for (int each : refused) {
      if (each == number) return refusal;
    }
    ++inside_;
    log_.append(std::to_string(static_cast<int>(access.kind)));
    return std::nullopt;
  }
  void Leave(Call&, const Access& access, const Usage& usage) override {
    --inside_;
    units_ += usage.units;
    EXPECT_NE(access.table, nullptr);
  }

  // Returns and clears the kinds of the accesses since the last call, and the units with which they
  // left: "11 3/2".
  std::string TakeLog() {
    EXPECT_EQ(inside_, 0);
    std::string taken = log_ + " " + std::to_string(static_cast<int>(units_ * 2)) + "/2";
    entered_ = 0;
    units_ = 0;
    log_.clear();
    return taken;
  }

  std::vector<int> refused;
  bool throws = false;
  int throws_at = -1;  // the access of this number
  Error refusal{ErrorCode::kProvisionedThroughputExceededException, "too fast", nullptr};

 private:
  int entered_ = 0;
  int inside_ = 0;
  double units_ = 0;
  std::string log_;
};

class GateTest : public testing::Test {
 protected:
  GateTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"}}})");
    gate_.TakeLog();
  }

  CountingGate gate_;
  GateSlot slot_{&gate_};
  Api api_{{.gate = &slot_}};
};

TEST_F(GateTest, EachAccessEntersAndLeavesOnce) {
  struct Row {
    const char* operation;
    const char* request;
    const char* accesses;  // kinds, and twice the units
  };
  const Row rows[] = {
      {"GetItem", R"({"TableName":"app","Key":{"k":{"S":"1"}}})", "0 1/2"},
      {"PutItem", R"({"TableName":"app","Item":{"k":{"S":"2"}}})", "1 2/2"},
      {"UpdateItem", R"({"TableName":"app","Key":{"k":{"S":"2"}}})", "1 2/2"},
      {"DeleteItem", R"({"TableName":"app","Key":{"k":{"S":"2"}}})", "1 2/2"},
      {"Query",
       R"({"TableName":"app","KeyConditionExpression":"k = :k",
           "ExpressionAttributeValues":{":k":{"S":"1"}},"ConsistentRead":true})",
       "3 2/2"},
      {"Scan", R"({"TableName":"app"})", "4 1/2"},
      {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"k":{"S":"1"}},{"k":{"S":"2"}}]}}})",
       "00 2/2"},
      {"BatchWriteItem",
       R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"k":{"S":"3"}}}},
                                  {"DeleteRequest":{"Key":{"k":{"S":"4"}}}}]}})",
       "11 4/2"},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"k":{"S":"1"}}}}]})", "0 4/2"},
      {"TransactWriteItems",
       R"j({"TransactItems":[{"Put":{"TableName":"app","Item":{"k":{"S":"5"}}}},
           {"ConditionCheck":{"TableName":"app","Key":{"k":{"S":"1"}},
             "ConditionExpression":"attribute_exists(k)"}}]})j",
       "12 8/2"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE k = '1'"})", "0 1/2"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE k IN ['1', '9']"})", "33 2/2"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app"})", "4 1/2"},
      {"ExecuteStatement", R"({"Statement":"UPDATE app SET n = 1 WHERE k = '1'"})", "1 2/2"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"INSERT INTO app VALUE {'k':'6'}"},
                         {"Statement":"DELETE FROM app WHERE k = '7'"}]})",
       "11 4/2"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM app WHERE k = '1'"}]})", "0 1/2"},
      {"ExecuteTransaction",
       R"j({"TransactStatements":[{"Statement":"INSERT INTO app VALUE {'k':'8'}"},
            {"Statement":"EXISTS(SELECT * FROM app WHERE k = '1' AND n = 1)"}]})j",
       "12 8/2"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"SELECT * FROM app WHERE k = '1'"}]})", "0 4/2"},
      {"DescribeTable", R"({"TableName":"app"})", " 0/2"},
  };
  for (const Row& row : rows) {
    api_.Ok(row.operation, row.request);
    EXPECT_EQ(gate_.TakeLog(), row.accesses) << row.operation;
  }
}

// An allocation that fails during a call ends the call, and the accesses that have entered leave.
TEST_F(GateTest, AnExceptionLeavesNoAccessOpen) {
  constexpr const char* kFailed =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
      R"("message":"The request processing has failed."})";
  const std::pair<const char*, const char*> calls[] = {
      {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"k":{"S":"1"}},{"k":{"S":"2"}}]}}})"},
      {"BatchWriteItem",
       R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"k":{"S":"3"}}}},
                                  {"DeleteRequest":{"Key":{"k":{"S":"4"}}}}]}})"},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"k":{"S":"1"}}}},
                            {"Get":{"TableName":"app","Key":{"k":{"S":"2"}}}}]})"},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"app","Item":{"k":{"S":"5"}}}},
                            {"Delete":{"TableName":"app","Key":{"k":{"S":"1"}}}}]})"}};
  gate_.throws_at = 1;
  for (const auto& [operation, request] : calls) {
    SCOPED_TRACE(operation);
    EXPECT_EQ(api_.Call(operation, request).body, kFailed);
    // Only the first access has entered; it is not charged.
    const bool is_read = std::string_view(operation).find("Get") != std::string_view::npos;
    EXPECT_EQ(gate_.TakeLog(), is_read ? "0 0/2" : "1 0/2");
  }
}

TEST_F(GateTest, NoAccessEntersBeforeTheChecksOfTheSchema) {
  api_.Fails("GetItem", R"({"TableName":"app","Key":{}})", "ValidationException",
             "The provided key element does not match the schema");
  EXPECT_EQ(gate_.TakeLog(), " 0/2");
}

TEST_F(GateTest, RefusedSingleAccessIsTheError) {
  gate_.refused = {0};
  const char* const calls[][2] = {
      {"GetItem", R"({"TableName":"app","Key":{"k":{"S":"1"}}})"},
      {"PutItem", R"({"TableName":"app","Item":{"k":{"S":"9"}}})"},
      {"DeleteItem", R"({"TableName":"app","Key":{"k":{"S":"1"}}})"},
      {"UpdateItem", R"({"TableName":"app","Key":{"k":{"S":"9"}}})"},
      {"Scan", R"({"TableName":"app"})"},
      {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":[{"k":{"S":"1"}}]}}})"},
      {"BatchWriteItem", R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]}})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE k = '1'"})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE k IN ['1', '9']"})"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app"})"},
      {"ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE k = '1'"})"},
  };
  for (const auto& call : calls) {
    api_.Fails(call[0], call[1], "ProvisionedThroughputExceededException", "too fast");
    EXPECT_EQ(gate_.TakeLog(), " 0/2") << call[0];
  }
  gate_.refused.clear();
  api_.Answers("Scan", R"({"TableName":"app"})",
               R"({"Items":[{"k":{"S":"1"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(GateTest, RefusedMembersOfABatchComeBackUnprocessed) {
  gate_.refused = {1};
  api_.Answers(
      "BatchWriteItem",
      R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"k":{"S":"2"}}}},
                   {"PutRequest":{"Item":{"k":{"S":"3"},"n":{"N":"1.0"}}}},
                   {"DeleteRequest":{"Key":{"k":{"S":"1"}}}}]},"ReturnConsumedCapacity":"TOTAL"})",
      R"({"UnprocessedItems":{"app":[{"PutRequest":{"Item":{"k":{"S":"3"},"n":{"N":"1"}}}}]},
                   "ConsumedCapacity":[{"TableName":"app","CapacityUnits":2}]})");
  EXPECT_EQ(gate_.TakeLog(), "11 4/2");
  gate_.refused = {0};
  api_.Answers("BatchGetItem",
               R"({"RequestItems":{"app":{"Keys":[{"k":{"S":"1"}},{"k":{"S":"2"}}],
                   "ConsistentRead":true,"ProjectionExpression":"#k",
                   "ExpressionAttributeNames":{"#k":"k"}}},"ReturnConsumedCapacity":"TOTAL"})",
               R"({"Responses":{"app":[{"k":{"S":"2"}}]},
                   "UnprocessedKeys":{"app":{"Keys":[{"k":{"S":"1"}}],"ConsistentRead":true,
                   "ProjectionExpression":"#k","ExpressionAttributeNames":{"#k":"k"}}},
                   "ConsumedCapacity":[{"TableName":"app","CapacityUnits":1}]})");
  EXPECT_EQ(gate_.TakeLog(), "0 2/2");
}

TEST_F(GateTest, RefusedStatementFailsAlone) {
  gate_.refused = {1};
  api_.Answers("BatchExecuteStatement",
               R"({"Statements":[{"Statement":"SELECT * FROM app WHERE k = '1'"},
                                 {"Statement":"SELECT * FROM app WHERE k = '2'"}]})",
               R"({"Responses":[{"TableName":"app","Item":{"k":{"S":"1"}}},
                   {"TableName":"app",
                    "Error":{"Code":"ProvisionedThroughputExceeded","Message":"too fast"}}]})");
  EXPECT_EQ(gate_.TakeLog(), "0 1/2");
}

TEST_F(GateTest, RefusedActionCancelsTheTransaction) {
  gate_.refused = {1};
  const char* write = R"({"TransactItems":[{"Put":{"TableName":"app","Item":{"k":{"S":"2"}}}},
    {"Delete":{"TableName":"app","Key":{"k":{"S":"1"}}}}]})";
  struct Row {
    ErrorCode code;
    const char* reason;
  };
  for (const Row& row :
       {Row{ErrorCode::kProvisionedThroughputExceededException, "ProvisionedThroughputExceeded"},
        Row{ErrorCode::kThrottlingException, "ThrottlingError"},
        Row{ErrorCode::kTransactionConflictException, "TransactionConflict"}}) {
    gate_.refusal.code = row.code;
    const std::string text =
        std::string(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ")
            .append(row.reason)
            .append("]");
    const std::string body =
        api_.Fails("TransactWriteItems", write, "TransactionCanceledException", text);
    EXPECT_TRUE(SameJson(
        body,
        std::string(R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                              "Message":")")
            .append(text)
            .append(R"(","CancellationReasons":[{"Code":"None"},{"Code":")")
            .append(row.reason)
            .append(R"(","Message":"too fast"}]})")))
        << body;
    EXPECT_EQ(gate_.TakeLog(), "1 0/2");
  }
  gate_.refusal.code = ErrorCode::kInternalServerError;
  api_.Fails("TransactWriteItems", write, "InternalServerError", "too fast");
  EXPECT_EQ(gate_.TakeLog(), "1 0/2");
}

TEST_F(GateTest, AnExceptionBecomesAnInternalServerError) {
  gate_.throws = true;
  const Api::Reply reply = api_.Call("PutItem", R"({"TableName":"app","Item":{"k":{"S":"7"}}})");
  EXPECT_EQ(reply.http_status, 500);
  EXPECT_EQ(reply.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
                        R"("message":"The request processing has failed."})");
}

// The token of a transaction that threw can be used again.
TEST_F(GateTest, ATransactionThatThrewReleasesItsToken) {
  const char* write = R"({"ClientRequestToken":"t",
    "TransactItems":[{"Put":{"TableName":"app","Item":{"k":{"S":"7"}}}}]})";
  gate_.throws = true;
  api_.Fails("TransactWriteItems", write, "InternalServerError",
             "The request processing has failed.");
  gate_.throws = false;
  api_.Answers("TransactWriteItems", write, "{}");
}

}  // namespace
}  // namespace hashrange
