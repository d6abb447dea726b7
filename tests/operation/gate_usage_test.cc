// The usage with which each access leaves the gate: capacity by index, items examined, returned and
// written.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "operation/call/gate.h"
#include "support/api.h"

namespace hashrange {
namespace {

// Logs the usage of each access: "kind units(index units,…) examined/returned/written"; a kind in a
// transaction has a "*".
class UsageGate : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access&) override { return std::nullopt; }
  void Leave(Call&, const Access& access, const Usage& usage) override {
    static constexpr const char* kKinds[] = {"read", "write", "check", "query", "scan"};
    if (!log_.str().empty()) log_ << "; ";
    log_ << kKinds[static_cast<int>(access.kind)] << (access.in_transaction ? "* " : " ")
         << usage.units << "(";
    for (std::size_t i = 0; i < usage.index_units.size(); ++i) {
      log_ << (i == 0 ? "" : ",") << usage.index_units[i];
    }
    log_ << ") " << usage.items_examined << "/" << usage.items_returned << "/"
         << usage.items_written;
  }

  std::string TakeLog() {
    std::string taken = log_.str();
    log_.str({});
    return taken;
  }

 private:
  std::ostringstream log_;
};

// A table of three items in one item collection, "1" to "3". Its global index on g has "1" and "2";
// its local index on l is empty.
class GateUsageTest : public testing::Test {
 protected:
  GateUsageTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
        {"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
        {"AttributeName":"l","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}],
      "LocalSecondaryIndexes":[{"IndexName":"LSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},
                     {"AttributeName":"l","KeyType":"RANGE"}]}]})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"},"g":{"S":"x"}}})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"2"},"g":{"S":"x"}}})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"3"}}})");
    gate_.TakeLog();
  }

  struct Row {
    const char* operation;
    const char* request;
    const char* usage;
  };
  void ExpectUsage(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
      api_.Ok(row.operation, row.request);
      EXPECT_EQ(gate_.TakeLog(), row.usage) << row.operation << " " << row.request;
    }
  }

  UsageGate gate_;
  GateSlot slot_{&gate_};
  Api api_{{.gate = &slot_}};
};

TEST_F(GateUsageTest, ReadsReportItemsExaminedAndReturned) {
  ExpectUsage({
      {"GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}})", "read 0.5() 1/1/0"},
      {"GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"9"}}})", "read 0.5() 0/0/0"},
      {"BatchGetItem",
       R"({"RequestItems":{"app":{"Keys":[{"p":{"S":"a"},"s":{"S":"1"}},
                                          {"p":{"S":"a"},"s":{"S":"9"}}]}}})",
       "read 0.5() 1/1/0; read 0.5() 0/0/0"},
      {"Query",
       R"({"TableName":"app","KeyConditionExpression":"p = :p","FilterExpression":"g = :g",
           "ExpressionAttributeValues":{":p":{"S":"a"},":g":{"S":"x"}},"ConsistentRead":true})",
       "query 1(0,0) 3/2/0"},
      {"Query",
       R"({"TableName":"app","IndexName":"GSI","KeyConditionExpression":"g = :g","Select":"COUNT",
           "ExpressionAttributeValues":{":g":{"S":"x"}}})",
       "query 0.5(0.5,0) 2/2/0"},
      {"Scan", R"({"TableName":"app","Limit":2})", "scan 0.5(0,0) 2/2/0"},
      {"TransactGetItems",
       R"({"TransactItems":[{"Get":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}}}},
                            {"Get":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"9"}}}}]})",
       "read* 2() 1/1/0; read* 2() 0/0/0"},
  });
}

TEST_F(GateUsageTest, WritesReportTheUnitsOfEachIndex) {
  ExpectUsage({
      {"PutItem",
       R"({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"4"},"g":{"S":"x"},"l":{"S":"y"}}})",
       "write 3(1,1) 0/0/1"},
      {"UpdateItem",
       R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}},"UpdateExpression":"SET g = :g",
           "ExpressionAttributeValues":{":g":{"S":"z"}}})",
       "write 4(2,1) 1/0/1"},
      {"DeleteItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}}})",
       "write 3(1,1) 1/0/1"},
      {"DeleteItem", R"({"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"4"}}})",
       "write 1(0,0) 0/0/0"},
      {"BatchWriteItem",
       R"({"RequestItems":{"app":[
           {"PutRequest":{"Item":{"p":{"S":"a"},"s":{"S":"5"},"g":{"S":"x"}}}},
           {"DeleteRequest":{"Key":{"p":{"S":"a"},"s":{"S":"3"}}}}]}})",
       "write 2(1,0) 0/0/1; write 1(0,0) 1/0/1"},
      {"TransactWriteItems",
       R"j({"TransactItems":[
           {"Put":{"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"6"},"g":{"S":"x"}}}},
           {"ConditionCheck":{"TableName":"app","Key":{"p":{"S":"a"},"s":{"S":"1"}},
             "ConditionExpression":"attribute_exists(p)"}}]})j",
       "write* 3(1,0) 0/0/1; check* 2(0,0) 1/0/0"},
  });
}

TEST_F(GateUsageTest, StatementsReportTheSameUsage) {
  ExpectUsage({
      {"ExecuteStatement",
       R"({"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1' AND g = 'other'"})",
       "read 0.5() 1/0/0"},
      {"ExecuteStatement",
       R"({"Statement":"SELECT * FROM app WHERE p = 'a' AND s IN ['1', '2'] AND g = 'x'"})",
       "query 0.5(0,0) 1/1/0; query 0.5(0,0) 1/1/0"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app.GSI WHERE g = 'x'"})",
       "query 0.5(0.5,0) 2/2/0"},
      {"ExecuteStatement", R"({"Statement":"SELECT * FROM app"})", "scan 0.5(0,0) 3/3/0"},
      {"ExecuteStatement", R"({"Statement":"UPDATE app SET g = 'y' WHERE p = 'a' AND s = '3'"})",
       "write 2(1,0) 1/0/1"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1'",
                          "ConsistentRead":true}]})",
       "read 1() 1/1/0"},
      {"BatchExecuteStatement",
       R"({"Statements":[{"Statement":"INSERT INTO app VALUE {'p':'b','s':'1','g':'x'}"}]})",
       "write 2(1,0) 0/0/1"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"DELETE FROM app WHERE p = 'b' AND s = '1'"}]})",
       "write* 3(1,0) 1/0/1"},
      {"ExecuteTransaction",
       R"({"TransactStatements":[{"Statement":"SELECT * FROM app WHERE p = 'a' AND s = '1'"}]})",
       "read* 2() 1/1/0"},
  });
}

TEST_F(GateUsageTest, AFailedConditionIsChargedForTheStoredItem) {
  const char* put = R"j({"TableName":"app","Item":{"p":{"S":"a"},"s":{"S":"1"}},
    "ConditionExpression":"attribute_not_exists(p)"})j";
  api_.Fails("PutItem", put, "ConditionalCheckFailedException", "The conditional request failed");
  EXPECT_EQ(gate_.TakeLog(), "write 1() 1/0/0");
  api_.Fails("TransactWriteItems",
             std::string(R"({"TransactItems":[{"Put":)").append(put).append("}]}"),
             "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons "
             "[ConditionalCheckFailed]");
  EXPECT_EQ(gate_.TakeLog(), "write* 2() 1/0/0");
}

}  // namespace
}  // namespace hashrange
